import type { Db } from '../../../src/db/connection/pool.ts';
import { countAsked } from '../../../src/db/usage/asked-usage.ts';
import { readDailyUsage, type DailyUsageQuery } from '../../../src/db/usage/daily-usage.ts';
import { quantitiesBySeries } from '../../../src/db/usage/series-quantities.ts';
import type { Charge } from '../../../src/domain/pricing/charge.ts';
import { setKey, type Quantity, type SeriesQuantity } from '../../../src/domain/usage/counted.ts';
import { dividedUsage, type DailyUsage } from '../../../src/domain/usage/daily-usage.ts';
import { ALL, type Series, seriesKey } from '../../../src/domain/pricing/series.ts';
import type { Span } from '../../../src/domain/time/span.ts';

/** A charge of a customer, and spans. */
export type UsageQuery = {
  environment_id: number;
  customer_key: string;
  charge: Charge;
  spans: readonly Span[];
  daily: DailyUsage | null;
};

/** The daily totals of one customer by charge id; null if its events must be read. */
export async function dailyUsageOf(
  db: Db,
  query: DailyUsageQuery,
): Promise<ReadonlyMap<string, DailyUsage> | null> {
  return (await readDailyUsage(db, [query])).get(query.customer_key) ?? null;
}

/** The quantity of a charge without prices and groups. */
export async function quantityOf(db: Db, query: UsageQuery): Promise<Quantity> {
  const { environment_id, customer_key, charge, spans, daily } = query;
  const [{ timestamp_from: period_start, timestamp_to: period_end }] = spans as [Span];
  const interval = { interval_start: period_start, interval_end: period_end };
  const full_period = { kind: 'billing', period_start, period_end, ...interval } as const;
  const asked = { customer_key, charge, full_period, known: [], daily, free: null, sets: [spans] };
  const [usage] = await countAsked(db, { environment_id, charge }, [asked]);
  const { quantity, skipped_events } = usage!.counts.get(setKey(spans))!.get(seriesKey(ALL))!;
  return { quantity, skipped_events };
}

/** The quantities by price and group, `own` and the `places` greatest groups apart; from the events if a day has changed meanwhile. */
export async function seriesQuantities(
  db: Db,
  { environment_id, customer_key, charge, spans, daily }: UsageQuery,
  { own, places }: { own: readonly Series[]; places: number },
): Promise<SeriesQuantity[]> {
  const set = { set_id: 0, customer_key, owner: 0, is_free: places > 0 };
  const query = { environment_id, charge, owners: [{ known: own, places }] };
  const divided = dividedUsage(charge.aggregation, daily, spans);
  const found = await quantitiesBySeries(db, { ...query, sets: [{ ...set, ...divided }] });
  if (found.broken.length === 0) return found.counted.get(0)!;
  const read = await quantitiesBySeries(db, { ...query, sets: [{ ...set, days: [], spans }] });
  return read.counted.get(0)!;
}
