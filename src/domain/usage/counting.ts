import type { Charge } from '../pricing/charge.ts';
import {
  allSpans,
  expiriesOf,
  quantityIn,
  spansOfLines,
  storedCount,
  type Counted,
  type CountedUsage,
  type Credit,
  type Quantity,
  type SeriesPart,
  type SeriesQuantity,
  type SpanSet,
  setKey,
} from './counted.ts';
import { dividedUsage, type DailyUsage } from './daily-usage.ts';
import { groupedBy } from '../money/grouped.ts';
import { quantityOfLines } from '../lines/line-item.ts';
import { addDays, type Period } from '../time/period.ts';
import {
  chargesIn,
  countedPeriods,
  isLeftOut,
  isMeteredCharge,
  othersOf,
  type FullPeriod,
  type LineGroup,
  type Scope,
  type UsageLine,
} from '../lines/scope.ts';
import { ALL, chargePeriodKey, isDivided, ratedCharge, type Series, seriesKey } from '../pricing/series.ts';
import { compareSeries } from '../pricing/series-order.ts';
import { spansBefore, withoutSpans, type CutOff, type Span } from '../time/span.ts';

type OfCharge = {
  charge: Charge;
  full_period: Period;
  /** The groups that have lines of their own. */
  known: readonly Series[];
  /** Null if the events must be read. */
  daily: DailyUsage | null;
};

/**
 * The spans that new lines of a charge may hold in a full period: `free`, the spans but those of void parts, beside its
 * other lines.
 */
export type Counting = OfCharge & { free: readonly Span[]; others: readonly UsageLine[] };

/**
 * The sets of spans in which the usage of a charge must be known. `free` is the set whose greatest groups get lines of
 * their own, up to the limit for each charge and period; null if no group gets one.
 */
export type AskedUsage = OfCharge & { free: SpanSet | null; sets: readonly SpanSet[] };

/**
 * Finds what an invoice may bill up to a cut-off (billing.md 5): the events of its own period, and of earlier periods
 * that may have late usage, that no other line holds.
 */
export function countingsOf(
  scope: Scope,
  cut_off: CutOff,
  dailyOf: (charge: Charge) => DailyUsage | null,
): Counting[] {
  const other_lines = groupedBy(othersOf(scope), chargePeriodKey);
  return countedPeriods(scope).flatMap((full_period) => {
    const free = freeSpans(scope, full_period, cut_off);
    return chargesIn(scope, full_period)
      .filter(isMeteredCharge)
      .map((charge) => {
        const { period_start: full_period_start } = full_period;
        const key = chargePeriodKey({ charge_id: charge.id, full_period_start });
        const of_charge = { charge, full_period, known: knownGroups(scope, key), daily: dailyOf(charge) };
        return { ...of_charge, free, others: other_lines.get(key) ?? [] };
      });
  });
}

function knownGroups({ groups }: Scope, key: string): Series[] {
  return groups.filter((group) => chargePeriodKey(group) === key).map(({ series }) => series);
}

function freeSpans(scope: Scope, full_period: FullPeriod, cut_off: CutOff): Span[] {
  const is_late = full_period !== scope.own;
  if (scope.late.some((period) => period === full_period && (isLeftOut(period) || period.has_void_part)))
    return [];
  const region: Span = {
    after: null,
    up_to: cut_off,
    timestamp_from: full_period.period_start,
    timestamp_to: is_late ? full_period.period_end : scope.period.period_end,
    stored_from: null,
    stored_to: is_late ? addDays(full_period.period_end, scope.late_usage_days) : null,
  };
  return is_late ? [region] : withoutSpans(region, voidPartsOf(scope, region));
}

/**
 * Earlier parts of the invoice's own full period whose invoice is void, including their late usage: only `generate`
 * bills them again (billing.md 5).
 */
function voidPartsOf({ parts, period }: Scope, region: Span): Span[] {
  const earlier = parts.filter((part) => part.is_void && part.period_start < period.period_start);
  return earlier.map(({ period_start, period_end }) => ({
    ...region,
    timestamp_from: period_start,
    timestamp_to: period_end,
  }));
}

/** The usage that must be known to count and price new lines. */
export function askedUsage(counting: Counting, credit: Credit): AskedUsage {
  const { charge, full_period, known, daily, free, others } = counting;
  const by_series = [...bySeries(charge, others).values()];
  const unbilled = isDivided(charge) || others.length === 0 ? [partOf(charge, free, [])] : [];
  const parts = [...unbilled, ...by_series.map((lines) => partOf(charge, free, lines))];
  const before = parts.flatMap((part) => setsBefore({ ...part, full_period }, charge, credit));
  const is_settled = isSettled(counting);
  const sets = is_settled ? before : [...setsToCount(counting, by_series), ...before];
  return { charge, full_period, known, daily, free: is_settled ? null : free, sets };
}

/** The usage that must be known to price the lines of a draft again, whose quantities stand. */
export function askedAgain(
  scope: Scope,
  credit: Credit,
  dailyOf: (charge: Charge) => DailyUsage | null,
): AskedUsage[] {
  const full_periods = new Map(countedPeriods(scope).map((period) => [period.period_start, period]));
  return [...groupedBy(storedCount(scope), chargePeriodKey)].flatMap(([key, parts]) => {
    const [{ charge_id, full_period_start }] = parts as [Counted];
    const full_period = full_periods.get(full_period_start)!;
    const charge = chargesIn(scope, full_period).find(({ id }) => id === charge_id)!;
    const sets = parts.flatMap((part) => setsBefore({ ...part, full_period }, charge, credit));
    if (sets.length === 0) return [];
    return [
      { charge, full_period, known: knownGroups(scope, key), daily: dailyOf(charge), free: null, sets },
    ];
  });
}

