import { decimal, divide, sum } from '../money/decimal.ts';
import { minorDigits, toAmount } from '../money/money.ts';
import type { Interval } from '../time/period.ts';
import type { Charge } from './charge.ts';
import { MODELS } from './definitions.ts';
import { isPriceList } from './price-list.ts';
import { price } from './pricing.ts';

/** Months of an interval are `over` / `times`: a year of 365 days has 365 / 84 weeks a month. */
const PER_MONTH: Readonly<Record<Interval, { times: string; over: string }>> = {
  day: { times: '365', over: '12' },
  week: { times: '365', over: '84' },
  month: { times: '1', over: '1' },
  year: { times: '1', over: '12' },
};

const WHOLE = { numerator: '1', denominator: '1' };

type Terms = { interval: Interval; interval_count: number; currency: string };

/** The flat amounts of a plan, each as a whole period bills it, as an amount a month, rounded once (contract.md 4). */
export function monthlyAmount(
  charges: readonly Pick<Charge, 'pricing'>[],
  { interval, interval_count, currency }: Terms,
): string {
  const amounts = charges.flatMap(({ pricing }) =>
    isPriceList(pricing) || MODELS[pricing.pricing_model].is_metered
      ? []
      : [price(pricing, { quantity: '1', credit: '0', fraction: WHOLE, percents: [] }, currency).amount],
  );
  const { times, over } = PER_MONTH[interval];
  const a_month = divide({
    dividend: sum(amounts.map(decimal)).times(times),
    divisor: decimal(over).times(`${interval_count}`),
    scale: minorDigits(currency),
    rounding: 'half_away_from_zero',
  });
  return toAmount(a_month, currency);
}
