import type { ChargeFacts, PeriodFacts, SpanFacts, SubscriptionFacts } from '../../domain/usage/day-cause.ts';
import { BILLING_TABLES, billingParameters, type BillingScope } from './event-billing.ts';
import type { Db } from '../connection/pool.ts';

type SubscriptionRow = Omit<SubscriptionFacts, 'charges' | 'full_periods' | 'spans'> & {
  id: string;
  customer_key: string;
  plan_id: string;
};
type ChargeRow = Pick<ChargeFacts, 'id' | 'event_name' | 'filters'> & { plan_id: string } & {
  aggregation: ChargeFacts['aggregation']['type'];
  property: string | null;
  is_divided: boolean;
};
type PeriodRow = PeriodFacts & { subscription_id: string };
type SpanRow = Omit<SpanFacts, 'after' | 'up_to'> & {
  subscription_id: string;
  up_to_id: string;
  up_to_epoch: number;
  up_to_snapshot: string;
  after_id: string | null;
  after_epoch: number;
  after_snapshot: string;
};

/**
 * Reads the facts that decide about the events in scope, by customer key; of a subscription one for each of its plans.
 * A customer without a subscription has no entry.
 */
export async function readSubscriptionFacts(
  db: Db,
  scope: BillingScope,
): Promise<Map<string, SubscriptionFacts[]>> {
  const parameters = billingParameters(scope);
  const subscriptions = await rowsOf<SubscriptionRow>(db, parameters, SUBSCRIPTIONS);
  if (subscriptions.length === 0) return new Map();
  const charges = await chargesByPlan(db, parameters);
  const periods = groupedBy(await rowsOf<PeriodRow>(db, parameters, PERIODS), (row) => row.subscription_id);
  const spans = groupedBy(await rowsOf<SpanRow>(db, parameters, SPANS), (row) => row.subscription_id);
  const facts = subscriptions.map(({ id, customer_key, plan_id, ...dates }) => ({
    ...dates,
    customer_key,
    charges: charges.get(plan_id) ?? [],
    full_periods: periods.get(id) ?? [],
    spans: (spans.get(id) ?? []).map(spanOf),
  }));
  return groupedBy(facts, ({ customer_key }) => customer_key);
}

/** Every statement takes the five parameters of a scope, used or not. */
async function rowsOf<Row extends object>(db: Db, parameters: unknown[], select: string): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `with ${BILLING_TABLES}, given as (select $5::integer) ${select}`,
    parameters,
  );
  return rows;
}

const SUBSCRIPTIONS = `
  select id, customer_key, plan_id, start_date, cancel_at, trial_end_date, nullif(begins_at, '-infinity') as begins_at,
    nullif(ends_at, 'infinity') as ends_at
  from subscription`;

const PERIODS = `
  select subscription_id, full_period_start as starts_at, full_period_end as ends_at, is_issued, is_void,
    nullif(open_from, 'infinity') as open_from, full_period_end + make_interval(days => $5) as late_until
  from full_period`;

const SPANS = `
  select subscription_id, charge_id, full_period_start, invoice_status = 'draft' as is_draft, timestamp_from,
    timestamp_to, stored_from, stored_to, up_to_id::text, up_to_epoch, up_to_snapshot::text, after_id::text,
    after_epoch, after_snapshot::text
  from held`;

const CHARGES = `
  select plan_id, id, event_name, filters, aggregation, property,
    pricing ? 'prices' or group_by is not null as is_divided
  from charge`;

async function chargesByPlan(db: Db, parameters: unknown[]): Promise<Map<string, ChargeFacts[]>> {
  const rows = await rowsOf<ChargeRow>(db, parameters, CHARGES);
  const charges = rows.map(({ aggregation: type, property, ...charge }) => ({
    ...charge,
    aggregation: type === 'count' ? { type } : { type, property: property! },
  }));
  return groupedBy(charges, ({ plan_id }) => plan_id);
}

function spanOf(row: SpanRow): SpanFacts {
  const {
    subscription_id: _,
    up_to_id,
    up_to_epoch,
    up_to_snapshot,
    after_id,
    after_epoch,
    after_snapshot,
    ...span
  } = row;
  return {
    ...span,
    up_to: { id: up_to_id, epoch: up_to_epoch, snapshot: up_to_snapshot },
    after: after_id === null ? null : { id: after_id, epoch: after_epoch, snapshot: after_snapshot },
  };
}

function groupedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
