import { expiriesWithin, type GrantBalance, type PreviousDraw } from '../credit/credit.ts';
import { groupedBy } from '../money/grouped.ts';
import { quantityOfLines, type Usage } from '../lines/line-item.ts';
import type { Period } from '../time/period.ts';
import { othersOf, type LineGroup, type Scope, type UsageLine } from '../lines/scope.ts';
import { lineKey, type RatedCharge, ratedCharge, type Series, seriesKey } from '../pricing/series.ts';
import { spansBefore, type Span } from '../time/span.ts';

/**
 * Usage of one series of a charge in one full period. `quantity` is the quantity of all its lines together; `spans` are
 * what this line alone holds.
 */
export type Counted = LineGroup & {
  charge: RatedCharge;
  spans: readonly Span[];
  quantity: string;
  skipped_events: number;
  /**
   * True if this line changes nothing: its spans hold no events, or events that leave quantity and skipped events
   * unchanged.
   */
  is_empty: boolean;
  others: readonly UsageLine[];
};

export type SeriesPart = Pick<Counted, 'series' | 'spans' | 'others'>;

export type SpanSet = readonly Span[];

export type Quantity = { quantity: string; skipped_events: number };

/** The quantity that one line bills, never below 0 (billing.md 2), and its skipped events. */
export type SeriesQuantity = Quantity & { series: Series };

/**
 * Usage of a charge: by setKey, then by seriesKey; a series without events is absent. `added` are groups that get lines
 * of their own.
 */
export type CountedUsage = {
  added: readonly Series[];
  counts: ReadonlyMap<string, ReadonlyMap<string, SeriesQuantity>>;
};

/** A text that is equal for equal sets of spans. */
export function setKey(spans: SpanSet): string {
  return JSON.stringify(spans);
}

/** The credit that an invoice may draw, and what its other lines drew, by `lineKey` in the order of drawing. */
export type Credit = {
  grants: readonly GrantBalance[];
  previous_draws: ReadonlyMap<string, readonly PreviousDraw[]>;
};

/** Takes quantities and spans from a draft's stored lines instead of counting events again. */
export function storedCount(scope: Scope): Counted[] {
  const charges = new Map([...scope.plans.values()].flat().map((charge) => [charge.id, charge]));
  const others_by_line = groupedBy(othersOf(scope), lineKey);
  return scope.lines
    .filter((line) => line.invoice_id === scope.invoice_id)
    .map((line) => {
      const { charge_id, series, full_period_start, spans, skipped_events } = line;
      const others = others_by_line.get(lineKey(line)) ?? [];
      return {
        charge: ratedCharge(charges.get(charge_id)!, series),
        charge_id,
        series,
        full_period_start,
        spans,
        quantity: quantityOfLines([line, ...others]),
        skipped_events,
        is_empty: false,
        others,
      };
    });
}

/**
 * Total quantity of the lines, and the part of it that happened before each grant expiry, U(t) of billing.md 4. Both
 * are counted from the same spans, so at the same cut-off.
 */
export function usageOf(
  part: Counted & { full_period: Period },
  credit: Credit,
  usage: CountedUsage | undefined,
): Usage {
  const { quantity, skipped_events, others, series } = part;
  const expiries = expiriesOf(part, credit);
  const spans = allSpans(part);
  const quantity_before = new Map(
    expiries.map((expiry) => [expiry, quantityIn(usage, spansBefore(spans, expiry), series).quantity]),
  );
  const previous_draws = credit.previous_draws.get(lineKey(part)) ?? [];
  return { quantity, quantity_before, skipped_events, others, previous_draws };
}

export function expiriesOf(
  part: LineGroup & { full_period: Period },
  { grants, previous_draws }: Credit,
): string[] {
  const drawn = previous_draws.get(lineKey(part)) ?? [];
  return expiriesWithin([...grants, ...drawn.map(({ grant }) => grant)], part.full_period);
}

export function quantityIn(usage: CountedUsage | undefined, spans: SpanSet, series: Series): Quantity {
  const counted = usage?.counts.get(setKey(spans))?.get(seriesKey(series));
  return { quantity: counted?.quantity ?? '0', skipped_events: counted?.skipped_events ?? 0 };
}

/** The spans of a line and its others. */
export function allSpans({ spans, others }: Pick<Counted, 'spans' | 'others'>): Span[] {
  return [...spans, ...spansOfLines(others)];
}

export function spansOfLines(lines: readonly UsageLine[]): Span[] {
  return lines.flatMap(({ spans }) => spans);
}
