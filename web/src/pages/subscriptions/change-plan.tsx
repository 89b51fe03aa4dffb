import { useState } from 'preact/hooks';
import type { List, Plan, PlanChangePreview, Subscription } from '../../api/objects.ts';
import { everyPage } from '../../api/every-page.ts';
import { useLoad } from '../../api/use-load.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { intervalInWords, nameWithVersion } from '../plans/models.ts';
import { Bill, Confirmation, Notes, UnusedTimeField } from './preview.tsx';
import { namedTimes, TimeFields, useTime } from './time-fields.tsx';

type Props = { of: Subscription; reload: () => void };
type Request = { plan_id: string; at: string; settle: string | undefined };

/** A dialog that previews a change of plan and then performs it. */
export function ChangePlanButton(props: Props) {
  return (
    <DialogButton label="Change plan" title="Change the plan of this subscription">
      {(close) => <Plans {...props} close={close} />}
    </DialogButton>
  );
}

type DialogProps = Props & { close: () => void };

/** The plans of the currency of the one that holds, without it and without archived ones. */
function Plans(props: DialogProps) {
  const loaded = useLoad<List<Plan>>('/v1/pricing-plans', everyPage);
  return (
    <Loading of={loaded}>
      {({ data }) => {
        const current = data.find(({ id }) => id === props.of.plan_id);
        const plans = data.filter(
          (plan) => plan !== current && plan.currency === current?.currency && plan.archived_at === null,
        );
        return plans.length === 0 ? (
          <Empty title={`No other plan in ${current?.currency}`}>
            <p>
              <Link to="/plans/new">Create a plan</Link> first.
            </p>
          </Empty>
        ) : (
          <ChangePlan {...props} plans={plans} />
        );
      }}
    </Loading>
  );
}

function ChangePlan({ of: subscription, reload, plans, close }: DialogProps & { plans: readonly Plan[] }) {
  const client = useClient();
  const [plan_id, setPlan] = useState(plans[0]!.id);
  const time = useTime('period_end');
  const [previewed, setPreviewed] = useState<{ request: Request; preview: PlanChangePreview } | null>(null);
  const place = `/v1/subscriptions/${subscription.id}/change`;
  const preview = async (values: Values) => {
    const request = { plan_id, at: time.timeOf(values, 'at'), settle: values['settle'] };
    setPreviewed({
      request,
      preview: await client.post<PlanChangePreview>(place, { ...request, dry_run: true }),
    });
  };
  if (previewed !== null) {
    const change = async () => {
      await client.post(place, previewed.request);
      close();
      reload();
    };
    const { closing, opening, upcoming, credit_notes } = previewed.preview;
    return (
      <Confirmation label="Change plan" kind="primary" perform={change} back={() => setPreviewed(null)}>
        {closing === null && <p>No period ends: the new plan takes the place of the old one.</p>}
        {closing !== null && <Bill of={closing} title="By the old plan" />}
        <Notes of={credit_notes} />
        {opening !== null && <Bill of={opening} title="Fees in advance, as the new plan begins" />}
        {upcoming !== null && <Bill of={upcoming} title="By the new plan, as far as is known" />}
      </Confirmation>
    );
  }
  return (
    <Form
      submit_label="Preview"
      submit={preview}
      shape={`${plan_id} ${time.when}`}
      beside={
        <button type="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <Select
        name="plan_id"
        label="New plan"
        value={plan_id}
        change={setPlan}
        options={plans.map(optionOf)}
      />
      <TimeFields
        name="at"
        label="From"
        hint="The period ends there and is billed by the old plan. A later change replaces one that is scheduled."
        options={namedTimes(subscription)}
        time={time}
      />
      <UnusedTimeField />
    </Form>
  );
}

function optionOf(plan: Plan) {
  return { value: plan.id, label: `${nameWithVersion(plan)} (${intervalInWords(plan)})` };
}
