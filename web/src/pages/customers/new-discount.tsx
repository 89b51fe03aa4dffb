import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, trimmed, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { SubscriptionField } from '../choices/subscription-field.tsx';
import { sentNames } from '../plans/grant-draft.ts';

type NewDiscountProps = { customer: Customer; timezone: string; changed: () => void };

/** Takes a percent off the lines of a customer; days begin in `timezone`, the customer's. */
export function NewDiscount({ customer, timezone, changed }: NewDiscountProps) {
  const client = useClient();
  const create = async ({ event_names = '', ...values }: Values) => {
    await client.post('/v1/discounts', {
      customer_id: customer.id,
      event_names: sentNames(event_names),
      ...trimmed(filledIn(values)),
    });
    changed();
  };
  return (
    <FormButton
      label="New discount"
      title="Take a percent off"
      submit_label="Create discount"
      submit={create}
    >
      <p>
        It holds for all of each billing period that begins before its end and ends after its start. What is
        issued stays; a draft that is held shows it at once.
      </p>
      <Field name="name" label="Name" hint="Printed on the invoice." />
      <Field
        name="percent"
        label="Percent"
        hint="Above 0, at most 100, with at most 4 decimals."
        keyboard="decimal"
      />
      <Field
        name="event_names"
        label="Only for the events"
        hint="Names with commas between them, those of fees too; if empty, all charges."
      />
      <SubscriptionField
        label="Only for the subscription"
        hint="If empty, all of the customer, later ones too."
        customer_id={customer.id}
      />
      <Field
        name="from"
        label="From"
        type="date"
        hint={`The beginning of this day in ${timezone}, also in the past; if empty, now.`}
      />
      <Field
        name="until"
        label="Until"
        type="date"
        hint={`The beginning of this day in ${timezone}; if empty, it has no end.`}
      />
    </FormButton>
  );
}
