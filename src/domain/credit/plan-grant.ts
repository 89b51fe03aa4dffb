import { canonical, decimal, divide, min } from '../money/decimal.ts';
import { addDays, fractionOf, type Period } from '../time/period.ts';

/** Credit that comes with each full period of a plan (billing.md 4). Amounts in units, as decimal strings. */
export type PlanGrant = {
  amount: string;
  /** The events whose charges it covers; null for all. */
  event_names: string[] | null;
  expires: 'period_end' | { days: number };
  /** Units that may cover usage of the next full period; null: none. */
  carry_over_max: string | null;
  /** Whether a period that is short as it begins has its share alone. */
  prorate: boolean;
};

type Bounds = Omit<Period, 'kind'>;

/**
 * The terms of a plan's grants for a full period that begins, in the order of the plan's list, without those of which
 * its share is no unit.
 */
export function grantsOfPeriod(grants: readonly PlanGrant[], period: Bounds) {
  const { period_start, period_end } = period;
  return grants.flatMap((grant, place) => {
    const { event_names, expires, carry_over_max: limit } = grant;
    const amount = amountIn(grant, period);
    if (amount === '0') return [];
    const lasts = expires === 'period_end';
    return {
      place,
      amount,
      event_names,
      full_period_start: period_start,
      carry_over_max: limit && canonical(min(decimal(limit), decimal(amount))),
      created_at: period_start,
      rollover: !lasts,
      expires_in_days: lasts ? null : expires.days,
      period_bound: lasts ? period_end : null,
      expires_at: lasts ? period_end : addDays(period_start, expires.days),
    };
  });
}

/**
 * The units for a full period. Of one that is short as it begins, a grant that is prorated gives the share of the time
 * up to the next boundary, whatever ends the period before it, in whole units.
 */
function amountIn({ amount, prorate }: PlanGrant, period: Bounds): string {
  const { numerator, denominator } = fractionOf({
    ...period,
    kind: 'billing',
    period_end: period.interval_end,
  });
  if (!prorate || numerator === denominator) return amount;
  const dividend = decimal(amount).times(numerator);
  const divisor = decimal(denominator);
  return canonical(divide({ dividend, divisor, scale: 0, rounding: 'toward_zero' }));
}
