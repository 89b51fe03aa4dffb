import type { Charge } from '../../domain/charge.ts';
import { addTotals, divideByDay, type DailyUsage, type DividedUsage } from '../../domain/daily-usage.ts';
import { isMetered } from '../../domain/pricing/definitions.ts';
import { addsUp } from '../../domain/series.ts';
import type { Span } from '../../domain/span.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { aggregateOf, heldEvents } from './usage.ts';

export type Quantity = { quantity: string; skipped_events: number };

export type UsageQuery = {
  environment_id: number;
  customer_key: string;
  charge: Charge;
  spans: readonly Span[];
  /** Daily totals from readDailyUsage; null reads every event. */
  daily: DailyUsage | null;
};

/** A charge's quantity in its spans, never below 0, and the number of skipped events. A flat charge has quantity 1. */
export async function quantityOf(db: Db, query: UsageQuery): Promise<Quantity> {
  const { charge } = query;
  if (!isMetered(charge.pricing)) return { quantity: '1', skipped_events: 0 };
  const { days, spans } = divided(query);
  const totals = days.flatMap((day) => day.totals);
  const rest = spans.length === 0 ? NOTHING : await quantityOfEvents(db, { ...query, spans });
  return addTotals(charge.aggregation.type, { totals, rest });
}

/** True if the daily totals show that the spans hold no events; false if only the events can tell. */
export function isEmpty(query: UsageQuery): boolean {
  const { days, spans } = divided(query);
  return spans.length === 0 && days.every(({ totals }) => totals.length === 0);
}

/** The days whose totals count, and the spans whose events must be read. */
export function divided({ charge, daily, spans }: UsageQuery): DividedUsage {
  return daily === null || !addsUp(charge.aggregation)
    ? { days: [], spans: [...spans] }
    : divideByDay(spans, daily);
}

type EventsQuantity = { quantity: string | null; skipped_events: number };

const NOTHING: EventsQuantity = { quantity: null, skipped_events: 0 };

/** Quantity from the events themselves, all read; null if no event counts. */
async function quantityOfEvents(db: Db, query: UsageQuery): Promise<EventsQuantity> {
  const { values, parameter } = createParameters();
  const { quantity, value } = aggregateOf(query.charge.aggregation, parameter);
  const skipped = value === null ? '0' : `count(*) filter (where (${value}) is null)`;
  const { rows } = await db.query<EventsQuantity>(
    `select trim_scale((${quantity})::numeric)::text as quantity, (${skipped})::integer as skipped_events
     ${heldEvents(query, parameter)}`,
    values,
  );
  return rows[0]!;
}

/** Quantity from the events before an instant: U(t) of billing.md 4. */
export async function quantityBefore(db: Db, query: UsageQuery, instant: string): Promise<string> {
  return (await quantityOf(db, { ...query, spans: spansBefore(query.spans, instant) })).quantity;
}

/** The parts of the spans before an instant. */
export function spansBefore(spans: readonly Span[], instant: string): Span[] {
  return spans
    .filter((span) => span.timestamp_from < instant)
    .map((span) => (span.timestamp_to > instant ? { ...span, timestamp_to: instant } : span));
}
