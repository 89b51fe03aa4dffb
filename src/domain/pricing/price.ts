import { canonical, decimal, exact, fixed } from '../money/decimal.ts';
import type { Fraction } from '../time/period.ts';
import { type Pricing, modelOf } from './definitions.ts';
import type { RatedTier } from './tiers.ts';

/**
 * Usage to price: the gross `quantity` of a charge, the `credit` drawn for it in creditable units and, for flat
 * charges, the billed fraction of the period.
 */
export type PricedUsage = { quantity: string; credit: string; fraction: Fraction };

/** One tier of a line; `amount` is exact, and the tiers sum to the line before rounding. */
export type PricedTier = {
  up_to: string | null;
  quantity: string;
  unit_amount: string;
  flat_amount: string;
  amount: string;
};

/** `tiers` is null for models without tiers; `exact_amount` is `amount` before the line's one rounding. */
export type Price = {
  billable_quantity: string;
  tiers: PricedTier[] | null;
  exact_amount: string;
  amount: string;
};

/**
 * The price of a quantity, as `price` of src/domain/pricing/pricing.ts, for a currency with this number of minor
 * digits.
 */
export function priceTo(minor_digits: number, pricing: Pricing, usage: PricedUsage): Price {
  const { billable_quantity, tiers, exact_amount } = modelOf(pricing).rate({
    quantity: decimal(usage.quantity),
    credit: decimal(usage.credit),
    fraction: usage.fraction,
  });
  return {
    billable_quantity: canonical(billable_quantity),
    tiers: tiers && tiers.map((rated) => pricedTier(rated, minor_digits)),
    exact_amount: canonical(exact_amount),
    amount: fixed(exact_amount, minor_digits),
  };
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
