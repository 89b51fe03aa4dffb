import type { Charge } from '../pricing/charge.ts';
import type { StoredPeriod, SubscriptionPeriod } from '../subscription/following-period.ts';
import { groupedBy } from '../money/grouped.ts';
import type { InvoiceState } from './invoice-state.ts';
import type { OtherLine } from './line-item.ts';
import { earliest, latest, type Period } from '../time/period.ts';
import { isMetered } from '../pricing/definitions.ts';
import type { Series } from '../pricing/series.ts';
import { spansBefore, type Span } from '../time/span.ts';

/** A line that counts usage, with everything that other lines of its charge and full period are priced from. */
export type UsageLine = OtherLine & {
  id: string;
  invoice_id: string;
  charge_id: string;
  series: Series;
  full_period_start: string;
  skipped_events: number;
  /** Its invoice is a draft, which may lose the line when it is issued. */
  is_on_draft: boolean;
  /**
   * A line of the charge and full period is void, of any price or group, so that the lines that are not may not add up
   * to a recount of their events.
   */
  has_void_line: boolean;
  /** The usage that it holds in its full period as that ends now. */
  spans: Span[];
  /**
   * It was counted from later usage too, before the full period was cut or left out (billing.md 1, *An end in a period
   * that is billed*).
   */
  is_beyond_end: boolean;
};

/** A group that has a line of its own in a full period of a subscription, for a charge that groups by properties. */
export type LineGroup = { charge_id: string; full_period_start: string; series: Series };

/** A part of a full period; `is_void` if it is closed and has no invoice but void ones. */
export type Part = SubscriptionPeriod & { is_void: boolean };

/** A full period, and the plan that bills it. */
export type FullPeriod = Period & { plan_id: string };

/**
 * A full period that was billed, and the starts of its parts; one that an end has left out since has none, and ends as
 * it begins. `billed_end` is its end by the invoices that stand. Of one with a void part no further usage is billed.
 */
export type LatePeriod = FullPeriod & {
  part_starts: readonly string[];
  billed_end: string;
  has_void_part: boolean;
};

/** The full periods that an invoice may bill, and what stands on their lines already. */
export type Scope = {
  period: SubscriptionPeriod;
  /** The parts of the invoice's own full period, in order; one if it was not cut. */
  parts: readonly Part[];
  own: FullPeriod;
  /** Full periods, billed before, that may have late usage; oldest first. */
  late: readonly LatePeriod[];
  /** The charges of the plans of these full periods, by plan id. */
  plans: ReadonlyMap<string, readonly Charge[]>;
  /** The lines of these full periods on invoices that are not void, the invoice's own too. */
  lines: readonly UsageLine[];
  /** The groups that have lines of their own there. */
  groups: readonly LineGroup[];
  /** Null while the period has no invoice. */
  invoice_id: string | null;
  late_usage_days: number;
};

/** A stored period with its invoice that is not void. */
export type PeriodRow = StoredPeriod & {
  invoice: InvoiceState | null;
  /** Its late window is open, or the invoice of the scope has a line of its full period. */
  may_be_late: boolean;
};

type OtherPeriods = {
  rows: readonly PeriodRow[];
  following: SubscriptionPeriod | null;
  left_out: readonly LatePeriod[];
};

/**
 * The full periods of an invoice, from the rows of its subscription. `following` is the period that opens with the
 * close; it may be a part of the same full period. A full period may have late usage once every part has an open or
 * paid invoice; where one is void, what other parts billed beyond the end of the subscription is credited. `left_out`
 * are billed ones that this end has left out.
 */
export function fullPeriodsOf(
  period: StoredPeriod,
  { rows, following, left_out }: OtherPeriods,
): Pick<Scope, 'parts' | 'own' | 'late'> {
  const { full_period_start, interval_start, interval_end, plan_id } = period;
  const parts = partsOf(period, rows, following);
  const period_end = parts.map((part) => part.period_end).reduce(latest);
  const bounds = { period_start: full_period_start, period_end, interval_start, interval_end };
  const own: FullPeriod = { kind: 'billing', ...bounds, plan_id };
  const other_rows = rows.filter((row) => row.full_period_start !== full_period_start && row.may_be_late);
  const late = [...groupedBy(other_rows, (row) => row.full_period_start)]
    .filter(([, full_period]) => full_period.every((row) => isIssued(row) || isVoid(row)))
    .map(([period_start, full_period]) => lateOf(period_start, full_period));
  return {
    parts,
    own,
    late: [...late, ...left_out].sort((a, b) => (a.period_start < b.period_start ? -1 : 1)),
  };
}

/** Whether an end has left out a full period that was billed. */
export function isLeftOut({ period_start, period_end }: FullPeriod): boolean {
  return period_start === period_end;
}

/** A full period that an end has left out at its start: nothing of it is billed. */
export function leftOutAt(period_start: string): FullPeriod {
  const bounds = { period_start, period_end: period_start };
  return {
    kind: 'billing',
    ...bounds,
    interval_start: period_start,
    interval_end: period_start,
    plan_id: '',
  };
}

