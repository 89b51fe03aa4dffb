import { isAbove, isZero } from '../../../../src/domain/money/figures.ts';
import type { Customer, Invoice } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, type Values } from '../../components/form.tsx';
import { Money } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

type ApplyProps = { invoice: Invoice; changed: () => void };

/** Pays an open invoice from its customer's balance; nothing while the balance is 0 or not known. */
export function ApplyBalance({ invoice, changed }: ApplyProps) {
  const { id, number, customer_id, currency, amount_due } = invoice;
  const client = useClient();
  const customer = useLoad<Customer>(`/v1/customers/${encodeURIComponent(customer_id)}`);
  const balance = customer.value?.balance ?? '0';
  if (isZero(balance)) return null;
  const apply = async (values: Values) => {
    await client.post(`/v1/invoices/${id}/apply-balance`, filledIn(values));
    customer.reload();
    changed();
  };
  return (
    <FormButton
      label="Apply balance"
      title={`Pay ${number ?? 'this invoice'} from the balance`}
      submit_label="Apply balance"
      submit={apply}
    >
      <p>
        The balance of {invoice.customer.name ?? customer_id} is{' '}
        <Money amount={balance} currency={currency} />, and <Money amount={amount_due} currency={currency} />{' '}
        are due.
      </p>
      <Field
        name="amount"
        label={`Amount in ${currency}`}
        hint="If empty, as much as is due and there."
        keyboard="decimal"
        initial={isAbove(balance, amount_due) ? amount_due : balance}
      />
    </FormButton>
  );
}
