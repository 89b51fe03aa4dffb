import { useState } from 'preact/hooks';
import type { Customer, Plan } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Form, Select, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { QuantityFields, quantitiesIn } from './quantity-fields.tsx';
import { PlanField, ProposedPlan } from '../choices/plan-field.tsx';

type NewSubscriptionProps = { customer: Customer; created: () => void };

/** A dialog to subscribe a customer to a plan. */
export function NewSubscriptionButton(props: NewSubscriptionProps) {
  const { name, external_id, currency } = props.customer;
  return (
    <DialogButton label="Add a subscription" title={`A subscription for ${name ?? external_id}`}>
      {(close) => (
        <ProposedPlan currency={currency} none={`No plan in ${currency}`} proposed={([newest]) => newest}>
          {(newest) => <SubscriptionForm {...props} newest={newest} close={close} />}
        </ProposedPlan>
      )}
    </DialogButton>
  );
}

/** Values of the field `bill_on`. */
const START_DAY = 'start';
const FIRST_OF_MONTH = 'month';
const BILL_ON = [
  { value: START_DAY, label: 'the day it starts' },
  { value: FIRST_OF_MONTH, label: 'the first of the month' },
];

type FormProps = NewSubscriptionProps & { newest: Plan | undefined; close: () => void };

function SubscriptionForm({ customer, created, newest, close }: FormProps) {
  const client = useClient();
  const [plan, setPlan] = useState<Plan | null>(newest ?? null);
  const today = (customer.test_clock ?? new Date().toISOString()).slice(0, 10);
  const subscribe = async (values: Values) => {
    const { quantities, others } = quantitiesIn(filledIn(values));
    const has_quantities = Object.keys(quantities).length > 0;
    const request = { ...requestOf(others, today), ...(has_quantities && { quantities }) };
    await client.post('/v1/subscriptions', { customer_id: customer.id, ...request });
    close();
    created();
  };
  const cancel = (
    <button type="button" onClick={close}>
      Cancel
    </button>
  );
  return (
    <Form submit_label="Subscribe" submit={subscribe} shape={plan?.id ?? ''} beside={cancel}>
      <PlanField
        name="plan_id"
        label="Plan"
        hint={`Plans in ${customer.currency}.`}
        currency={customer.currency}
        customer_id={customer.external_id}
        initial={newest}
        change={setPlan}
      />
      <QuantityFields key={plan?.id} plan={plan} hint="With which the subscription begins." />
      <Field
        name="start_date"
        label="Starts on"
        type="date"
        initial={today}
        hint="If empty, now. Past periods are billed immediately."
      />
      <Field
        name="start_time"
        label="At (UTC)"
        type="time"
        hint="If empty, at midnight in the time zone of the customer."
      />
      {(plan?.interval === 'month' || plan?.interval === 'year') && (
        <Select name="bill_on" label="Bill on" options={BILL_ON} />
      )}
      <LastFields currency={customer.currency} />
    </Form>
  );
}

/** Fields that most subscriptions leave empty. */
function LastFields({ currency }: { currency: string }) {
  return (
    <>
      <Field
        name="trial_end_date"
        label="Trial until"
        type="date"
        hint="Usage before midnight of this date is not billed. If empty, there is no trial."
      />
      <Field
        name="bill_at"
        label={`Bill before the end, once usage in ${currency} comes to`}
        hint="Usage that comes to this amount, net, is billed at once. If empty, only the end of the period bills."
        keyboard="decimal"
      />
    </>
  );
}

/**
 * The fields of the form as the request's body has them. A day alone begins at midnight in the customer's time zone;
 * `start_time` is a time of day in UTC. `today` is the day of the customer's clock, from which a subscription without a
 * start date starts.
 */
function requestOf(
  { bill_on = START_DAY, start_time, start_date, ...other_fields }: Values,
  today: string,
): Values {
  const day = start_date ?? today;
  return {
    ...other_fields,
    ...(start_time !== undefined && { start_date: `${day}T${start_time}Z` }),
    ...(start_time === undefined && start_date !== undefined && { start_date }),
    // Of the month in which it starts: periods of a year are counted from it.
    ...(bill_on === FIRST_OF_MONTH && { billing_anchor: `${day.slice(0, 7)}-01` }),
  };
}
