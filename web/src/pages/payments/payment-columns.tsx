import { isZero } from '../../../../src/domain/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { Payment } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn } from '../../components/form.tsx';
import type { Column } from '../../components/table.tsx';
import { grouped, Money, Time } from '../../components/values.tsx';
import { May, useClient } from '../../shell/session.tsx';

/** The columns of a list of payments, with a button to reverse each that stands. */
export function paymentColumns(changed: () => void): Column<Payment>[] {
  return [
    { title: 'Paid on', show: ({ paid_at }) => <Time at={paid_at} /> },
    { title: 'Reference', show: ({ reference }) => reference ?? <span class="faint">–</span> },
    {
      title: 'Amount',
      show: ({ amount, to_balance, currency, invoice_id }) => (
        <>
          <Money amount={amount} currency={currency} />
          {invoice_id !== null && !isZero(to_balance) && (
            <div class="faint">{grouped(to_balance)} of it went to the balance</div>
          )}
        </>
      ),
      is_number: true,
    },
    {
      title: 'State',
      show: (payment) =>
        payment.reversed_at === null ? (
          <May use="reversePaymentById">
            <Reverse payment={payment} changed={changed} />
          </May>
        ) : (
          <>
            <Badge status="reversed" /> <Time at={payment.reversed_at} /> <q>{payment.reversal_reason}</q>
          </>
        ),
    },
  ];
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
        await client.post(`/v1/payments/${id}/reverse`, { reason });
        changed();
      }}
    >
      <p>
        {invoice_id !== null && amount !== to_balance && 'What it paid of the invoice is due again. '}
        The payment stays in the list, marked as reversed.
        {!isZero(to_balance) &&
          ` The ${grouped(to_balance)} ${currency} that went to the balance are taken from it. What other invoices have used of them is due
            there again.`}
      </p>
      <Field name="reason" label="Reason" hint="Shown with the payment." />
    </FormButton>
  );
}
