import type { Cause } from '../../domain/usage/billing-cause.ts';
import { CAUSE_ORDER } from '../../domain/usage/day-cause.ts';
import { uuidOfEventId } from '../events/event-id.ts';
import { isOfKey } from '../events/event-keys.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { isMeteredCharge } from '../subscriptions/charges.ts';
import { OF_ROW } from '../usage/series.ts';
import { IN_SPAN } from '../usage/usage.ts';

/** An event as one charge of one subscription judges it. An event on a draft's line is `pending` and names the line. */
export type EventCause = {
  charge_id: string | null;
  subscription_id: string | null;
  cause: Cause;
  invoice_id: string | null;
  line_item_id: string | null;
};

/** The events to report: an environment's, or those of some customers, with a timestamp in [from, to). */
export type BillingScope = {
  environment_id: number;
  /** Null means all customers. */
  customer_keys: readonly string[] | null;
  from: string;
  to: string;
  /** Days after its period's end in which a stored event still reaches a late line (billing.md 5). */
  late_usage_days: number;
};

/** Parameters $1 to $5 of eventBillings. */
export function billingParameters(scope: BillingScope): unknown[] {
  const { environment_id, customer_keys, from, to, late_usage_days } = scope;
  return [environment_id, customer_keys, from, to, late_usage_days];
}

/** SQL: subscriptions by their plans, so that each instant lies in one row of a subscription. */
const SUBSCRIPTIONS = `
  select c.key as customer_key, s.id, s.start_date, s.cancel_at, s.trial_end_date, p.plan_id, p.begins_at, p.ends_at
  from subscriptions s
  join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  cross join lateral (
    select plan_id, begins_at, ends_at from subscription_plans
    where environment_id = s.environment_id and subscription_id = s.id) as p
  where s.environment_id = $1 and ($2::bigint[] is null or c.key = any($2))`;

const CHARGES = `
  select id, plan_id, position, event_name, filters, pricing, group_by, aggregation ->> 'type' as aggregation,
    aggregation ->> 'property' as property
  from charges
  where environment_id = $1 and plan_id in (select plan_id from subscription) and ${isMeteredCharge('charges')}`;

/**
 * SQL: full periods. `is_issued`: every part is closed and has an open or paid invoice, so only a late line can still
 * bill an event. `is_void`: a closed part has no invoice but void ones. `open_from`: start of the open part.
 */
const FULL_PERIODS = `
  select p.subscription_id, p.full_period_start, max(p.period_end) as full_period_end,
    bool_and(p.closed_at is not null and coalesce(i.status in ('open', 'paid'), false)) as is_issued,
    bool_or(p.closed_at is not null and i.id is null) as is_void,
    coalesce(min(p.period_start) filter (where p.closed_at is null), 'infinity') as open_from
  from (
    select distinct p.subscription_id, p.full_period_start
    from subscription s
    join periods p on p.environment_id = $1 and p.subscription_id = s.id
    where p.kind = 'billing' and p.period_end > $3 and p.period_start < $4
  ) as found
  join periods p on p.environment_id = $1 and p.subscription_id = found.subscription_id
    and p.full_period_start = found.full_period_start and p.kind = 'billing'
  left join invoices i on i.environment_id = $1 and i.subscription_id = p.subscription_id
    and i.period_start = p.period_start and i.status <> 'void' and i.kind = 'period'
  group by p.subscription_id, p.full_period_start`;

/** SQL: spans of the lines on invoices that are not void. */
const SPANS_OF_LINES = `
  select l.subscription_id, l.charge_id, l.series, ${OF_ROW.own_groups} as own, l.full_period_start,
    l.id as line_item_id, i.id as invoice_id, i.status as invoice_status, p.timestamp_from, p.timestamp_to,
    p.stored_from, p.stored_to, u.id as up_to_id, u.epoch as up_to_epoch, u.snapshot as up_to_snapshot,
    a.id as after_id, a.epoch as after_epoch, a.snapshot as after_snapshot
  from full_period w
  join line_items l on l.environment_id = $1 and l.subscription_id = w.subscription_id
    and l.full_period_start = w.full_period_start
  join invoices i on i.environment_id = $1 and i.id = l.invoice_id and i.status <> 'void'
  join line_item_spans p on p.environment_id = $1 and p.line_item_id = l.id
  join cut_offs u on u.environment_id = $1 and u.id = p.up_to_cut_off_id
  left join cut_offs a on a.environment_id = $1 and a.id = p.after_cut_off_id`;

/** SQL: common table expressions of everything that decides about the events in scope, but the events. */
export const BILLING_TABLES = `
  subscription as materialized (${SUBSCRIPTIONS}),
  charge as materialized (${CHARGES}),
  full_period as materialized (${FULL_PERIODS}),
  held as materialized (${SPANS_OF_LINES})`;

