import type { Charge } from '../domain/charge.ts';
import { quantityOfLines } from '../domain/line-item.ts';
import type { Period } from '../domain/period.ts';
import {
  ALL,
  compareSeries,
  type RatedCharge,
  ratedCharge,
  type Series,
  seriesKey,
} from '../domain/series.ts';
import { withoutSpans, type Span } from '../domain/span.ts';
import type { UsageLine, LineSpans } from '../db/invoicing/line-items.ts';
import type { Db } from '../db/connection/pool.ts';
import { isEmpty, quantityOf, type UsageQuery } from '../db/usage/quantities.ts';
import { createSeriesCounter, type SeriesCounter } from './series-counter.ts';

/**
 * Usage of one series of a charge in one full period. `quantity` is the quantity of all its lines together; `spans` are what this line
 * alone holds.
 */
export type Counted = LineSpans & {
  charge: RatedCharge;
  quantity: string;
  skipped_events: number;
  /** True if this line changes nothing: its spans hold no events, or events that leave quantity and skipped events unchanged. */
  is_empty: boolean;
  others: readonly UsageLine[];
};

/**
 * `free` are the spans that no line of the charge need leave out, `others` its other lines in the full period, and `known` the groups that
 * have lines of their own there.
 */
export type Counting = {
  full_period: Period;
  free: readonly Span[];
  others: readonly UsageLine[];
  known: readonly Series[];
};

type Query = Omit<UsageQuery, 'spans'>;

/** Counts what a new line of a charge bills in a full period, beside its other lines there. */
export async function countCharge(db: Db, query: Query, counting: Counting): Promise<Counted> {
  const { free, others } = counting;
  const held = others.flatMap((line) => line.spans);
  const spans = without(free, held);
  const line = lineOf(query.charge, counting, { series: ALL, spans, others });
  if (held.length === 0) return { ...line, ...(await quantityOf(db, { ...query, spans })), is_empty: false };
  // Fast path: usually nothing is late, and the quantity follows from the other lines unless one was voided.
  if (isUnchanged({ ...query, spans }, others)) return unchanged(line);
  const own = await quantityOf(db, { ...query, spans });
  const { quantity } = await quantityOf(db, { ...query, spans: [...spans, ...held] });
  return { ...line, ...changed(others, own, quantity) };
}

/**
 * Counts what new lines of a charge with prices or groups bill in a full period: one for each series that has events or other lines.
 * Each series is counted beside its own other lines, because one of them may have been left off an invoice. `added` are groups that
 * have lines of their own from now on.
 */
export async function countSeries(
  db: Db,
  query: Query,
  counting: Counting,
): Promise<{ counted: Counted[]; added: Series[] }> {
  const { charge } = query;
  const { free, others, known } = counting;
  const billed = bySeries(others);
  const spans = without(
    free,
    others.flatMap((line) => line.spans),
  );
  if (others.length > 0 && isUnchanged({ ...query, spans }, others)) {
    const counted = [...billed.values()].map((lines) =>
      unchanged(
        lineOf(charge, counting, { series: lines[0]!.series, spans: beside(free, lines), others: lines }),
      ),
    );
    return { counted: inOrder(counted), added: [] };
  }
  const counter = createSeriesCounter(db, query);
  const added = await counter.newGroups(free, known);
  const own = [...known, ...added];
  const found = new Map([...(await counter.counted(free, own))].map(([key, { series }]) => [key, series]));
  for (const [key, lines] of billed) found.set(key, lines[0]!.series);
  const counted: Counted[] = [];
  for (const [key, series] of found)
    counted.push(await countOne(counter, own, { charge, counting, series, others: billed.get(key) ?? [] }));
  return { counted: inOrder(counted), added };
}

async function countOne(
  counter: SeriesCounter,
  own: readonly Series[],
  one: { charge: Charge; counting: Counting; series: Series; others: readonly UsageLine[] },
): Promise<Counted> {
  const { charge, counting, series, others } = one;
  const held = others.flatMap((line) => line.spans);
  const spans = beside(counting.free, others);
  const line = lineOf(charge, counting, { series, spans, others });
  const read = async (of: readonly Span[]) =>
    (await counter.counted(of, own)).get(seriesKey(series)) ?? { quantity: '0', skipped_events: 0 };
  const { quantity, skipped_events } = await read(spans);
  if (held.length === 0) return { ...line, quantity, skipped_events, is_empty: false };
  const all = await read([...spans, ...held]);
  return { ...line, ...changed(others, { quantity, skipped_events }, all.quantity) };
}

function lineOf(
  charge: Charge,
  { full_period }: Counting,
  line: Pick<Counted, 'series' | 'spans' | 'others'>,
): Omit<Counted, 'quantity' | 'skipped_events' | 'is_empty'> {
  const full_period_start = full_period.period_start;
  return { charge: ratedCharge(charge, line.series), charge_id: charge.id, full_period_start, ...line };
}

function isUnchanged(query: UsageQuery, others: readonly UsageLine[]): boolean {
  return !others.some(({ has_void_line }) => has_void_line) && isEmpty(query);
}

function unchanged(line: Omit<Counted, 'quantity' | 'skipped_events' | 'is_empty'>): Counted {
  return { ...line, quantity: quantityOfLines(line.others), skipped_events: 0, is_empty: true };
}

function changed(
  others: readonly UsageLine[],
  own: { quantity: string; skipped_events: number },
  quantity: string,
): Pick<Counted, 'quantity' | 'skipped_events' | 'is_empty'> {
  const { skipped_events } = own;
  const is_empty = own.quantity === '0' && skipped_events === 0 && quantity === quantityOfLines(others);
  return { quantity, skipped_events, is_empty };
}

function bySeries(lines: readonly UsageLine[]): Map<string, UsageLine[]> {
  const found = new Map<string, UsageLine[]>();
  for (const line of lines) {
    const key = seriesKey(line.series);
    found.set(key, [...(found.get(key) ?? []), line]);
  }
  return found;
}

function beside(free: readonly Span[], others: readonly UsageLine[]): Span[] {
  return without(
    free,
    others.flatMap(({ spans }) => spans),
  );
}

function without(free: readonly Span[], held: readonly Span[]): Span[] {
  return free.flatMap((span) => withoutSpans(span, held));
}

function inOrder(counted: Counted[]): Counted[] {
  return counted.sort((a, b) => compareSeries(a.charge.group_by, a.series, b.series));
}
