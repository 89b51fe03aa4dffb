import type { Charge } from '../../domain/charge.ts';
import { addTotals, divideByDay, type DailyUsage, type DividedUsage } from '../../domain/daily-usage.ts';
import type { CutOff, Span } from '../../domain/span.ts';
import type { Db } from '../pool.ts';

export type Quantity = { quantity: string; skipped_events: number };

/**
 * Takes a cut-off. The caller holds the subscription's lock, so that a later one holds all that an earlier one holds.
 * The statement's own snapshot is what is stored: an event that commits afterwards is late, whenever it was sent.
 */
export async function takeCutOff(db: Db, environment_id: number, subscription_id: string): Promise<CutOff> {
  const { rows } = await db.query<CutOff>(
    `insert into cut_offs (environment_id, subscription_id, epoch, snapshot)
     select $1, $2, max(epoch), pg_current_snapshot() from epochs
     returning id, epoch, snapshot::text`,
    [environment_id, subscription_id],
  );
  return rows[0]!;
}

/** Whether the span `span` holds the event `e`: the one place that says so, for the bill, a line's events and an event's billing status. */
export const IN_SPAN = `
  e.timestamp >= span.timestamp_from and e.timestamp < span.timestamp_to
    and coalesce(e.created_at >= span.stored_from, true) and coalesce(e.created_at < span.stored_to, true)
    and event_in_cut_off(e.epoch, e.created_xid, span.up_to_epoch, span.up_to_snapshot)
    and (span.after_snapshot is null
      or not event_in_cut_off(e.epoch, e.created_xid, span.after_epoch, span.after_snapshot))`;

/** The spans of the parameter $5, as spansParameter makes it. */
export const SPANS = `
  jsonb_to_recordset($5) as span(
    after_epoch integer, after_snapshot pg_snapshot, up_to_epoch integer, up_to_snapshot pg_snapshot,
    timestamp_from timestamptz, timestamp_to timestamptz, stored_from timestamptz, stored_to timestamptz)`;

/**
 * Whether the event `e` passes the filters $4, all of them where they are null: event_matches, written out. The values are read
 * once a statement, where a call of the function reads them for each event and costs more than all the rest.
 */
export const MATCHES = `($4::jsonb is null or not exists (
  with filter as materialized (
    select key, array(select jsonb_array_elements_text(value)) as allowed from jsonb_each($4)
  )
  select from filter where not coalesce(${textOf('filter.key')} = any(filter.allowed), false)))`;

/**
 * The events of a charge within its spans, as `e`. Parameters: environment, customer key, event name, filters, spans. `offset 0`
 * keeps it one walk along events_customer a span, of its time alone: the planner expects a hundred spans, and would rather read
 * everything that the customer ever sent.
 */
export const HELD_EVENTS = `
  from ${SPANS}
  cross join lateral (
    select e.* from events e
    where e.customer_key = $2 and e.environment_id = $1 and e.event_name = $3 and ${IN_SPAN} and ${MATCHES}
    offset 0) as e`;

const NUMBER = `event_number(e.properties -> $6)`;
const TEXT = textOf('$6');

/** The value of a property as text, which is how values are compared; null for null, objects and arrays (billing.md 2). */
export function textOf(property: string): string {
  return `case when jsonb_typeof(e.properties -> ${property}) in ('string', 'number', 'boolean') then e.properties ->> ${property} end`;
}

/**
 * One expression an aggregation, of the events `e` and the property $6; a value that is null marks an event that is left out
 * (billing.md 2).
 */
export const AGGREGATES: Record<Charge['aggregation']['type'], { quantity: string; value: string | null }> = {
  count: { quantity: 'count(*)', value: null },
  sum: { quantity: `sum(${NUMBER})`, value: NUMBER },
  max: { quantity: `max(${NUMBER})`, value: NUMBER },
  unique: { quantity: `count(distinct ${TEXT})`, value: TEXT },
  latest: {
    quantity: `(array_agg(${NUMBER} order by e.timestamp desc, e.id desc) filter (where ${NUMBER} is not null))[1]`,
    value: NUMBER,
  },
};

