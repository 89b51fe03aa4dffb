import { decimal, divide, sum } from '../money/decimal.ts';
import { minorDigits, toAmount } from '../money/money.ts';
import type { Interval } from '../time/period.ts';
import { isOfQuantity, type Charge } from './charge.ts';
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

/** A fee of a plan for each of a quantity, and how its whole periods become months. */
export type MonthlyQuantities = {
  /** The whole periods of the other fees. */
  others: string;
  fees: { event_name: string; flat_amount: string }[];
  times: string;
  over: string;
  minor_digits: number;
};

const WHOLE = { numerator: '1', denominator: '1' };

type Terms = { interval: Interval; interval_count: number; currency: string };

/** The flat amounts of a plan, each as a whole period bills it, as an amount a month, rounded once (contract.md 4). */
export function monthlyAmount(
  charges: readonly Pick<Charge, 'pricing'>[],
  { interval, interval_count, currency }: Terms,
): string {
  const amounts = wholeAmounts(charges, currency);
  const { times, over } = PER_MONTH[interval];
  const a_month = divide({
    dividend: sum(amounts.map(decimal)).times(times),
    divisor: decimal(over).times(`${interval_count}`),
    scale: minorDigits(currency),
    rounding: 'half_away_from_zero',
  });
  return toAmount(a_month, currency);
}

/** The parts of the amount a month of a plan that follows quantities; null for a plan without any. */
export function monthlyQuantities(
  charges: readonly Pick<Charge, 'event_name' | 'pricing'>[],
  { interval, interval_count, currency }: Terms,
): MonthlyQuantities | null {
  const fees = charges.flatMap(({ event_name, pricing }) =>
    isOfQuantity({ pricing }) && 'flat_amount' in pricing
      ? [{ event_name, flat_amount: pricing.flat_amount }]
      : [],
  );
  if (fees.length === 0) return null;
  const others = charges.filter((charge) => !isOfQuantity(charge));
  const { times, over } = PER_MONTH[interval];
  return {
    others: toAmount(sum(wholeAmounts(others, currency).map(decimal)), currency),
    fees,
    times,
    over: decimal(over).times(`${interval_count}`).toFixed(),
    minor_digits: minorDigits(currency),
  };
}

/** The flat amounts of charges, each as a whole period bills it. */
function wholeAmounts(charges: readonly Pick<Charge, 'pricing'>[], currency: string): string[] {
  return charges.flatMap(({ pricing }) =>
    isPriceList(pricing) || MODELS[pricing.pricing_model].is_metered
      ? []
      : [price(pricing, { quantity: '1', credit: '0', fraction: WHOLE, percents: [] }, currency).amount],
  );
}
