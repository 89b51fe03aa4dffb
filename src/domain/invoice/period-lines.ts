import { describePeriodLine } from '../lines/description.ts';
import type { LineType } from '../lines/line-type.ts';
import { type Decimal, ZERO, decimal, divide, max, min, sum } from '../money/decimal.ts';
import { minorDigits, toAmount } from '../money/money.ts';
import { holdsFor, type AmountDiscount, type LineDiscount } from '../pricing/discount.ts';
import { ALL } from '../pricing/series.ts';
import { fractionOf } from '../time/period.ts';
import type { ComposedLine } from '../lines/line-item.ts';
import { isLeftOut, type FullPeriod } from '../lines/scope.ts';

/**
 * The sums of a full period on invoices that are not void, less the automatic notes on their lines: of its plan lines,
 * of each discount by its id, and of its minimum. `decided` are the discounts with an issued line.
 */
export type PeriodSums = {
  plan_lines: Decimal;
  discounts: ReadonlyMap<string, Decimal>;
  decided: ReadonlySet<string>;
  minimum: Decimal;
};

/** All that decides about the period lines of a full period on one invoice (billing.md 13). */
export type PeriodTerms = {
  full_period: FullPeriod;
  /** The period that its lines name. */
  named: Pick<FullPeriod, 'period_start' | 'period_end'>;
  /** The minimum of its plan, for a whole interval; null without. */
  minimum_amount: string | null;
  /** The discounts of an amount of the subscription, the oldest first. */
  discounts: readonly AmountDiscount[];
  /** The sums on other invoices. */
  billed: PeriodSums;
  /** Whether the invoice brings the minimum to the rule: always, where it has a plan line of the period, or never. */
  brings_minimum: 'always' | 'with_lines' | 'never';
};

/** The plan lines of a full period on an invoice: their sum; null where it has none. */
export type PlanLines = Decimal | null;

/** The period lines of a full period on an invoice: signed amounts, of discounts by their ids. */
export type PeriodAmounts = {
  discounts: ReadonlyMap<string, Decimal>;
  minimum: Decimal;
  /** The part of the minimum billed before that is too much, and that this invoice has no room for. */
  excess_minimum: Decimal;
  total: Decimal;
};

/** The period lines of a full period: what its lines on other invoices lack of the rule (billing.md 13). */
export function periodAmounts(terms: PeriodTerms, plan_lines: PlanLines, currency: string): PeriodAmounts {
  const { billed, brings_minimum } = terms;
  const on_invoice = plan_lines ?? ZERO;
  const all_plan_lines = billed.plan_lines.plus(on_invoice);
  // One below zero takes at most what the other lines of the period on the invoice come to.
  let room = on_invoice;
  const take = (difference: Decimal) => {
    const amount = max(difference, min(ZERO, ZERO.minus(room)));
    room = room.plus(amount);
    return amount;
  };
  const discounts = new Map<string, Decimal>();
  if (plan_lines !== null)
    for (const [id, target] of discountTargets(terms, all_plan_lines, currency))
      discounts.set(id, take(target.minus(billed.discounts.get(id) ?? ZERO)));
  const paid = sum([all_plan_lines, ...billed.discounts.values(), ...discounts.values()]);
  const lacking = minimumTarget(terms, paid, currency);
  const brings = brings_minimum === 'always' || (brings_minimum === 'with_lines' && plan_lines !== null);
  const difference = brings ? lacking.minus(billed.minimum) : ZERO;
  const minimum = take(difference);
  const total = sum([...discounts.values(), minimum]);
  return { discounts, minimum, excess_minimum: minimum.minus(difference), total };
}

/** Sums of the lines of each discount: never above zero; the older one first, the next from what is left. */
function discountTargets(terms: PeriodTerms, plan_lines: Decimal, currency: string): Map<string, Decimal> {
  const { full_period, discounts, billed } = terms;
  let left = max(ZERO, plan_lines);
  const holding = discounts.filter(
    (discount) => holdsFor(discount, full_period) || billed.decided.has(discount.discount_id),
  );
  const targets = new Map(
    holding.map(({ discount_id, amount }) => {
      const target = min(left, shareOfPeriod(amount, full_period, currency));
      left = left.minus(target);
      return [discount_id, ZERO.minus(target)] as const;
    }),
  );
  const rest = [...billed.discounts.keys()].filter((id) => !targets.has(id));
  return new Map([...targets, ...rest.map((id) => [id, ZERO] as const)]);
}