/** A full period that was billed with its end on the paper, also where an end has cut it or left it out since. */
export function asBilled(late: LatePeriod): FullPeriod {
  return { ...late, period_end: late.billed_end };
}

/**
 * The scope with lines that hold the usage of their full periods as these end now: what is at the end or after it, no
 * line holds any more. Without full periods with a void part of which nothing is to be credited.
 */
export function upToTheirEnds<S extends Scope>(scope: S): S {
  const ends = new Map(
    countedPeriods(scope).map(({ period_start, period_end }) => [period_start, period_end]),
  );
  const lines = scope.lines.map((line) => {
    const end = ends.get(line.full_period_start);
    if (end === undefined || line.spans.every(({ timestamp_to }) => timestamp_to <= end)) return line;
    return { ...line, spans: spansBefore(line.spans, end), is_beyond_end: true };
  });
  const beyond = new Set(lines.flatMap((line) => (line.is_beyond_end ? line.full_period_start : [])));
  const late = scope.late.filter(
    ({ has_void_part, period_start }) => !has_void_part || beyond.has(period_start),
  );
  return { ...scope, lines, late };
}

/** The full period that begins where a period ends, up to the end that is known; null if none does. */
export function comingPeriod(
  { period_end }: StoredPeriod,
  rows: readonly PeriodRow[],
  { following, cancel_at }: { following: SubscriptionPeriod | null; cancel_at: string | null },
): FullPeriod | null {
  const all = following === null ? rows : [...rows, following];
  return fullPeriodFrom(period_end, all, cancel_at);
}

/**
 * The full period that begins at an instant, by the rows of its subscription; null if none does. The end of a
 * subscription leaves out later ones.
 */
export function fullPeriodFrom(
  full_period_start: string,
  rows: readonly SubscriptionPeriod[],
  cancel_at: string | null,
): FullPeriod | null {
  const parts = rows.filter(
    ({ kind, period_start, full_period_start: start }) =>
      kind === 'billing' && start === full_period_start && (cancel_at === null || period_start < cancel_at),
  );
  return parts.length === 0 ? null : wholeOf(full_period_start, parts);
}

function partsOf(
  period: StoredPeriod,
  rows: readonly PeriodRow[],
  following: SubscriptionPeriod | null,
): Part[] {
  const { full_period_start, kind } = period;
  const isPart = (other: SubscriptionPeriod) =>
    other.kind === 'billing' && other.full_period_start === full_period_start;
  const is_uncut = full_period_start === period.period_start && period.period_end === period.interval_end;
  const stored = rows
    .filter(isPart)
    .map((row) => ({ ...row, is_void: isVoid(row) }))
    .sort((a, b) => (a.period_start < b.period_start ? -1 : 1));
  // A preview may compose a period that is not stored yet.
  if (kind !== 'billing' || is_uncut || stored.length === 0) return [{ ...period, is_void: false }];
  const opening = following !== null && isPart(following) ? [{ ...following, is_void: false }] : [];
  return [...stored, ...opening];
}

function isIssued({ closed_at, invoice }: PeriodRow): boolean {
  return closed_at !== null && (invoice?.status === 'open' || invoice?.status === 'paid');
}

function isVoid({ closed_at, invoice }: PeriodRow): boolean {
  return closed_at !== null && invoice === null;
}

function lateOf(period_start: string, parts: readonly PeriodRow[]): LatePeriod {
  const part_starts = parts.map((part) => part.period_start);
  const whole = wholeOf(period_start, parts);
  const ends = parts.flatMap(({ invoice }) => invoice?.period_end ?? []);
  const billed_end = [whole.period_end, ...ends].reduce(latest);
  return { ...whole, part_starts, billed_end, has_void_part: parts.some(isVoid) };
}

/** The full period of its parts. */
function wholeOf(period_start: string, parts: readonly SubscriptionPeriod[]): FullPeriod {
  return {
    kind: 'billing',
    period_start,
    period_end: parts.map((part) => part.period_end).reduce(latest),
    interval_start: parts.map((part) => part.interval_start).reduce(earliest),
    interval_end: parts.map((part) => part.interval_end).reduce(latest),
    plan_id: parts[0]!.plan_id,
  };
}

export function isMeteredCharge({ pricing }: Charge): boolean {
  return isMetered(pricing);
}

/** The lines that are on other invoices. */
export function othersOf({ lines, invoice_id }: Pick<Scope, 'lines' | 'invoice_id'>): UsageLine[] {
  return lines.filter((line) => line.invoice_id !== invoice_id);
}

/**
 * The full periods whose usage an invoice counts: its own, but for one that bills late usage alone, and the late ones.
 */
export function countedPeriods({ period, own, late }: Pick<Scope, 'period' | 'own' | 'late'>): FullPeriod[] {
  return period.kind === 'late' ? [...late] : [own, ...late];
}

/** The charges that bill a full period, in plan order. */
export function chargesIn({ plans }: Pick<Scope, 'plans'>, { plan_id }: FullPeriod): readonly Charge[] {
  return plans.get(plan_id) ?? [];
}