/** A quantity as it is billed and shown: never below 0, canonical. */
export function shownQuantity(quantity: string): string {
  return `trim_scale(greatest(coalesce(${quantity}, 0), 0)::numeric)::text`;
}

export type UsageQuery = {
  environment_id: number;
  customer_key: string;
  charge: Charge;
  spans: readonly Span[];
  /** As readDailyUsage gives it; null reads every event. */
  daily: DailyUsage | null;
};

/** The quantity that a charge's spans hold, never below 0, and how many of their events it leaves out. A flat charge has quantity 1. */
export async function quantityOf(db: Db, query: UsageQuery): Promise<Quantity> {
  const { charge } = query;
  if (charge.pricing.pricing_model === 'flat') return { quantity: '1', skipped_events: 0 };
  const { totals, spans } = divided(query);
  const rest = spans.length === 0 ? NOTHING : await quantityOfEvents(db, { ...query, spans });
  return addTotals(charge.aggregation.type, { totals, rest });
}

/** Whether it is known without reading events that spans hold none; false where only they can tell. */
export function isEmpty(query: UsageQuery): boolean {
  const { totals, spans } = divided(query);
  return totals.length === 0 && spans.length === 0;
}

function divided({ daily, spans }: UsageQuery): DividedUsage {
  return daily === null ? { totals: [], spans: [...spans] } : divideByDay(spans, daily);
}

type EventsQuantity = { quantity: string | null; skipped_events: number };

const NOTHING: EventsQuantity = { quantity: null, skipped_events: 0 };

/** What the events themselves come to, all of them read; null where none counts. */
async function quantityOfEvents(db: Db, query: UsageQuery): Promise<EventsQuantity> {
  const { charge } = query;
  const { quantity, value } = AGGREGATES[charge.aggregation.type];
  const skipped = value === null ? '0' : `count(*) filter (where (${value}) is null)`;
  const values: unknown[] = [query.environment_id, query.customer_key, charge.event_name];
  values.push(charge.filters === null ? null : JSON.stringify(charge.filters), spansParameter(query.spans));
  if (charge.aggregation.type !== 'count') values.push(charge.aggregation.property);
  const { rows } = await db.query<EventsQuantity>(
    `select trim_scale((${quantity})::numeric)::text as quantity, (${skipped})::integer as skipped_events
     ${HELD_EVENTS}`,
    values,
  );
  return rows[0]!;
}

const LAST_ID = '9223372036854775807';

/** The cut-off of a read that bills nothing: as if it were taken now, after every other, and not stored. */
export async function cutOffNow(db: Db): Promise<CutOff> {
  const { rows } = await db.query<CutOff>(
    `select $1::text as id, max(epoch) as epoch, pg_current_snapshot()::text as snapshot from epochs`,
    [LAST_ID],
  );
  return rows[0]!;
}

/** The same quantity from the events before an instant only: U(t) of billing.md 4. */
export async function quantityBefore(db: Db, query: UsageQuery, instant: string): Promise<string> {
  const spans = query.spans
    .filter((span) => span.timestamp_from < instant)
    .map((span) => (span.timestamp_to > instant ? { ...span, timestamp_to: instant } : span));
  return (await quantityOf(db, { ...query, spans })).quantity;
}

/** Spans as the parameter $5 of HELD_EVENTS. */
export function spansParameter(spans: readonly Span[]): string {
  return JSON.stringify(
    spans.map(({ after, up_to, ...bounds }) => ({
      after_epoch: after?.epoch ?? null,
      after_snapshot: after?.snapshot ?? null,
      up_to_epoch: up_to.epoch,
      up_to_snapshot: up_to.snapshot,
      ...bounds,
    })),
  );
}
