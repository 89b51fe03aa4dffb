import { faultAt } from '../../api/fault.ts';
import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Select, type Values } from '../../components/form.tsx';
import { Money } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

const DIRECTIONS = [
  { value: 'add', label: 'Add to the balance' },
  { value: 'take', label: 'Take back from the balance' },
];

/** Adds to a customer's balance by hand, or takes from it. */
export function AdjustBalance({ customer, changed }: { customer: Customer; changed: () => void }) {
  const { id, balance, currency } = customer;
  const client = useClient();
  const adjust = async (values: Values) => {
    const { direction, amount, reason } = filledIn(values);
    await client.post(`/v1/customers/${id}/balance-adjustments`, {
      ...(amount !== undefined && { amount: signed(amount.trim(), direction === 'take') }),
      ...(reason !== undefined && { reason }),
    });
    changed();
  };
  return (
    <FormButton
      label="Adjust balance"
      title="Adjust the balance"
      submit_label="Adjust balance"
      submit={adjust}
    >
      <p>
        The balance is <Money amount={balance} currency={currency} /> and never below 0. To record a payout to
        the customer, take it back from the balance.
      </p>
      <Select name="direction" label="What to do" options={DIRECTIONS} />
      <Field name="amount" label={`Amount in ${currency}`} keyboard="decimal" />
      <Field name="reason" label="Reason" hint="Shown with the entry." />
    </FormButton>
  );
}

function signed(amount: string, is_taken: boolean): string {
  if (/^[-+]/.test(amount))
    throw faultAt('amount', 'out_of_range', 'amount must have no sign; choose above what to do');
  return is_taken ? `-${amount}` : amount;
}
