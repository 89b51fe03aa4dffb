import type { Customer, List, Plan } from '../../api/objects.ts';
import { everyPage } from '../../api/every-page.ts';
import { useLoad } from '../../api/use-load.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

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
  const loaded = useLoad<List<Plan>>('/v1/pricing-plans', everyPage);
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

type FormProps = NewSubscriptionProps & { plans: readonly Plan[]; close: () => void };

function SubscriptionForm({ customer, created, plans, close }: FormProps) {
  const client = useClient();
  const subscribe = async (values: Values) => {
    await client.post('/v1/subscriptions', { customer_id: customer.id, ...filledIn(values) });
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
        options={plans.map(({ id, name, interval, interval_count }) => ({
          value: id,
          label: `${name} (every ${interval_count === 1 ? interval : `${interval_count} ${interval}s`})`,
        }))}
      />
      <Field
        name="start_date"
        label="Starts on (UTC)"
        type="date"
        hint="If empty, now. Past periods are billed immediately."
      />
      <Field
        name="trial_end_date"
        label="Trial until (UTC)"
        type="date"
        hint="Usage before this date is not billed. If empty, there is no trial."
      />
    </Form>
  );
}
