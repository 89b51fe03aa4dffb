import { useState } from 'preact/hooks';
import { isAbove, leftOf } from '../../../../src/domain/money/figures.ts';
import type { Invoice } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, Labelled, type Values } from '../../components/form.tsx';
import { grouped } from '../../components/grouped.ts';
import { useClient } from '../../shell/session.tsx';
import { PaymentFields, paymentOf } from '../payments/payment-fields.tsx';

type PaymentProps = { invoice: Invoice; changed: () => void };

/** Records a payment of an open invoice. */
export function RecordPayment({ invoice, changed }: PaymentProps) {
  const client = useClient();
  const pay = async (values: Values) => {
    await client.post(`/v1/invoices/${invoice.id}/payments`, paymentOf(values));
    changed();
  };
  return (
    <FormButton
      label="Record payment"
      title={`Record a payment of ${invoice.number ?? 'this invoice'}`}
      kind="primary"
      submit_label="Record payment"
      submit={pay}
    >
      <p>An invoice with a payment cannot be voided or regenerated unless the payment is reversed.</p>
      <AmountFields invoice={invoice} />
      <PaymentFields />
    </FormButton>
  );
}

/** The amount and, if it is above what is due, what becomes of the excess. */
function AmountFields({ invoice: { amount_due, currency, customer_id, customer } }: { invoice: Invoice }) {
  const [amount, setAmount] = useState(amount_due);
  return (
    <>
      <Field
        name="amount"
        label={`Amount in ${currency}`}
        hint="All that is due, a part of it, or more."
        keyboard="decimal"
        value={amount}
        change={setAmount}
      />
      {isAbove(amount, amount_due) && (
        <Labelled
          name="excess"
          label={`Add ${excessOf(amount, amount_due)} ${currency} to the balance of ${customer.name ?? customer_id}`}
          hint={`This is what exceeds the ${grouped(amount_due)} ${currency} that are due. The balance pays for later invoices.`}
        >
          {(control) => <input type="checkbox" class="check" value="balance" {...control} />}
        </Labelled>
      )}
    </>
  );
}

const excessOf = (amount: string, amount_due: string) => grouped(leftOf(amount, amount_due));
