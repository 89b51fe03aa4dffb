import { isMetered } from '../../../../src/domain/pricing/definitions.ts';
import { pathWith, type Client } from '../../api/client.ts';
import type { Charge, List, Plan, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Code } from '../../components/values.tsx';
import { PlanLink } from '../parts/links.tsx';
import { AGGREGATIONS } from '../plans/models.ts';
import { namedPrices } from '../plans/named-prices.ts';

/** Plans that are read for one event. */
const PLANS_MAX = 10;

type Counted = { plan_id: string; charge: Charge };

/**
 * Event names, conditions and properties that the plans of a customer count now, to compare with an event that none of
 * them counts.
 */
export function CountedByPlans({ customer_id }: { customer_id: string }) {
  const loaded = useLoad<Counted[]>(
    pathWith('/v1/subscriptions', { customer_id, limit: '200' }),
    readCounted,
  );
  return (
    <div class="stack">
      <h3>What the customer’s plans count</h3>
      <Loading loaded={loaded}>
        {(counted) =>
          counted.length === 0 ? (
            <Empty title="The customer’s plans count no events" />
          ) : (
            <Table
              caption="What the customer’s plans count"
              keyOf={({ charge }) => charge.id}
              items={counted}
              columns={COLUMNS}
            />
          )
        }
      </Loading>
    </div>
  );
}

/** The metered charges of the plans of the listed subscriptions. */
async function readCounted(client: Client, path: string, signal: AbortSignal): Promise<Counted[]> {
  const { data } = await client.get<List<Subscription>>(path, signal);
  const ids = [...new Set(data.map(({ plan_id }) => plan_id))].slice(0, PLANS_MAX);
  const plans = await Promise.all(ids.map((id) => client.get<Plan>(`/v1/pricing-plans/${id}`, signal)));
  return plans.flatMap(({ id, charges }) =>
    charges.filter(isMetered).map((charge) => ({ plan_id: id, charge })),
  );
}

const COLUMNS: readonly Column<Counted>[] = [
  { title: 'Event name', show: ({ charge }) => <Code>{charge.event_name}</Code> },
  { title: 'Charge', show: ({ charge }) => charge.name ?? charge.event_name },
  { title: 'Only with', show: ({ charge }) => <Conditions charge={charge} /> },
  { title: 'Counts', show: ({ charge: { aggregation } }) => <Reading aggregation={aggregation} /> },
  { title: 'Plan', show: ({ plan_id }) => <PlanLink id={plan_id} /> },
];

/** The filters of a charge, and what its prices are for if it has none for all others. */
function Conditions({ charge }: { charge: Charge }) {
  const { filters, prices } = charge;
  const all = Object.entries(filters ?? {}).map(
    ([property, values]) => `${property}: ${values.join(' or ')}`,
  );
  if (prices !== null && !prices.some((price) => price.default))
    all.push(
      `a price: ${namedPrices(charge)
        .map(({ words }) => words)
        .join(', or ')}`,
    );
  if (all.length === 0) return <span class="faint">all events of this name</span>;
  return <span class="wide-text">{all.join('; ')}</span>;
}

function Reading({ aggregation }: { aggregation: Charge['aggregation'] }) {
  return (
    <>
      {AGGREGATIONS[aggregation.type]}
      {'property' in aggregation && (
        <>
          , <Code>{aggregation.property}</Code>
        </>
      )}
    </>
  );
}