function partOf(charge: Charge, free: SpanSet, other_lines: readonly UsageLine[]): SeriesPart {
  const series = isDivided(charge) ? (other_lines[0]?.series ?? ALL) : ALL;
  return { series, spans: beside(free, other_lines), others: other_lines };
}

function setsToCount({ charge, free, others }: Counting, by_series: readonly UsageLine[][]): SpanSet[] {
  const parts = by_series.map((lines) => partOf(charge, free, lines));
  const unbilled = isDivided(charge) || others.length === 0 ? [free] : [];
  return [...unbilled, ...parts.flatMap((part) => [part.spans, allSpans(part)])];
}

/**
 * Fast path: usually nothing is late, and the quantities follow from the other lines unless one was voided, or holds
 * less than it did. True if the daily totals show that the free spans hold no events. The totals do not tell prices and
 * groups apart: a late line of one may wait beside that of another, so of a charge with both only the first count of
 * the period settles it.
 */
function isSettled({ charge, daily, free, others }: Counting): boolean {
  const may_differ = others.some((line) => line.has_void_line || isBeyondEnd(line));
  if (spansOfLines(others).length === 0 || may_differ) return false;
  const span_sets = isDivided(charge)
    ? [...bySeries(charge, others).values()].map((lines) => spansOfLines(lines).filter(isOfFirstCount))
    : [spansOfLines(others)];
  return span_sets.every((spans) => {
    const rest = dividedUsage(
      charge.aggregation,
      daily,
      free.flatMap((span) => withoutSpans(span, spans)),
    );
    return rest.spans.length === 0 && rest.days.every(({ totals }) => totals.length === 0);
  });
}

function isBeyondEnd({ is_beyond_end }: UsageLine): boolean {
  return is_beyond_end;
}

function isOfFirstCount({ after }: Span): boolean {
  return after === null;
}

/**
 * Counts what new lines of a charge bill in a full period, in the order of its lines, and the groups that have lines
 * from now on.
 */
export function countedOf(
  counting: Counting,
  usage: CountedUsage | undefined,
): { counted: Counted[]; added: LineGroup[] } {
  const { charge, full_period, free, others } = counting;
  const full_period_start = full_period.period_start;
  const billed = bySeries(charge, others);
  const lineOf = (part: SeriesPart) => ({
    charge: ratedCharge(charge, part.series),
    charge_id: charge.id,
    full_period_start,
    ...part,
  });
  if (isSettled(counting)) {
    const counted = [...billed.values()].map((lines) => unchanged(lineOf(partOf(charge, free, lines))));
    return { counted: inOrder(counted), added: [] };
  }
  const by_key = new Map([...billed].map(([key, lines]) => [key, lines[0]!.series]));
  if (isDivided(charge))
    for (const { series } of seriesIn(usage, free)) by_key.set(seriesKey(series), series);
  else by_key.set(seriesKey(ALL), ALL);
  const counted = [...by_key].map(([key, series]): Counted => {
    const line = lineOf({ ...partOf(charge, free, billed.get(key) ?? []), series });
    const count = quantityIn(usage, line.spans, series);
    const is_first = spansOfLines(line.others).length === 0 && !line.others.some(isBeyondEnd);
    if (is_first) return { ...line, ...count, is_empty: false };
    return { ...line, ...changed(line.others, count, quantityIn(usage, allSpans(line), series).quantity) };
  });
  const added = usage?.added.map((series) => ({ charge_id: charge.id, full_period_start, series })) ?? [];
  return { counted: inOrder(counted), added };
}

type PartOfPeriod = SeriesPart & { full_period: Period };

function setsBefore(part: PartOfPeriod, { id: charge_id }: Charge, credit: Credit): SpanSet[] {
  const spans = allSpans(part);
  const full_period_start = part.full_period.period_start;
  return expiriesOf({ ...part, charge_id, full_period_start }, credit).map((expiry) =>
    spansBefore(spans, expiry),
  );
}

function seriesIn(usage: CountedUsage | undefined, spans: SpanSet): SeriesQuantity[] {
  return [...(usage?.counts.get(setKey(spans))?.values() ?? [])];
}

function unchanged(line: Omit<Counted, 'quantity' | 'skipped_events' | 'is_empty'>): Counted {
  return { ...line, quantity: quantityOfLines(line.others), skipped_events: 0, is_empty: true };
}

function changed(
  other_lines: readonly UsageLine[],
  { quantity: own_quantity, skipped_events }: Quantity,
  quantity: string,
): Pick<Counted, 'quantity' | 'skipped_events' | 'is_empty'> {
  const is_empty = own_quantity === '0' && skipped_events === 0 && quantity === quantityOfLines(other_lines);
  return { quantity, skipped_events, is_empty };
}

/** The other lines by their series: one list for a charge without prices and groups. */
function bySeries(charge: Charge, lines: readonly UsageLine[]): Map<string, UsageLine[]> {
  return groupedBy(lines, ({ series }) => seriesKey(isDivided(charge) ? series : ALL));
}

function beside(free: SpanSet, other_lines: readonly UsageLine[]): Span[] {
  const held_spans = spansOfLines(other_lines);
  return free.flatMap((span) => withoutSpans(span, held_spans));
}

function inOrder(counted: Counted[]): Counted[] {
  return counted.sort((a, b) => compareSeries(a.charge.group_by, a.series, b.series));
}
