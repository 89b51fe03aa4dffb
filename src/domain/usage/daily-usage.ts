import type { Aggregation } from '../pricing/charge.ts';
import { ZERO, canonical, decimal, max, sum } from '../money/decimal.ts';
import { earliest, latest } from '../time/period.ts';
import { addsUp } from '../pricing/series.ts';
import type { CutOff, Span } from '../time/span.ts';

/** Totals of a day's events for a charge. `total` and `maximum` are over a property; null if no event has a number. */
export type DayTotals = {
  events: string;
  skipped_events: number;
  total: string | null;
  maximum: string | null;
};

/** A UTC day; half-open interval. */
export type Day = { starts_at: string; ends_at: string };

/**
 * The times at which the events of a day were stored. `last_epoch` and `last_xid` are those of the event stored last.
 */
export type StoredDay = Day & {
  first_stored_at: string;
  last_stored_at: string;
  last_epoch: number;
  last_xid: string;
};

/**
 * A day of one customer and event name, as rolled up: the number of its events, and of one charge the totals of the
 * events that it selects, without cells if it selects none, null if they must be read.
 */
export type UsageDay = StoredDay & { events: string; totals: readonly DayTotals[] | null };

/**
 * The usage of one charge: days rolled up, and days with events not rolled up yet. A day in neither list has no events.
 */
export type DailyUsage = { days: readonly UsageDay[]; recent_days: readonly Day[] };

/** A day that is held as a whole and need not be read. */
export type CompleteDay = UsageDay & { totals: readonly DayTotals[] };

/** Complete days, and the spans whose events must be read. */
export type DividedUsage = { days: CompleteDay[]; spans: Span[] };

/** The days whose totals count, and the spans whose events must be read; `usage` null reads every event. */
export function dividedUsage(
  aggregation: Aggregation,
  usage: DailyUsage | null,
  spans: readonly Span[],
): DividedUsage {
  return usage === null || !addsUp(aggregation) ? { days: [], spans: [...spans] } : divideByDay(spans, usage);
}

/**
 * Splits spans into days whose totals can be used and spans whose events must be read. A day's totals can be used if
 * the spans together hold all of its events. A day held in part, and a day with events not rolled up yet, is read.
 */
export function divideByDay(spans: readonly Span[], usage: DailyUsage): DividedUsage {
  const recent = new Set(usage.recent_days.map(({ starts_at }) => starts_at));
  const read: Day[] = [...usage.recent_days];
  const complete: CompleteDay[] = [];
  for (const day of usage.days) {
    if (recent.has(day.starts_at)) continue;
    const holding = spans.filter((span) => mayHold(span, day));
    if (holding.length === 0) continue;
    const { totals } = day;
    if (totals !== null && holdAll(holding, day)) complete.push({ ...day, totals });
    else read.push(day);
  }
  const runs = runsOf(read);
  return { days: complete, spans: spans.flatMap((span) => runs.flatMap((run) => within(span, run) ?? [])) };
}

/** Quantity from daily totals and `rest`, the quantity of the events read; never below 0 (billing.md 2). */
export function addTotals(
  type: Aggregation['type'],
  {
    totals,
    rest,
  }: { totals: readonly DayTotals[]; rest: { quantity: string | null; skipped_events: number } },
): { quantity: string; skipped_events: number } {
  const quantities = [...totals.map((day) => quantityOfDay(type, day)), rest.quantity].filter(
    (quantity) => quantity !== null,
  );
  const values = quantities.map(decimal);
  const quantity = type === 'max' ? values.reduce(max, values[0] ?? ZERO) : sum(values);
  const skipped_events = totals.reduce((skipped, day) => skipped + day.skipped_events, rest.skipped_events);
  return { quantity: canonical(max(ZERO, quantity)), skipped_events };
}

function quantityOfDay(type: Aggregation['type'], { events, total, maximum }: DayTotals): string | null {
  switch (type) {
    case 'count':
      return events;
    case 'sum':
      return total;
    case 'max':
      return maximum;
    case 'unique':
    case 'latest':
      throw new Error(`totals of days do not add up to ${type}`);
  }
}

/** True if the span may hold an event of a day that is rolled up. */
export function mayHold(span: Span, day: StoredDay): boolean {
  const { after, timestamp_from, timestamp_to, stored_from, stored_to } = span;
  return (
    timestamp_from < day.ends_at &&
    timestamp_to > day.starts_at &&
    !(after !== null && holdsDay(after, day)) &&
    (stored_from ?? '') <= day.last_stored_at &&
    (stored_to === null || stored_to > day.first_stored_at)
  );
}

/**
 * True if the spans together hold every event of the day exactly once: each is bounded by cut-offs alone and begins at
 * the cut-off where the one before it ended.
 */
export function holdAll(spans: readonly Span[], day: StoredDay): boolean {
  const sorted = [...spans].sort((a, b) => (BigInt(a.up_to.id) < BigInt(b.up_to.id) ? -1 : 1));
  const isChain = sorted.every(({ after }, at) => (after?.id ?? null) === (sorted[at - 1]?.up_to.id ?? null));
  return isChain && spans.every((span) => isOpen(span, day)) && holdsDay(sorted.at(-1)!.up_to, day);
}

/** True if nothing but cut-offs bounds the span within the day. */
function isOpen({ timestamp_from, timestamp_to, stored_from, stored_to }: Span, day: StoredDay): boolean {
  return (
    timestamp_from <= day.starts_at &&
    timestamp_to >= day.ends_at &&
    (stored_from ?? '') <= day.first_stored_at &&
    (stored_to === null || stored_to > day.last_stored_at)
  );
}

/** True if every event of the day was visible when the cut-off was taken. */
function holdsDay({ epoch, snapshot }: CutOff, { last_epoch, last_xid }: StoredDay): boolean {
  return last_epoch < epoch || (last_epoch === epoch && isBelow(last_xid, finishedUpTo(snapshot)));
}

/** The first part of a snapshot: all transactions below it are finished. */
function finishedUpTo(snapshot: string): string {
  return snapshot.slice(0, snapshot.indexOf(':'));
}

/** Compares whole numbers as they are written: a shorter one is lower. */
function isBelow(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** Merges adjacent days into intervals. */
function runsOf(days: readonly Day[]): Day[] {
  const runs: Day[] = [];
  for (const { starts_at, ends_at } of [...days].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))) {
    const last = runs.at(-1);
    if (last?.ends_at === starts_at) last.ends_at = ends_at;
    else runs.push({ starts_at, ends_at });
  }
  return runs;
}

function within(span: Span, { starts_at, ends_at }: Day): Span | null {
  const timestamp_from = latest(span.timestamp_from, starts_at);
  const timestamp_to = earliest(span.timestamp_to, ends_at);
  return timestamp_from < timestamp_to ? { ...span, timestamp_from, timestamp_to } : null;
}
