import { decimal, sum } from '../money/decimal.ts';
import { spanInWords } from '../lines/description.ts';
import type { FeeCorrection, FeeLine, FeePeriod } from './fee.ts';
import { groupedBy } from '../money/grouped.ts';
import { worthUpTo, type Fee } from '../lines/stretches.ts';
import { earliest, latest } from '../time/period.ts';
import { discountsOn, percentsOf } from '../pricing/discount.ts';
import type { FullPeriod } from '../lines/scope.ts';
import { ALL, lineKey, type RatedCharge } from '../pricing/series.ts';

/** A line of a flat amount in arrears, of one part of its full period; `amount` as that of a FeeLine. */
export type ArrearsLine = FeeLine & { period_start: string };

/**
 * The money of flat amounts in arrears beyond an end in a period that is billed: the lines are worth their time up to
 * that end (billing.md 1 and 10). `charges` are those of the plan that bills the full period.
 */
export function arrearsCorrections(
  charges: readonly RatedCharge[],
  {
    full_period,
    full_period_start,
    arrears,
    discounting,
    quantities,
  }: Pick<FeePeriod, 'full_period' | 'full_period_start' | 'arrears' | 'discounting' | 'quantities'>,
  { currency, timezone }: { currency: string; timezone: string },
): FeeCorrection[] {
  const end = full_period?.period_end ?? full_period_start;
  const issued = arrears.filter(({ is_on_draft }) => !is_on_draft);
  return [...groupedBy(issued, ({ charge_id }) => charge_id)].flatMap(
    ([charge_id, lines]): FeeCorrection[] => {
      const period_end = lines.map((line) => line.period_end).reduce(latest);
      if (period_end <= end) return [];
      const charge = charges.find(({ id }) => id === charge_id);
      const worth = lines.map((line) => {
        if (full_period === null || charge === undefined) return '0';
        const percents = percentsOf(discountsOn(discounting, charge, full_period));
        return worthOf({ charge, quantities }, full_period, { line, percents, currency });
      });
      const amount = sum(lines.map((line) => decimal(line.amount))).minus(sum(worth.map(decimal)));
      if (amount.lte('0')) return [];
      const reason = `Unused time ${spanInWords({ period_start: end, period_end }, timezone)}`;
      const line_key = lineKey({ charge_id, series: ALL, full_period_start });
      return [{ line_key, full_period_start, amount, reason, settle: 'balance' }];
    },
  );
}

/**
 * The rounded amount of the period up to the end of a part, less that up to its start, both at most up to the end that
 * is known (billing.md 1).
 */
function worthOf(
  fee: Fee,
  full_period: FullPeriod,
  { line, ...terms }: { line: ArrearsLine; percents: readonly string[]; currency: string },
): string {
  const upTo = (instant: string) =>
    worthUpTo(fee, full_period, {
      ...terms,
      period_end: earliest(instant, full_period.period_end),
    });
  return upTo(line.period_end).minus(upTo(line.period_start)).toFixed();
}
