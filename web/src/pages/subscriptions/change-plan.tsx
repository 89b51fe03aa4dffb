import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { Plan, PlanChangePreview, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { NextVersion, PlanField } from '../choices/plan-field.tsx';
import { ClockOfCustomer } from '../parts/clock-ahead.tsx';
import { CustomerLink, PlanLink } from '../parts/links.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { PreviewedChange, type ChangeRequest } from './change-preview.tsx';
import { ChangeTermsFields, changeTermsOf } from './change-terms.tsx';
import { namedTimes, TimeFields, useTime } from './time-fields.tsx';

/** Page that previews a change of plan, and then performs it. */
export function ChangePlanPage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<Subscription>(`/v1/subscriptions/${encodeURIComponent(id)}`);
  return (
    <Page
      title="Change of plan"
      actions={<Link to={`/subscriptions/${encodeURIComponent(id)}`}>Back to the subscription</Link>}
    >
      <Loading loaded={loaded}>
        {(subscription) => (
          <>
            <p class="lead">
              The subscription of <CustomerLink id={subscription.customer_id} /> is on{' '}
              <PlanLink id={subscription.plan_id} />. Nothing changes before the preview is confirmed.
            </p>
            <ClockOfCustomer id={subscription.customer_id} />
            <OnlyFor use="changePlan">
              <OtherPlans subscription={subscription} />
            </OnlyFor>
          </>
        )}
      </Loading>
    </Page>
  );
}

type Props = { subscription: Subscription };

/** Offers the plans of the currency of the one that holds, without it; first the one that the address asks for. */
function OtherPlans({ subscription }: Props) {
  const { plan_id } = subscription;
  const [{ plan_id: asked_id }] = useQuery();
  const asked = useLoad<Plan>(asked_id ? `/v1/pricing-plans/${encodeURIComponent(asked_id)}` : null);
  const loaded = useLoad<Plan>(`/v1/pricing-plans/${plan_id}`);
  return (
    <Loading loaded={loaded}>
      {(plan) =>
        asked_id ? (
          <Loading loaded={asked}>
            {(next) => <ChangePlan subscription={subscription} plan={plan} next={next} />}
          </Loading>
        ) : (
          <NextVersion plan={plan} except={plan_id} none={`No other plan in ${plan.currency}`}>
            {(next) => <ChangePlan subscription={subscription} plan={plan} next={next} />}
          </NextVersion>
        )
      }
    </Loading>
  );
}

/** `plan` is the one that holds, `next` the one that is proposed. */
type ChangePlanProps = Props & { plan: Plan; next: Plan | undefined };

function ChangePlan({ subscription, plan, next }: ChangePlanProps) {
  const client = useClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Plan | null>(next ?? null);
  const time = useTime('period_end');
  const [previewed, setPreviewed] = useState<{ request: ChangeRequest; preview: PlanChangePreview } | null>(
    null,
  );
  const page = `/subscriptions/${subscription.id}`;
  const place = `/v1${page}/change`;
  const preview = async (values: Values) => {
    const { plan_id = '', take_back_grants } = values;
    const terms = { ...changeTermsOf(values), take_back_grants: take_back_grants === 'yes' };
    const request = { plan_id, at: time.timeOf(values, 'at'), ...terms };
    setPreviewed({
      request,
      preview: await client.post<PlanChangePreview>(place, { ...request, dry_run: true }),
    });
  };
  const change = async () => {
    await client.post(place, previewed?.request);
    navigate(page);
  };
  return (
    <>
      {previewed !== null && (
        <PreviewedChange {...previewed} change={change} back={() => setPreviewed(null)} />
      )}
      {/* Kept, so that its values are still there on the way back. */}
      <div hidden={previewed !== null}>
        <Form
          submit_label="Preview"
          submit={preview}
          shape={`${chosen?.id} ${time.when}`}
          beside={
            <Link to={page} is_button>
              Cancel
            </Link>
          }
        >
          <PlanField
            name="plan_id"
            label="New plan"
            currency={plan.currency}
            customer_id={subscription.customer_id}
            except={subscription.plan_id}
            initial={next}
            change={setChosen}
          />
          <FromField subscription={subscription} time={time} />
          <ChangeTermsFields />
          {plan.grants.length > 0 && <TakeBackField />}
        </Form>
      </div>
    </>
  );
}

/** A choice of the time from which the new plan holds. */
function FromField({ subscription, time }: Props & { time: ReturnType<typeof useTime> }) {
  return (
    <TimeFields
      name="at"
      label="From"
      hint="The period ends there and is billed by the old plan. A later change replaces one that is scheduled."
      options={namedTimes(subscription)}
      time={time}
    />
  );
}

/** A choice of what becomes of the credit that the old plan gave for the running period. */
function TakeBackField() {
  return (
    <Select
      name="take_back_grants"
      label="Credit of the old plan"
      hint="What it gave for the running period; usage until the change is covered in any case."
      options={[
        { value: 'no', label: 'stays as long as it would' },
        { value: 'yes', label: 'ends with the change' },
      ]}
    />
  );
}
