import { type Decimal, canonical, decimal, divide, exact, fixed } from '../money/decimal.ts';
import type { Fraction } from '../time/period.ts';
import type { Rating } from './definition.ts';
import { type Pricing, modelOf } from './definitions.ts';
import type { RatedTier } from './tiers.ts';

/**
 * Usage to price: the gross `quantity` of a charge, the `credit` drawn for it in creditable units, for flat charges the
 * billed fraction of the period, and the percents of discounts.
 */
export type PricedUsage = {
  quantity: string;
  credit: string;
  fraction: Fraction;
  percents: readonly string[];
};

/** One tier of a line; `amount` is exact, and the tiers sum to the line before percents and rounding. */
export type PricedTier = {
  up_to: string | null;
  quantity: string;
  unit_amount: string;
  flat_amount: string;
  amount: string;
};

/**
 * `tiers` is null for models without tiers; `exact_amount` is `amount` before the line's one rounding. `amount_before`
 * is the amount without percents, null where there are none.
 */
export type Price = {
  billable_quantity: string;
  tiers: PricedTier[] | null;
  exact_amount: string;
  amount: string;
  amount_before: string | null;
};

/**
 * The price of a quantity, as `price` of src/domain/pricing/pricing.ts, for a currency with this number of minor
 * digits.
 */
export function priceTo(minor_digits: number, pricing: Pricing, usage: PricedUsage): Price {
  const { percents } = usage;
  const rating = modelOf(pricing).rate({
    quantity: decimal(usage.quantity),
    credit: decimal(usage.credit),
    fraction: usage.fraction,
  });
  const exact_amount = exactAmount(rating, percents);
  const { billable_quantity, tiers } = rating;
  return {
    billable_quantity: canonical(billable_quantity),
    tiers: tiers && tiers.map((rated) => pricedTier(rated, minor_digits)),
    exact_amount: canonical(exact_amount),
    amount: fixed(exact_amount, minor_digits),
    amount_before: percents.length === 0 ? null : fixed(exactAmount(rating, []), minor_digits),
  };
}

const WHOLE = decimal('100');
const HUNDREDTH = decimal('0.01');
// A fraction of an amount may have endless decimals. Amounts have 15 decimals and fractions are milliseconds of at most
// 8,000 years, so a rounding tie is at least 1e-34 away from any other value: rounding at the 40th decimal neither
// makes a tie nor hides one. The factor of a percent has six decimals more.
const SCALE = 40;
const SCALE_OF_PERCENT = 6;

/** An amount or a unit price with the factor of each percent, exact (billing.md 11). */
export function withPercents(amount: Decimal, percents: readonly string[]): Decimal {
  return percents.reduce((rest, percent) => rest.times(WHOLE.minus(percent)).times(HUNDREDTH), amount);
}

/** The amount with percents before any rounding. */
function exactAmount({ exact_amount, divisor }: Rating, percents: readonly string[]): Decimal {
  const dividend = withPercents(exact_amount, percents);
  if (divisor === undefined) return dividend;
  const scale = SCALE + SCALE_OF_PERCENT * percents.length;
  return divide({ dividend, divisor, scale, rounding: 'half_away_from_zero' });
}

function pricedTier({ tier, quantity, amount }: RatedTier, minor_digits: number): PricedTier {
  return {
    up_to: tier.up_to,
    quantity: canonical(quantity),
    unit_amount: tier.unit_amount,
    flat_amount: exact(decimal(tier.flat_amount ?? '0'), minor_digits),
    amount: exact(amount, minor_digits),
  };
}
