import { useState } from 'preact/hooks';
import { totalOf } from '../../../../src/domain/money/figures.ts';
import type { Customer, Invoice } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { OpenInvoices, SpreadAmount, spreadOf } from '../payments/open-invoices.tsx';
import { PaymentFields, paymentOf } from '../payments/payment-fields.tsx';

type RecordProps = { customer: Customer; changed: () => void };

/** Records a payment of a customer: in advance, or a transfer, where it pays invoices that are open. */
export function RecordDeposit({ customer, changed }: RecordProps) {
  const { id, name, external_id } = customer;
  const client = useClient();
  const record = async (values: Values) => {
    const { invoices, other } = spreadOf(values);
    if (invoices.length === 0) await client.post(`/v1/customers/${id}/payments`, paymentOf(other));
    else await client.post('/v1/transfers', { ...paymentOf(other), customer_id: external_id, invoices });
    changed();
  };
  return (
    <FormButton
      label="Record a payment"
      title={`Record a payment of ${name ?? external_id}`}
      kind="primary"
      submit_label="Record a payment"
      submit={record}
    >
      <p>
        What pays no invoice is a payment in advance: it goes to the balance, from which the next invoice
        takes.
      </p>
      <AmountFields customer={customer} />
      <PaymentFields />
    </FormButton>
  );
}

/** The invoices that are paid, and the amount: at first all that is due of them. */
function AmountFields({ customer: { id, currency } }: { customer: Customer }) {
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState<readonly Invoice[]>([]);
  const choose = (invoices: readonly Invoice[]) => {
    setChosen(invoices);
    setAmount(invoices.length === 0 ? '' : totalOf(invoices.map(({ amount_due }) => amount_due)));
  };
  return (
    <>
      <OpenInvoices customer_id={id} legend="Invoices that were paid" chosen={chosen} change={choose} />
      <Field
        name="amount"
        label={`Amount in ${currency}`}
        keyboard="decimal"
        value={amount}
        change={setAmount}
      />
      {chosen.length > 0 && <SpreadAmount amount={amount} invoices={chosen} />}
    </>
  );
}
