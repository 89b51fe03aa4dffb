import type { Charge } from '../../domain/pricing/charge.ts';
import { startsOfDays, UTC } from '../../domain/time/local-time.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { isMeteredCharge } from '../subscriptions/charges.ts';
import { hasPrice, OF_EVENT, passes, textOf } from './series.ts';
import { aggregateOf, shownQuantity } from './usage.ts';

/** The plan that has a charge; `plan_version` is null without a key. */
type PlanOfCharge = { plan_id: string; plan_name: string; plan_version: number | null };

/**
 * The quantity of a group of events by a charge's aggregation. `group` is an instant, a property's value as text, or
 * null (no group).
 */
export type UsageRow = Pick<Charge, 'event_name' | 'aggregation'> &
  PlanOfCharge & {
    charge_id: string;
    group: string | null;
    quantity: string;
    /** Sort key of the group within its charge; null for the last group. */
    place: string | null;
  };

/** Days are those of a time zone. */
export type UsageGroup =
  { by: 'nothing' | 'hour' } | { by: 'day'; timezone: string } | { by: 'property'; property: string };

export type CustomerUsageQuery = {
  environment_id: number;
  customer_id: string;
  customer_key: string;
  event_name: string | null;
  /** Inclusive; by the events' timestamps. */
  from: string;
  /** Exclusive. */
  to: string;
  group: UsageGroup;
};

/** The page begins after the group `after`. */
type Page = { after: Pick<UsageRow, 'charge_id' | 'place'> | null; limit: number };

/**
 * A customer's usage by every charge of the customer's subscriptions, past and present, each in the time of its plan,
 * whether or not an invoice counts it; not events that no price of the charge is for. Order: newest subscription first,
 * of a subscription the newest plan, then plan order; within a charge the newest day or hour first, or values by text,
 * events without the property last.
 */
export async function listUsage(
  db: Db,
  query: CustomerUsageQuery,
  { after, limit }: Page,
): Promise<UsageRow[]> {
  const charges = await chargesOfCustomer(db, query);
  const begun = charges.findIndex(({ id }) => id === after?.charge_id);
  const rows: UsageRow[] = [];
  if (after !== null && after.place !== null)
    rows.push(
      ...(await usageOfCharge(db, { ...query, charge: charges[begun]! }, { after: after.place, limit })),
    );
  for (const charge of charges.slice(begun + 1)) {
    if (rows.length >= limit) break;
    const page = { after: null, limit: limit - rows.length };
    rows.push(...(await usageOfCharge(db, { ...query, charge }, page)));
  }
  return rows;
}

/** A charge, its plan, and the time in which the plan holds, a multirange. */
type TimedCharge = Charge & PlanOfCharge & { time: string };

/** Charges of all the customer's plans; a plan that holds twice, or with several subscriptions, counts once. */
async function chargesOfCustomer(db: Db, query: CustomerUsageQuery): Promise<TimedCharge[]> {
  const { rows } = await db.query<TimedCharge>(
    `select h.id, h.event_name, h.name, h.unit_name, h.aggregation, h.filters, h.pricing, h.group_by, s.time,
       l.id as plan_id, l.name as plan_name, l.version as plan_version
     from (
       select p.plan_id, max(s.id) as newest, max(p.begins_at) as begins_at,
         range_agg(tstzrange(p.begins_at, p.ends_at))::text as time
       from subscriptions s
       join subscription_plans p on p.environment_id = s.environment_id and p.subscription_id = s.id
       where s.environment_id = $1 and s.customer_id = $2
       group by p.plan_id
     ) as s
     join plans l on l.environment_id = $1 and l.id = s.plan_id
     join charges h on h.environment_id = $1 and h.plan_id = s.plan_id
     where ${isMeteredCharge('h')} and ($3::text is null or h.event_name = $3)
     order by s.newest desc, s.begins_at desc, s.plan_id, h.position`,
    [query.environment_id, query.customer_id, query.event_name],
  );
  return rows;
}

/** Length of a value's prefix in `place`: what fits a cursor. A hash of the whole value follows. */
const PLACE_LENGTH = 80;

async function usageOfCharge(
  db: Db,
  query: CustomerUsageQuery & { charge: TimedCharge },
  { after, limit }: { after: string | null; limit: number },
): Promise<UsageRow[]> {
  const { charge, group } = query;
  const { event_name, aggregation, plan_id, plan_name, plan_version } = charge;
  const { values, parameter } = createParameters();
  const newest_first = group.by === 'day' || group.by === 'hour';
  const { rows } = await db.query<Pick<UsageRow, 'group' | 'quantity' | 'place'>>(
    `select "group", place, ${shownQuantity('quantity')} as quantity
     from (
       select *, (left("group", ${PLACE_LENGTH}) || md5("group")) collate "C" as place
       from (
         select ${groupOf(query, parameter)} as "group", ${aggregateOf(aggregation, parameter).quantity} as quantity
         from events e
         where e.environment_id = ${parameter(query.environment_id)}
           and e.customer_key = ${parameter(query.customer_key)}
           and e.event_name = ${parameter(event_name)} and ${passes(charge.filters, OF_EVENT, parameter)}
           and ${hasPrice(charge, parameter)}
           and e.timestamp >= ${parameter(query.from)} and e.timestamp < ${parameter(query.to)}
           and e.timestamp <@ ${parameter(charge.time)}::tstzmultirange
         ${group.by === 'nothing' ? '' : 'group by 1'}
       ) as counted
     ) as placed
     where ${after === null ? 'true' : `place ${newest_first ? '<' : '>'} ${parameter(after)} or place is null`}
     order by place ${newest_first ? 'desc' : 'asc'} nulls last limit ${parameter(limit)}`,
    values,
  );
  const of_plan = { plan_id, plan_name, plan_version };
  return rows.map((row) => ({ event_name, charge_id: charge.id, ...of_plan, aggregation, ...row }));
}

type Grouped = Pick<CustomerUsageQuery, 'from' | 'to' | 'group'>;

function groupOf({ from, to, group }: Grouped, parameter: Parameter): string {
  switch (group.by) {
    case 'nothing':
      return 'null::text';
    case 'property':
      return textOf(`${parameter(group.property)}::text`);
    case 'hour':
      return asInstant(`date_trunc('hour', e.timestamp, 'UTC')`);
    case 'day': {
      if (group.timezone === UTC) return asInstant(`date_trunc('day', e.timestamp, 'UTC')`);
      // The zones of the database may be older than ours.
      const starts = `${parameter(startsOfDays({ from, to }, group.timezone))}::timestamptz[]`;
      return asInstant(`(${starts})[width_bucket(e.timestamp, ${starts})]`);
    }
  }
}

/** SQL: an instant as the API writes it. */
function asInstant(instant: string): string {
  return `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
