import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { PaymentFields, paymentOf } from '../payments/payment-fields.tsx';

/** Records a payment of a customer in advance. */
export function RecordDeposit({ customer, changed }: { customer: Customer; changed: () => void }) {
  const { id, currency } = customer;
  const client = useClient();
  const record = async (values: Values) => {
    await client.post(`/v1/customers/${id}/payments`, paymentOf(values));
    changed();
  };
  return (
    <FormButton
      label="Record a payment"
      title="Record a payment in advance"
      kind="primary"
      submit_label="Record a payment"
      submit={record}
    >
      <p>
        All of it goes to the balance, from which the next invoice takes. To pay an invoice that is open, use
        its own page.
      </p>
      <Field name="amount" label={`Amount in ${currency}`} keyboard="decimal" />
      <PaymentFields />
    </FormButton>
  );
}
