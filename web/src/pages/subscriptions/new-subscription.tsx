import { useState } from 'preact/hooks';
import type { Customer, List, Plan } from '../../api/objects.ts';
import { everyPage } from '../../api/every-page.ts';
import { useLoad } from '../../api/use-load.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { nameWithVersion } from '../plans/models.ts';
import { FIRST_OF_MONTH, requestOf, START_DAY } from './subscription-request.ts';

type NewSubscriptionProps = { customer: Customer; created: () => void };

/** A dialog to subscribe a customer to a plan. */
export function NewSubscriptionButton(props: NewSubscriptionProps) {
  const { name, external_id } = props.customer;
  return (
    <DialogButton label="Add a subscription" title={`A subscription for ${name ?? external_id}`}>
      {(close) => <Plans {...props} close={close} />}
    </DialogButton>
  );
}

function Plans(props: NewSubscriptionProps & { close: () => void }) {
  const { currency } = props.customer;
  const loaded = useLoad<List<Plan>>('/v1/pricing-plans?archived=false', everyPage);
  return (
    <Loading of={loaded}>
      {({ data }) => {
        const plans = data.filter((plan) => plan.currency === currency);
        return plans.length === 0 ? (
          <Empty title={`No plan in ${currency}`}>
            <p>
              <Link to="/plans/new">Create a plan</Link> first.
            </p>
          </Empty>
        ) : (
          <SubscriptionForm {...props} plans={plans} />
        );
      }}
    </Loading>
  );
}

const BILL_ON = [
  { value: START_DAY, label: 'the day it starts' },
  { value: FIRST_OF_MONTH, label: 'the first of the month' },
];

type FormProps = NewSubscriptionProps & { plans: readonly Plan[]; close: () => void };

function SubscriptionForm({ customer, created, plans, close }: FormProps) {
  const client = useClient();
  const [plan_id, setPlan] = useState(plans[0]?.id ?? '');
  const interval = plans.find(({ id }) => id === plan_id)?.interval;
  const today = (customer.test_clock ?? new Date().toISOString()).slice(0, 10);
  const subscribe = async (values: Values) => {
    const request = requestOf(filledIn(values), today);
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
    <Form submit_label="Subscribe" submit={subscribe} beside={cancel}>
      <Select
        name="plan_id"
        label="Plan"
        hint={`Plans in ${customer.currency}, newest first.`}
        value={plan_id}
        change={setPlan}
        options={plans.map((plan) => ({
          value: plan.id,
          label: `${nameWithVersion(plan)} (every ${plan.interval_count === 1 ? plan.interval : `${plan.interval_count} ${plan.interval}s`})`,
        }))}
      />
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
      {(interval === 'month' || interval === 'year') && (
        <Select name="bill_on" label="Bill on" options={BILL_ON} />
      )}
      <Field
        name="trial_end_date"
        label="Trial until"
        type="date"
        hint="Usage before midnight of this date is not billed. If empty, there is no trial."
      />
    </Form>
  );
}