/** SQL: whether the event `e` has a cause, once it has none that is asked before it (CAUSE_ORDER). */
const CONDITIONS: Readonly<Record<Cause, string>> = {
  no_subscription: 's.id is null',
  no_charge: 'h.id is null',
  filters_do_not_match: `not ${OF_ROW.passes}`,
  no_price: `not ${OF_ROW.has_price}`,
  before_start: 'e.timestamp < s.start_date',
  after_cancellation: 'e.timestamp >= s.cancel_at',
  trial: 'e.timestamp < s.trial_end_date',
  property_missing: `h.aggregation <> 'count' and not e.properties ? h.property`,
  property_not_usable: `case h.aggregation
      when 'count' then false
      when 'unique' then jsonb_typeof(e.properties -> h.property) not in ('string', 'number', 'boolean')
      else event_number(e.properties -> h.property) is null end`,
  billed: `span.invoice_status <> 'draft'`,
  invoice_void: 'span.invoice_status is null and full_period.is_void and e.timestamp < full_period.open_from',
  late: `span.invoice_status is null and full_period.is_issued
      and e.created_at < full_period.full_period_end + make_interval(days => $5)`,
  too_late: 'span.invoice_status is null and full_period.is_issued',
  pending: 'true',
};

const CAUSE = `case ${CAUSE_ORDER.map((cause) => `when ${CONDITIONS[cause]} then '${cause}'`).join('\n    ')} end`;

/**
 * SQL: common table `billing` with the cause of every event in scope, one row for each charge of that event name in
 * each of the customer's subscriptions. A subscription without such a charge, and a customer without a subscription,
 * gives a row without a charge. Serves one event and a month of all customers alike: collects everything but the events
 * first, then joins once. `events` is a further SQL condition on the event `e`, which comes from the relation `source`.
 */
export function eventBillings(events = 'true', source = 'events'): string {
  return `with ${BILLING_TABLES}, ${billingOf(events, source)}`;
}

function billingOf(events: string, source: string): string {
  return `
  billing as (
    select e.id as event_id, e.customer_key, e.event_name, e.timestamp, s.id as subscription_id, h.id as charge_id,
      h.position, span.invoice_id, span.line_item_id, ${CAUSE} as cause
    from ${source} as e
    left join subscription s on s.customer_key = e.customer_key
      and e.timestamp >= s.begins_at and e.timestamp < s.ends_at
    left join charge h on h.plan_id = s.plan_id and h.event_name = e.event_name
    left join full_period on full_period.subscription_id = s.id and e.timestamp >= full_period.full_period_start
      and e.timestamp < full_period.full_period_end
    left join held as span on span.subscription_id = s.id and span.charge_id = h.id
      and span.full_period_start = full_period.full_period_start and ${IN_SPAN}
      and ${OF_ROW.isOfLine({ series: 'span.series', own: 'span.own' })}
    where e.environment_id = $1 and ($2::bigint[] is null or e.customer_key = any($2))
      and e.timestamp >= $3 and e.timestamp < $4 and ${events}
  )`;
}

/**
 * An existing event as each charge judges it; never empty: one that no charge counts has one entry with the cause,
 * without a charge.
 */
export async function causesOfEvent(
  db: Db,
  key: { environment_id: number; event_id: string; late_usage_days: number },
): Promise<{ timestamp: string; charges: EventCause[] }> {
  const { environment_id, late_usage_days } = key;
  const key_hash = uuidOfEventId(key.event_id);
  const { rows: events } = await db.query<{ customer_key: string; from: string; to: string }>(
    `select customer_key, timestamp as from, timestamp + interval '1 millisecond' as to from events e
     where environment_id = $1 and ${isOfKey('$2')}`,
    [environment_id, key_hash],
  );
  const { customer_key, ...instant } = events[0]!;
  const scope = { environment_id, late_usage_days, customer_keys: [customer_key], ...instant };
  const { values, parameter } = createParameters(billingParameters(scope));
  const { rows } = await db.query<EventCause>(
    `${eventBillings(`e.key_hash = ${parameter(key_hash)}`)}
     select charge_id, subscription_id, cause, invoice_id, line_item_id from billing
     order by subscription_id, position`,
    values,
  );
  const counted_causes = rows.filter(({ cause }) => !NOT_COUNTED.some((reason) => reason === cause));
  const timestamp = instant.from;
  if (counted_causes.length > 0) return { timestamp, charges: counted_causes };
  const cause = NOT_COUNTED.find((reason) => rows.some((row) => row.cause === reason))!;
  return { timestamp, charges: [{ ...NO_CHARGE, cause }] };
}

/** Causes of events that no charge counts; the closest to a match first. */
const NOT_COUNTED = ['no_price', 'filters_do_not_match', 'no_charge', 'no_subscription'] as const;

const NO_CHARGE = { charge_id: null, subscription_id: null, invoice_id: null, line_item_id: null };
