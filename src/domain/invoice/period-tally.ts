import { type Decimal, ZERO, decimal, sum } from '../money/decimal.ts';
import type { ComposedLine } from '../lines/line-item.ts';
import { periodAmounts, periodLines, type PeriodTerms } from './period-lines.ts';

/** The plan lines of an invoice by the starts of their full periods, and what period lines beside them come to. */
type PeriodTally = { plan_lines: ReadonlyMap<string, Decimal>; total: Decimal };

/** The full periods of which an invoice may have period lines, the oldest first, and its words. */
type Periods = { periods: readonly PeriodTerms[]; currency: string; timezone: string };

type PlanLine = Pick<ComposedLine, 'full_period_start' | 'amount'>;

/** The plan lines of an invoice with the period lines that they bring. */
export function tallyOf(lines: readonly PlanLine[], input: Periods): PeriodTally {
  return lines.reduce((tally, line) => withPlanLine(tally, line, input), nothingBilled(input));
}

function nothingBilled({ periods, currency }: Periods): PeriodTally {
  const totals = periods.map((terms) => periodAmounts(terms, null, currency).total);
  return { plan_lines: new Map(), total: sum(totals) };
}

function withPlanLine(tally: PeriodTally, line: PlanLine, { periods, currency }: Periods): PeriodTally {
  const { full_period_start } = line;
  const terms = periods.find(({ full_period }) => full_period.period_start === full_period_start);
  if (terms === undefined) return tally;
  const before = tally.plan_lines.get(full_period_start) ?? null;
  const after = (before ?? ZERO).plus(line.amount);
  const totalBeside = (plan_lines: Decimal | null) => periodAmounts(terms, plan_lines, currency).total;
  return {
    plan_lines: new Map([...tally.plan_lines, [full_period_start, after]]),
    total: tally.total.minus(totalBeside(before)).plus(totalBeside(after)),
  };
}

/**
 * The place of the first late line below zero that does not fit, in their order, with the change of the period lines
 * that each brings (billing.md 13); null if all fit. `subtotal` is what the other lines come to, `made` the plan lines
 * of zero or more.
 */
export function unfitLine(
  late: readonly PlanLine[],
  { subtotal, made }: { subtotal: Decimal; made: readonly PlanLine[] },
  input: Periods,
): number | null {
  let tally = tallyOf(made, input);
  let rest = subtotal.minus(tally.total);
  for (const [place, line] of late.entries()) {
    if (decimal(line.amount).gte(ZERO)) continue;
    tally = withPlanLine(tally, line, input);
    rest = rest.plus(line.amount);
    if (rest.plus(tally.total).lt(ZERO)) return place;
  }
  return null;
}

/** The period lines of an invoice with these plan lines, and what minimums are too much beyond them. */
export function periodLinesBeside(lines: readonly PlanLine[], input: Periods) {
  const { plan_lines } = tallyOf(lines, input);
  const amounts = input.periods.map((terms) => {
    const { period_start } = terms.full_period;
    return { terms, amounts: periodAmounts(terms, plan_lines.get(period_start) ?? null, input.currency) };
  });
  return {
    lines: periodLines(amounts, input),
    excess: amounts.flatMap(({ terms: { full_period }, amounts: { excess_minimum } }) =>
      excess_minimum.gt(ZERO) ? [{ full_period, amount: excess_minimum }] : [],
    ),
  };
}
