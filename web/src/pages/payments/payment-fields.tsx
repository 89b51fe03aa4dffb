import { Field, filledIn, Labelled, useRefusal, type Values } from '../../components/form.tsx';

/** The fields that all payments have, beside the amount. */
export function PaymentFields() {
  const is_duplicate = useRefusal('duplicate_payment');
  return (
    <>
      <Field
        name="reference"
        label="Reference"
        hint="Identifies the payment, such as the reference of the bank."
      />
      <Field name="paid_at" label="Paid on (UTC)" hint="If empty, now." type="date" />
      {is_duplicate && (
        <Labelled
          name="allow_duplicate"
          label="Record it all the same"
          hint="For a second payment with the same reference, amount and day."
        >
          {(control) => <input type="checkbox" class="check" value="true" {...control} />}
        </Labelled>
      )}
    </>
  );
}

/** The request of a payment from the values of its form. */
export function paymentOf(values: Values): object {
  const { allow_duplicate, ...filled } = filledIn(values);
  return { ...filled, ...(allow_duplicate !== undefined && { allow_duplicate: true }) };
}
