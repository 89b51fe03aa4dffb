import type { Customer, Subscription } from '../../api/objects.ts';
import { useNames } from '../../api/use-names.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Select, trimmed, type Values } from '../../components/form.tsx';
import { words } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

type AddItemProps = { customer: Customer; subscriptions: readonly Subscription[]; changed: () => void };

/** Puts an amount on the next invoice of a customer. */
export function AddItem({ customer, subscriptions, changed }: AddItemProps) {
  const client = useClient();
  const add = async (values: Values) => {
    await client.post('/v1/invoice-items', { customer_id: customer.id, ...trimmed(filledIn(values)) });
    changed();
  };
  const next = { value: '', label: 'The one whose invoice comes next' };
  const planName = useNames(
    'ids',
    subscriptions.map(({ plan_id }) => plan_id),
  );
  const other_options = subscriptions.map(({ id, plan_id, status }) => ({
    value: id,
    label: `${planName(plan_id) ?? id}, ${words(status)}`,
  }));
  return (
    <FormButton label="Add item" title="Put an item on the next invoice" submit_label="Add item" submit={add}>
      <p>The next invoice takes the item, and a draft that is held takes it at once. Tax is added.</p>
      <Field name="description" label="Description" hint="Printed on the invoice." />
      <Field name="quantity" label="Quantity" hint="If empty, 1." keyboard="decimal" />
      <Field
        name="unit_amount"
        label={`Unit amount in ${customer.currency}`}
        hint="With a minus for a rebate, which waits while it would take an invoice below zero."
      />
      {subscriptions.length > 1 && (
        <Select name="subscription_id" label="Subscription" options={[next, ...other_options]} />
      )}
    </FormButton>
  );
}
