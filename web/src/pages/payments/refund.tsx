import type { Payment } from '../../api/objects.ts';
import { faultAt } from '../../api/fault.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn } from '../../components/form.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

/** Gives money of a payment of the payment provider back, in full or in part. */
export function Refund({ payment, changed }: { payment: Payment; changed: () => void }) {
  const client = useClient();
  const { id, amount, refundable, currency, invoice_id } = payment;
  return (
    <FormButton
      label="Refund"
      title={`Refund the payment of ${amount} ${currency}`}
      kind="danger"
      submit_label="Refund"
      submit={async (values) => {
        const { reason, amount: asked } = filledIn(values);
        if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
        await client.post(
          `/v1/payments/${id}/refund`,
          asked === undefined ? { reason } : { reason, amount: asked },
        );
        changed();
      }}
    >
      <p>
        <Money amount={refundable} currency={currency} /> are left to refund. The payment provider gives the
        money back to the payer.
        {invoice_id !== null &&
          ' So much is due again on the invoice, which is paused: no charge of it goes out by itself.'}
      </p>
      <Field
        name="amount"
        label={`Amount in ${currency}`}
        hint={`Empty: all ${grouped(refundable)}.`}
        keyboard="decimal"
      />
      <Field name="reason" label="Reason" hint="Shown with the payment." />
    </FormButton>
  );
}
