import { useState } from 'preact/hooks';
import type { Plan } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Field, Form, Select } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient, useDashboard } from '../../shell/session.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { ChargeFields } from './charge-fields.tsx';
import { withItem, withoutItem } from './draft-parts.ts';
import { GrantFields } from './grant-fields.tsx';
import { draftOf } from './plan-as-draft.ts';
import { bodyOf, newCharge, newPlan, shapeOf, type DraftPlan } from './plan-draft.ts';
import { INTERVALS, isOneOf } from './models.ts';

/** The server takes as many. */
const CHARGES_MAX = 100;

/** The form for a plan. The address may name one to begin with: `version_of` keeps its key, `from` does not. */
export function NewPlanPage() {
  const { account } = useDashboard();
  const [{ from, version_of }] = useQuery();
  return (
    <Page title={version_of ? 'New version' : 'New plan'} actions={<Link to="/plans">All plans</Link>}>
      <OnlyFor use="createPricingPlan">
        {version_of && <LikePlan id={version_of} adapt={(draft) => draft} />}
        {!version_of && from && <LikePlan id={from} adapt={duplicateOf} />}
        {!version_of && !from && <PlanForm initial={newPlan(account.currency)} />}
      </OnlyFor>
    </Page>
  );
}

const duplicateOf = (draft: DraftPlan): DraftPlan => ({ ...draft, key: '', name: `${draft.name} (copy)` });

/** The form filled in with a plan, which `adapt` changes first. */
function LikePlan({ id, adapt }: { id: string; adapt: (draft: DraftPlan) => DraftPlan }) {
  const loaded = useLoad<Plan>(`/v1/pricing-plans/${encodeURIComponent(id)}`);
  return (
    <Loading loaded={loaded}>
      {(plan) => {
        const draft = draftOf(plan);
        return draft === null ? (
          <Empty title={`${plan.name} does not fit in this form`}>
            <p>
              A text of the plan has blanks at its ends or several lines. Make the new plan by the API or by{' '}
              <code>plans apply</code>.
            </p>
          </Empty>
        ) : (
          <PlanForm initial={adapt(draft)} />
        );
      }}
    </Loading>
  );
}

function PlanForm({ initial }: { initial: DraftPlan }) {
  const client = useClient();
  const navigate = useNavigate();
  const [plan, setPlan] = useState(initial);
  const submit = async () => {
    const { id } = await client.post<Plan>('/v1/pricing-plans', bodyOf(plan));
    navigate(`/plans/${id}`);
  };
  return (
    <div class="wide-form">
      <Form submit_label="Create plan" submit={submit} shape={shapeOf(plan)}>
        <PlanFields plan={plan} change={setPlan} />
        <Section title="Charges">
          <AllCharges plan={plan} change={setPlan} />
        </Section>
        <Section title="Credit">
          <p class="lead">
            Prepaid usage that each billing period of a subscription comes with. It covers usage before usage
            is charged.
          </p>
          <GrantFields grants={plan.grants} change={(grants) => setPlan({ ...plan, grants })} />
        </Section>
        <p class="faint">
          A plan cannot be changed after it is created. For other prices, create the next version: a plan with
          the same key.
        </p>
      </Form>
    </div>
  );
}

type FieldsProps = { plan: DraftPlan; change: (plan: DraftPlan) => void };

function AllCharges({ plan, change }: FieldsProps) {
  const { charges } = plan;
  return (
    <div class="stack">
      {charges.map((charge, index) => (
        <ChargeFields
          key={charge.key}
          index={index}
          charge={charge}
          currency={plan.currency.trim()}
          change={(changed) => change({ ...plan, charges: withItem(charges, index, changed) })}
          remove={
            charges.length === 1 ? null : () => change({ ...plan, charges: withoutItem(charges, index) })
          }
        />
      ))}
      <button
        type="button"
        disabled={charges.length >= CHARGES_MAX}
        onClick={() => change({ ...plan, charges: [...charges, newCharge()] })}
      >
        Add a charge
      </button>
    </div>
  );
}

function PlanFields({ plan, change }: FieldsProps) {
  return (
    <div class="plan-fields">
      <Field name="name" label="Name" value={plan.name} change={(name) => change({ ...plan, name })} />
      <Field
        name="key"
        label="Key"
        hint="Optional. A known key makes the next version."
        placeholder="pro"
        value={plan.key}
        change={(key) => change({ ...plan, key })}
      />
      <Field
        name="currency"
        label="Currency"
        value={plan.currency}
        change={(currency) => change({ ...plan, currency })}
      />
      <Field
        name="interval_count"
        label="Billed every"
        keyboard="numeric"
        value={plan.interval_count}
        change={(interval_count) => change({ ...plan, interval_count })}
      />
      <Select
        name="interval"
        label="Interval"
        value={plan.interval}
        options={Object.entries(INTERVALS).map(([value, label]) => ({ value, label }))}
        change={(interval) => isOneOf(INTERVALS, interval) && change({ ...plan, interval })}
      />
      <Field
        name="minimum_amount"
        label="Minimum"
        hint="Optional, net, of a billing period. A line adds what fees and usage lack of it."
        keyboard="decimal"
        value={plan.minimum_amount}
        change={(minimum_amount) => change({ ...plan, minimum_amount })}
      />
    </div>
  );
}
