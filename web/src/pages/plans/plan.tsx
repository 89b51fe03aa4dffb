import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso/router';
import { pathWith } from '../../api/client.ts';
import type { List, Plan, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Field, filledIn, Form, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Code, Day, Money, Quantity } from '../../components/values.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { History } from '../audit-log/history.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CustomerLink, PlanLink } from '../parts/links.tsx';
import { MoveSubscribersButton } from '../plan-migrations/move-subscribers.tsx';
import { ChargeSection } from './charge-section.tsx';
import { namesOf } from './grant-draft.ts';
import { intervalInWords } from './models.ts';
import { ArchiveButton, Versions } from './versions.tsx';

/** How far subscribers are counted. */
const COUNTED_MAX = 200;
/**
 * The number of charges that are drawn at once; others are drawn when they are opened, because each asks the server for
 * its prices.
 */
const DRAWN_AT_ONCE = 6;

export function PlanPage() {
  const { params } = useRoute();
  const loaded = useLoad<Plan>(`/v1/pricing-plans/${encodeURIComponent(params['id'] ?? '')}`);
  return (
    <Page title={loaded.value?.name ?? 'Plan'} actions={<Link to="/plans">All plans</Link>}>
      <Loading loaded={loaded}>
        {(plan) => (
          <>
            <Facts plan={plan} />
            <p class="form-buttons">
              <May use="createPricingPlan">
                {plan.key !== null && (
                  <Link to={`/plans/new?version_of=${plan.id}`} is_button>
                    New version
                  </Link>
                )}
                <Link to={`/plans/new?from=${plan.id}`} is_button>
                  Duplicate
                </Link>
                <Link to={`/plans/custom?based_on=${plan.id}`} is_button>
                  {plan.based_on === null ? 'Custom price' : 'Other prices'}
                </Link>
              </May>
              <May use="createPlanMigration">
                <MoveSubscribersButton plan={plan} />
              </May>
              <May use="archivePricingPlan">
                <ArchiveButton plan={plan} reload={loaded.reload} />
              </May>
            </p>
            {/* Anew once the plan is archived, which the list says too. */}
            {plan.key !== null && <Versions key={plan.archived_at} plan={plan} plan_key={plan.key} />}
            {plan.charges.map((charge, place) => (
              <ChargeSection
                key={charge.id}
                charge={charge}
                currency={plan.currency}
                is_drawn={place < DRAWN_AT_ONCE}
              />
            ))}
            {plan.grants.length > 0 && <Credit grants={plan.grants} />}
            {plan.archived_at === null && (
              <May use="createSubscription">
                <Subscribe to={plan} />
              </May>
            )}
            <History key={plan.archived_at} filter={{ object_id: plan.id }} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function Facts({ plan }: { plan: Plan }) {
  const has_metadata = Object.keys(plan.metadata).length > 0;
  return (
    <>
      <Definitions
        entries={[
          ...customOf(plan),
          ['Billed', intervalInWords(plan)],
          ['Currency', plan.currency],
          ['Minimum', plan.minimum_amount && <Minimum plan={plan} amount={plan.minimum_amount} />],
          ['Charges', plan.charges.length],
          ['Key', plan.key === null ? '–' : `${plan.key}, version ${plan.version}`],
          ['Created', <Day at={plan.created_at} />],
          ['Archived', plan.archived_at === null ? '–' : <Day at={plan.archived_at} />],
          [
            'Id',
            <>
              <Code>{plan.id}</Code> <CopyButton text={plan.id} what="the plan’s id" />
            </>,
          ],
          ['Subscribers', <Subscribers plan={plan} />],
        ]}
      />
      {has_metadata && (
        <Section title="Metadata">
          <pre class="body" tabIndex={0}>
            {JSON.stringify(plan.metadata, null, 2)}
          </pre>
        </Section>
      )}
    </>
  );
}

/** The customer of a custom plan, its base, and the charges that have prices of their own. */
function customOf({ customer_id, based_on, overrides, charges }: Plan): [string, ComponentChildren][] {
  if (customer_id === null || based_on === null) return [];
  const own = overrides?.flatMap(({ charge }) => charges[charge] ?? []) ?? [];
  return [
    ['Custom plan of', <CustomerLink id={customer_id} />],
    ['Based on', <PlanLink id={based_on} />],
    ['Own prices of', own.map(({ name, event_name }) => name ?? event_name).join(', ') || 'no charge'],
  ];
}

/** "100.00 USD each month". */
function Minimum({ plan, amount }: { plan: Plan; amount: string }) {
  return (
    <>
      <Money amount={amount} currency={plan.currency} /> {intervalInWords(plan)}
    </>
  );
}

/** How many subscriptions are on the plan, as a link to them. */
function Subscribers({ plan: { id } }: { plan: Plan }) {
  const loaded = useLoad<List<Subscription>>(
    pathWith('/v1/subscriptions', { plan_id: id, limit: `${COUNTED_MAX}` }),
  );
  if (loaded.value === null) return loaded.fault === null ? <>…</> : <>{loaded.fault.message}</>;
  const { data, has_more } = loaded.value;
  if (data.length === 0) return <>none</>;
  const count = has_more ? `more than ${COUNTED_MAX}` : `${data.length}`;
  return (
    <Link to={`/subscriptions?plan_id=${id}`}>
      {count} {data.length === 1 ? 'subscription' : 'subscriptions'}
    </Link>
  );
}

function Credit({ grants }: { grants: Plan['grants'] }) {
  return (
    <Section title="Credit of each period">
      <Table
        caption="Credit that each billing period comes with"
        keyOf={({ place }) => `${place}`}
        items={grants.map((grant, place) => ({ ...grant, place }))}
        columns={[
          { title: 'Units', show: ({ amount }) => <Quantity value={amount} />, is_number: true },
          { title: 'Events', show: ({ event_names }) => namesOf(event_names) || 'all' },
          {
            title: 'Expires',
            show: ({ expires }) =>
              expires === 'period_end' ? 'with the period' : `after ${expires.days} days`,
          },
          {
            title: 'Carries over',
            show: ({ carry_over_max }) =>
              carry_over_max === null ? '–' : <Quantity value={carry_over_max} />,
            is_number: true,
          },
          { title: 'Short periods', show: ({ prorate }) => (prorate ? 'their share' : 'full amount') },
        ]}
      />
    </Section>
  );
}

function Subscribe({ to: { id: plan_id, customer_id } }: { to: Plan }) {
  const client = useClient();
  const navigate = useNavigate();
  const submit = async (values: Values) => {
    const { id } = await client.post<Subscription>('/v1/subscriptions', { ...filledIn(values), plan_id });
    navigate(`/subscriptions/${id}`);
  };
  return (
    <Section title="Subscribe a customer">
      <p class="lead">
        A plan cannot be changed, so the prices of a customer remain on record. For other prices, create the
        next version.
      </p>
      <Form submit_label="Subscribe" submit={submit}>
        <CustomerField initial={customer_id ?? undefined} />
        <Field
          name="start_date"
          label="Starts"
          hint="A date or time in UTC; if empty, now. Past periods are billed immediately."
          placeholder="2030-01-01"
        />
        <Field
          name="trial_end_date"
          label="Trial until"
          hint="Usage before this time is not billed. If empty, there is no trial."
          placeholder="2030-01-15"
        />
      </Form>
    </Section>
  );
}