/** The sum of the lines of the minimum: what plan lines less discounts, `paid`, lack of it. */
function minimumTarget(
  { full_period, minimum_amount }: PeriodTerms,
  paid: Decimal,
  currency: string,
): Decimal {
  if (minimum_amount === null) return ZERO;
  return max(ZERO, shareOfPeriod(minimum_amount, full_period, currency).minus(paid));
}

/** The share that a full period has of an amount for its whole interval, by exact time, rounded (billing.md 13). */
export function shareOfPeriod(amount: string, full_period: FullPeriod, currency: string): Decimal {
  if (isLeftOut(full_period)) return ZERO;
  const { numerator, denominator } = fractionOf(full_period);
  return divide({
    dividend: decimal(amount).times(numerator),
    divisor: decimal(denominator),
    scale: minorDigits(currency),
    rounding: 'half_away_from_zero',
  });
}

/** The amount by which the lines of the minimum are more than what is lacking of it. */
export function minimumBeyond(terms: PeriodTerms, currency: string): Decimal {
  const { plan_lines, discounts } = terms.billed;
  const target = minimumTarget(terms, sum([plan_lines, ...discounts.values()]), currency);
  return max(ZERO, terms.billed.minimum.minus(target));
}

/** How much each discount on all invoices is too much once the plan lines come to less, by its id. */
export function excessDiscounts(
  terms: PeriodTerms,
  plan_lines: Decimal,
  currency: string,
): Map<string, Decimal> {
  const excess = [...discountTargets(terms, plan_lines, currency)].map(
    ([id, target]) => [id, target.minus(terms.billed.discounts.get(id) ?? ZERO)] as const,
  );
  return new Map(excess.filter(([, amount]) => amount.gt(ZERO)));
}

/** A line as far as it counts in the sums of its full period. */
type CountedLine = { type: LineType; full_period_start: string; discount_id: string | null };

/** The terms of full periods once notes take amounts off lines of other invoices. */
export function sumsAfter(
  periods: readonly PeriodTerms[],
  credited: readonly { line: CountedLine; amount: Decimal }[],
): PeriodTerms[] {
  return periods.map((terms) => {
    const { period_start } = terms.full_period;
    const of_period = credited.filter(({ line }) => line.full_period_start === period_start);
    return of_period.length === 0 ? terms : { ...terms, billed: of_period.reduce(sumsLess, terms.billed) };
  });
}

function sumsLess(
  sums: PeriodSums,
  { line: { type, discount_id }, amount }: { line: CountedLine; amount: Decimal },
): PeriodSums {
  if (type === 'item') return sums;
  if (type === 'minimum') return { ...sums, minimum: sums.minimum.minus(amount) };
  if (type !== 'discount') return { ...sums, plan_lines: sums.plan_lines.minus(amount) };
  const discounts = new Map(sums.discounts);
  discounts.set(discount_id!, (discounts.get(discount_id!) ?? ZERO).minus(amount));
  return { ...sums, discounts };
}

type Words = { currency: string; timezone: string };

/** The period lines of full periods as lines of an invoice: discounts first, then minimums. */
export function periodLines(
  periods: readonly { terms: PeriodTerms; amounts: PeriodAmounts }[],
  { currency, timezone }: Words,
): ComposedLine[] {
  const discounts = periods.flatMap(({ terms, amounts }) =>
    terms.discounts.flatMap(({ discount_id, name }) => {
      const amount = amounts.discounts.get(discount_id) ?? ZERO;
      const of_discount = [{ discount_id, name, percent: null }];
      return lineOf(terms, { type: 'discount', name, amount, discounts: of_discount, currency, timezone });
    }),
  );
  const minimums = periods.flatMap(({ terms, amounts: { minimum } }) =>
    lineOf(terms, { type: 'minimum', name: 'Minimum', amount: minimum, discounts: [], currency, timezone }),
  );
  return [...discounts, ...minimums];
}

function lineOf(
  { full_period, named: { period_start, period_end } }: PeriodTerms,
  line: Words & { type: 'discount' | 'minimum'; name: string; amount: Decimal; discounts: LineDiscount[] },
): ComposedLine[] {
  const { type, name, amount, discounts, currency, timezone } = line;
  if (amount.eq(ZERO)) return [];
  return [
    {
      type,
      charge_id: null,
      ...ALL,
      invoice_item: null,
      event_name: null,
      description: describePeriodLine(name, { period_start, period_end }, timezone),
      pricing_model: null,
      aggregation: null,
      quantity: '1',
      skipped_events: 0,
      credits_applied: '0',
      billable_quantity: '1',
      tiers: null,
      amount: toAmount(amount, currency),
      period_start,
      period_end,
      discounts,
      amount_before: null,
      full_period_start: full_period.period_start,
    },
  ];
}
