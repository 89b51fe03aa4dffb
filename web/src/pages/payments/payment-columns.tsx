import { isZero } from '../../../../src/domain/money/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { Payment } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Labelled } from '../../components/form.tsx';
import { ActorName } from '../../components/name.tsx';
import type { Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Cut, Day, Money } from '../../components/values.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { SendButton } from '../emails/send-button.tsx';
import { InvoiceLink } from '../parts/links.tsx';
import { Refund } from './refund.tsx';

/** The columns of a list of payments, with a button to reverse each that stands. */
export function paymentColumns(changed: () => void): [Column<Payment>, ...Column<Payment>[]] {
  return [
    { title: 'Paid on', show: ({ paid_at }) => <Day at={paid_at} /> },
    {
      title: 'Reference',
      on_phone: 'hidden',
      show: ({ reference }) => (reference === null ? <span class="faint">–</span> : <Cut text={reference} />),
    },
    AMOUNT_PAID,
    {
      title: 'Recorded by',
      on_phone: 'hidden',
      show: ({ created_by }) =>
        created_by === null ? <span class="faint">–</span> : <ActorName id={created_by} />,
    },
    {
      title: 'State',
      show: (payment) =>
        payment.reversed_at === null ? (
          <>
            <May use="sendReceipt">
              <SendButton
                label="Send receipt"
                title={`Send the receipt of ${payment.amount} ${payment.currency}?`}
                path={`/v1/payments/${payment.id}/send`}
              />
            </May>
            {!isZero(payment.refundable) && (
              <May use="refundPayment">
                <Refund payment={payment} changed={changed} />
              </May>
            )}
            <May use="reversePaymentById">
              <Reverse payment={payment} changed={changed} />
            </May>
          </>
        ) : (
          <>
            <Badge status="reversed" /> <Day at={payment.reversed_at} />
            {payment.reversed_by !== null && (
              <>
                {' by '}
                <ActorName id={payment.reversed_by} />
              </>
            )}
            {payment.reversal_reason !== null && (
              <>
                : <q>{payment.reversal_reason}</q>
              </>
            )}
          </>
        ),
    },
  ];
}

/** The amount, and what of a payment of an invoice went to the balance. */
export const AMOUNT_PAID: Column<Payment> = {
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
  on_phone: 'figure',
};

/** The invoice that a payment is of; a payment in advance goes to the balance. */
export const PAID_FOR: Column<Payment> = {
  title: 'For',
  show: ({ invoice_id }) =>
    invoice_id === null ? <span class="nowrap">the balance</span> : <InvoiceLink id={invoice_id} />,
};

function Reverse({ payment, changed }: { payment: Payment; changed: () => void }) {
  const client = useClient();
  const { id, invoice_id, transfer_id, amount, to_balance, currency } = payment;
  return (
    <FormButton
      label="Reverse"
      title={`Reverse the payment of ${amount} ${currency}?`}
      kind="danger"
      submit_label="Reverse payment"
      submit={async (values) => {
        const { reason, whole } = filledIn(values);
        if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
        const reversed = whole === undefined ? `payments/${id}` : `transfers/${transfer_id}`;
        await client.post(`/v1/${reversed}/reverse`, { reason });
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
      {transfer_id !== null && (
        <Labelled
          name="whole"
          label="Reverse all of the transfer"
          hint="All payments that were recorded with this one and stand are reversed too."
        >
          {(control) => <input type="checkbox" class="check" value="true" defaultChecked {...control} />}
        </Labelled>
      )}
      <Field name="reason" label="Reason" hint="Shown with the payment." />
    </FormButton>
  );
}
