import { useState } from 'preact/hooks';
import type { Customer, Plan, PlanPreview } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Form } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { ProposedPlan, PlanField } from '../choices/plan-field.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { customBodyOf, customDraftOf, type DraftCustomPlan } from './custom-draft.ts';
import { CustomPlanFields, shapeOfCustom } from './custom-plan-fields.tsx';
import { CustomPlanPreview } from './custom-plan-preview.tsx';

/**
 * Page for other prices for one customer. The address may name the plan to begin with (`based_on`, also a custom plan),
 * the customer, and the subscription that is to have it.
 */
export function CustomPlanPage() {
  const [{ based_on, customer_id }] = useQuery();
  return (
    <Page title="Custom price" actions={<Link to="/plans">All plans</Link>}>
      <OnlyFor use="createPricingPlan">
        {based_on && <Like key={based_on} id={based_on} />}
        {!based_on && customer_id && <BaseOf customer_id={customer_id} />}
        {!based_on && !customer_id && <Empty title="Choose a plan or a customer first" />}
      </OnlyFor>
    </Page>
  );
}

/** A choice of the base for a customer. */
function BaseOf({ customer_id }: { customer_id: string }) {
  const [, setQuery] = useQuery();
  const loaded = useLoad<Customer>(`/v1/customers/${encodeURIComponent(customer_id)}`);
  return (
    <Loading loaded={loaded}>
      {({ currency }) => (
        <ProposedPlan currency={currency} none={`No plan in ${currency}`} proposed={([newest]) => newest}>
          {(newest) => (
            <Form submit_label="Go on" submit={async ({ based_on }) => setQuery({ customer_id, based_on })}>
              <p>A custom plan has the charges of another plan, with other prices for this customer alone.</p>
              <PlanField name="based_on" label="Based on the plan" currency={currency} initial={newest} />
            </Form>
          )}
        </ProposedPlan>
      )}
    </Loading>
  );
}

/** The form filled in with a plan; of a custom plan, its base is the base of the new one too. */
function Like({ id }: { id: string }) {
  const loaded = useLoad<Plan>(`/v1/pricing-plans/${encodeURIComponent(id)}`);
  const base_id = loaded.value?.based_on ?? null;
  const base = useLoad<Plan>(base_id === null ? null : `/v1/pricing-plans/${base_id}`);
  return (
    <Loading loaded={loaded}>
      {(plan) =>
        plan.based_on === null ? (
          <FilledIn plan={plan} base={plan} />
        ) : (
          <Loading loaded={base}>{(of_custom) => <FilledIn plan={plan} base={of_custom} />}</Loading>
        )
      }
    </Loading>
  );
}

type PlansProps = { plan: Plan; base: Plan };

function FilledIn({ plan, base }: PlansProps) {
  const draft = customDraftOf(plan, base);
  return draft === null ? (
    <Empty title={`${plan.name} does not fit in this form`}>
      <p>
        A text of the plan has blanks at its ends or several lines. Make the custom plan by the API or by{' '}
        <code>plans customize</code>.
      </p>
    </Empty>
  ) : (
    <CustomPlanForm base={base} customer_of={plan.customer_id} initial={draft} />
  );
}

type FormProps = { base: Plan; customer_of: string | null; initial: DraftCustomPlan };
type Previewed = { body: object; preview: PlanPreview };

function CustomPlanForm({ base, customer_of, initial }: FormProps) {
  const client = useClient();
  const navigate = useNavigate();
  const [{ customer_id = customer_of ?? undefined, subscription_id }] = useQuery();
  const [draft, setDraft] = useState(initial);
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  const preview = async (values: Readonly<Record<string, string>>) => {
    const body = { ...customBodyOf(draft, base), customer_id: values['customer_id']?.trim() || undefined };
    setPreviewed({ body, preview: await client.post<PlanPreview>('/v1/pricing-plans/preview', body) });
  };
  const create = async () => {
    const { id } = await client.post<Plan>('/v1/pricing-plans', previewed?.body);
    navigate(subscription_id ? `/subscriptions/${subscription_id}/change?plan_id=${id}` : `/plans/${id}`);
  };
  return (
    <>
      {previewed !== null && (
        <CustomPlanPreview
          base={base}
          preview={previewed.preview}
          is_for_subscription={Boolean(subscription_id)}
          create={create}
          back={() => setPreviewed(null)}
        />
      )}
      {/* Kept, so that its values are still there on the way back. */}
      <div class="wide-form" hidden={previewed !== null}>
        <Form submit_label="Preview" submit={preview} shape={shapeOfCustom(draft)}>
          <CustomPlanFields base={base} customer_id={customer_id} plan={draft} change={setDraft} />
        </Form>
      </div>
    </>
  );
}
