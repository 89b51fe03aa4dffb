import { useState } from 'preact/hooks';
import { isAbove, leftOf, totalOf } from '../../../../src/domain/money/figures.ts';
import type { Invoice } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, Labelled, type Values } from '../../components/form.tsx';
import { grouped } from '../../components/grouped.ts';
import { useClient } from '../../shell/session.tsx';
import { OpenInvoices, SpreadAmount, spreadOf } from '../payments/open-invoices.tsx';
import { PaymentFields, paymentOf } from '../payments/payment-fields.tsx';

type PaymentProps = { invoice: Invoice; changed: () => void };

/** Records a payment of an open invoice, or a transfer, where other invoices of the customer are paid with it. */
export function RecordPayment({ invoice, changed }: PaymentProps) {
  const client = useClient();
  const pay = async (values: Values) => {
    const { invoices, other } = spreadOf(values);
    if (invoices.length === 0) await client.post(`/v1/invoices/${invoice.id}/payments`, paymentOf(other));
    else
      await client.post('/v1/transfers', {
        ...paymentOf(other),
        customer_id: invoice.customer_id,
        invoices,
      });
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

/** The amount, other invoices that are paid with it and, without them, what becomes of an excess. */
function AmountFields({ invoice }: { invoice: Invoice }) {
  const { id, amount_due, currency, customer_id, customer } = invoice;
  const [amount, setAmount] = useState(amount_due);
  const [others, setOthers] = useState<readonly Invoice[]>([]);
  const choose = (chosen: readonly Invoice[]) => {
    setOthers(chosen);
    setAmount(totalOf([amount_due, ...chosen.map((other) => other.amount_due)]));
  };
  return (
    <>
      <OpenInvoices
        customer_id={customer_id}
        except={id}
        legend="Other invoices that were paid with it"
        chosen={others}
        change={choose}
      />
      <Field
        name="amount"
        label={`Amount in ${currency}`}
        hint="All that is due, a part of it, or more."
        keyboard="decimal"
        value={amount}
        change={setAmount}
      />
      {others.length > 0 && <SpreadAmount amount={amount} invoices={[invoice, ...others]} />}
      {others.length === 0 && isAbove(amount, amount_due) && (
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
