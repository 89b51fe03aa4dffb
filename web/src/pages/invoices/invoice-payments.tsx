import { isZero } from '../../../../src/domain/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { Invoice, Payment } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped, Money, Time } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

type PaymentsProps = { invoice: Invoice; changed: () => void };

/** The payments of an invoice, reversed ones too; nothing if there are none. */
export function InvoicePayments({ invoice, changed }: PaymentsProps) {
  const { payments } = invoice;
  if (payments.length === 0) return null;
  const columns: readonly Column<Payment>[] = [
    { title: 'Paid on', show: ({ paid_at }) => <Time at={paid_at} /> },
    { title: 'Reference', show: ({ reference }) => reference ?? <span class="faint">–</span> },
    {
      title: 'Amount',
      show: ({ amount, to_balance, currency }) => (
        <>
          <Money amount={amount} currency={currency} />
          {!isZero(to_balance) && <div class="faint">{grouped(to_balance)} of it went to the balance</div>}
        </>
      ),
      is_number: true,
    },
    {
      title: 'State',
      show: (payment) =>
        payment.reversed_at === null ? (
          <Reverse payment={payment} changed={changed} />
        ) : (
          <>
            <Badge status="reversed" /> <Time at={payment.reversed_at} /> <q>{payment.reversal_reason}</q>
          </>
        ),
    },
  ];
  return (
    <Section title="Payments">
      <Table caption="Payments of this invoice" items={payments} keyOf={({ id }) => id} columns={columns} />
    </Section>
  );
}

function Reverse({ payment, changed }: { payment: Payment; changed: () => void }) {
  const client = useClient();
  const { id, invoice_id, amount, to_balance, currency } = payment;
  return (
    <FormButton
      label="Reverse"
      title={`Reverse the payment of ${amount} ${currency}?`}
      kind="danger"
      submit_label="Reverse payment"
      submit={async (values) => {
        const { reason } = filledIn(values);
        if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
        await client.post(`/v1/invoices/${invoice_id}/payments/${id}/reverse`, { reason });
        changed();
      }}
    >
      <p>
        The amount is due again, and the invoice is open. The payment stays in the list, marked as reversed.
        {!isZero(to_balance) &&
          ` The ${grouped(to_balance)} ${currency} that went to the balance are taken from it.`}
      </p>
      <Field name="reason" label="Reason" hint="Shown with the payment." />
    </FormButton>
  );
}
