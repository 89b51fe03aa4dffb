import type { Aggregation } from './charge.ts';
import { ZERO, canonical, decimal, max, sum } from './decimal.ts';
import { earliest, latest } from './period.ts';
import type { CutOff, Span } from './span.ts';

/** What the events of a day come to for a charge; `total` and `maximum` are of a property, null where no event has a number. */
export type DayTotals = {
  events: string;
  skipped_events: number;
  total: string | null;
  maximum: string | null;
};

/** A day of UTC, half open. */
export type Day = { starts_at: string; ends_at: string };

/**
 * What is known of a day of a customer and event name without reading its events, those that were rolled up. `last_epoch` and
 * `last_xid` are of the event stored last; `totals` is null where the charge needs the events.
 */
export type UsageDay = Day & {
  first_stored_at: string;
  last_stored_at: string;
  last_epoch: number;
  last_xid: string;
  totals: DayTotals | null;
};

/** Of one charge: the days that were rolled up, and those with events that were not, yet. A day in neither has no event. */
export type DailyUsage = { days: readonly UsageDay[]; recent_days: readonly Day[] };

/** What spans hold: whole days whose totals stand, and spans of the days whose events must be read. */
export type DividedUsage = { totals: DayTotals[]; spans: Span[] };

/**
 * Divides what spans hold into days that their totals tell and spans that only their events tell. The totals of a day stand for
 * spans that together hold all of its events or none; a part of a day, and a day on which more was stored since, is read.
 */
export function divideByDay(spans: readonly Span[], usage: DailyUsage): DividedUsage {
  const recent = new Set(usage.recent_days.map(({ starts_at }) => starts_at));
  const read: Day[] = [...usage.recent_days];
  const totals: DayTotals[] = [];
  for (const day of usage.days) {
    if (recent.has(day.starts_at)) continue;
    const holding = spans.filter((span) => mayHold(span, day));
    if (holding.length === 0) continue;
    if (day.totals !== null && holdAll(holding, day)) totals.push(day.totals);
    else read.push(day);
  }
  const runs = runsOf(read);
  return { totals, spans: spans.flatMap((span) => runs.flatMap((run) => within(span, run) ?? [])) };
}

/** What parts of one usage come to together, never below 0 (billing.md 2). `rest` is what the other days' events come to. */
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

/** Whether a span may hold an event of a day that was rolled up. */
function mayHold(span: Span, day: UsageDay): boolean {
  const { after, timestamp_from, timestamp_to, stored_from, stored_to } = span;
  return (
    timestamp_from < day.ends_at &&
    timestamp_to > day.starts_at &&
    !(after !== null && holdsDay(after, day)) &&
    (stored_from ?? '') <= day.last_stored_at &&
    (stored_to === null || stored_to > day.first_stored_at)
  );
}

/** Whether spans hold each event of a day, each once: every one bounded by cut-offs alone, each beginning where another ended. */
function holdAll(spans: readonly Span[], day: UsageDay): boolean {
  const isOpen = (span: Span) =>
    span.timestamp_from <= day.starts_at &&
    span.timestamp_to >= day.ends_at &&
    (span.stored_from ?? '') <= day.first_stored_at &&
    (span.stored_to === null || span.stored_to > day.last_stored_at);
  const sorted = [...spans].sort((a, b) => (BigInt(a.up_to.id) < BigInt(b.up_to.id) ? -1 : 1));
  const isChain = sorted.every(({ after }, at) => (after?.id ?? null) === (sorted[at - 1]?.up_to.id ?? null));
  return isChain && spans.every(isOpen) && holdsDay(sorted.at(-1)!.up_to, day);
}

/** Whether every event of the day was stored when the cut-off was taken. */
function holdsDay({ epoch, snapshot }: CutOff, { last_epoch, last_xid }: UsageDay): boolean {
  const [finished_up_to = '0'] = snapshot.split(':');
  return last_epoch < epoch || (last_epoch === epoch && BigInt(last_xid) < BigInt(finished_up_to));
}

/** Days that follow each other as one interval. */
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
