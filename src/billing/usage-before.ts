import type { Charge } from '../domain/charge.ts';
import type { DailyUsage } from '../domain/daily-usage.ts';
import { expiriesWithin, type GrantBalance, type PreviousDraw } from '../domain/credit.ts';
import type { Usage } from '../domain/line-item.ts';
import { earliest, latest, type Period } from '../domain/period.ts';
import { isDivided, lineKey, seriesKey } from '../domain/series.ts';
import { drawsOfLines } from '../db/credit/credit-draws.ts';
import type { LineGroup } from '../db/invoicing/line-groups.ts';
import type { Subscription } from '../db/subscriptions/subscription-context.ts';
import { readDailyUsage } from '../db/usage/daily-usage.ts';
import { quantityBefore, spansBefore } from '../db/usage/quantities.ts';
import type { Db } from '../db/connection/pool.ts';
import type { Counted } from './count-charge.ts';
import { createSeriesCounter, type SeriesCounter } from './series-counter.ts';

/** The quantity of a line and its others, from the events before an instant: U(t) of billing.md 4. */
export type QuantitiesBefore = (part: Counted, full_period: Period, instant: string) => Promise<string>;

/** Counts the lines of one invoice; all series of a charge and period share what is read. */
export function createQuantitiesBefore(
  db: Db,
  subscription: Subscription,
  { charges, groups }: { charges: readonly Charge[]; groups: readonly LineGroup[] },
): QuantitiesBefore {
  const { environment_id, customer_key } = subscription;
  const daily = new Map<string, Promise<ReadonlyMap<string, DailyUsage> | null>>();
  const counters = new Map<string, SeriesCounter>();
  return async (part, full_period, instant) => {
    const { charge_id, full_period_start, series, others } = part;
    const charge = charges.find(({ id }) => id === charge_id)!;
    const key = `${charge_id} ${full_period_start}`;
    const reading =
      daily.get(key) ?? dailyUsageOf(db, subscription, { charges: [charge], full_periods: [full_period] });
    daily.set(key, reading);
    const usage = (await reading)?.get(charge_id) ?? null;
    const query = { environment_id, customer_key, charge, daily: usage };
    const spans = [...part.spans, ...others.flatMap((line) => line.spans)];
    if (!isDivided(charge)) return quantityBefore(db, { ...query, spans }, instant);
    const counter = counters.get(key) ?? createSeriesCounter(db, query);
    counters.set(key, counter);
    const own = groups.filter(
      (group) => group.charge_id === charge_id && group.full_period_start === full_period_start,
    );
    const counted = await counter.counted(
      spansBefore(spans, instant),
      own.map((group) => group.series),
    );
    return counted.get(seriesKey(series))?.quantity ?? '0';
  };
}

/** Daily totals of the given full periods by charge id. Null if the daily totals cannot be used and events must be read. */
export async function dailyUsageOf(
  db: Db,
  { customer_key }: Subscription,
  { charges, full_periods }: { charges: readonly Charge[]; full_periods: readonly Period[] },
): Promise<ReadonlyMap<string, DailyUsage> | null> {
  if (charges.length === 0 || full_periods.length === 0) return null;
  const from = full_periods.map(({ period_start }) => period_start).reduce(earliest);
  const to = full_periods.map(({ period_end }) => period_end).reduce(latest);
  return readDailyUsage(db, { customer_key, charges, from, to });
}

type Credit = { grants: readonly GrantBalance[]; previous_draws: ReadonlyMap<string, PreviousDraw[]> };

/**
 * Total quantity of the lines, and the part of it that happened before each grant expiry. Both are counted from the same spans, so at the
 * same cut-off.
 */
export async function usageOf(
  counting: Credit & { part: Counted; full_period: Period; quantities: QuantitiesBefore },
): Promise<Usage> {
  const { part, full_period, grants, quantities } = counting;
  const { quantity, skipped_events, others } = part;
  const previous_draws = counting.previous_draws.get(lineKey(part)) ?? [];
  const expiries = expiriesWithin([...grants, ...previous_draws.map(({ grant }) => grant)], full_period);
  const quantity_before = new Map<string, string>();
  for (const expiry of expiries) quantity_before.set(expiry, await quantities(part, full_period, expiry));
  return { quantity, quantity_before, skipped_events, others, previous_draws };
}

export async function previousDraws(
  db: Db,
  environment_id: number,
  counted: readonly Counted[],
): Promise<Map<string, PreviousDraw[]>> {
  const ids = counted.flatMap(({ others }) => others.map(({ id }) => id));
  return ids.length === 0 ? new Map() : drawsOfLines(db, environment_id, ids);
}
