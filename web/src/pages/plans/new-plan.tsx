import { useState } from 'preact/hooks';
import type { Plan } from '../../api/objects.ts';
import { Field, Form, Select } from '../../components/form.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient, useDashboard } from '../../shell/session.tsx';
import { ChargeFields } from './charge-fields.tsx';
import { withItem, withoutItem } from './draft-parts.ts';
import { bodyOf, newCharge, newPlan, shapeOf, type DraftPlan } from './plan-draft.ts';
import { INTERVALS, isOneOf } from './models.ts';

/** The server takes as many. */
const CHARGES_MAX = 100;

export function NewPlanPage() {
  const { account } = useDashboard();
  const client = useClient();
  const navigate = useNavigate();
  const [plan, setPlan] = useState(() => newPlan(account.currency));
  const remove = (index: number) => setPlan({ ...plan, charges: withoutItem(plan.charges, index) });
  const submit = async () => {
    const { id } = await client.post<Plan>('/v1/pricing-plans', bodyOf(plan));
    navigate(`/plans/${id}`);
  };
  return (
    <Page title="New plan" actions={<Link to="/plans">All plans</Link>}>
      <div class="wide-form">
        <Form submit_label="Create plan" submit={submit} shape={shapeOf(plan)}>
          <PlanFields plan={plan} change={setPlan} />
          <Section title="Charges">
            <div class="stack">
              {plan.charges.map((charge, index) => (
                <ChargeFields
                  key={charge.key}
                  index={index}
                  charge={charge}
                  currency={plan.currency.trim()}
                  change={(changed) => setPlan({ ...plan, charges: withItem(plan.charges, index, changed) })}
                  remove={plan.charges.length === 1 ? null : () => remove(index)}
                />
              ))}
              <button
                type="button"
                disabled={plan.charges.length >= CHARGES_MAX}
                onClick={() => setPlan({ ...plan, charges: [...plan.charges, newCharge()] })}
              >
                Add a charge
              </button>
            </div>
          </Section>
          <p class="faint">
            A plan cannot be changed after it is created. For other prices, create another plan.
          </p>
        </Form>
      </div>
    </Page>
  );
}

function PlanFields({ plan, change }: { plan: DraftPlan; change: (plan: DraftPlan) => void }) {
  return (
    <div class="plan-fields">
      <Field name="name" label="Name" value={plan.name} change={(name) => change({ ...plan, name })} />
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
    </div>
  );
}
