import { canonical, decimal } from './decimal.ts';
import { exactAmount, toAmount } from './money.ts';
import type { Fraction } from './period.ts';
import { type Pricing, modelOf } from './pricing/definitions.ts';
import type { RatedTier } from './pricing/tiers.ts';

/**
 * Usage to price: the gross `quantity` of a charge, the `credit` drawn for it in creditable units and, for flat charges, the billed
 * fraction of the period.
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

/** The number of units that credit can cover, in the units of the model: credits for the credit model (billing.md 4). */
export function creditableUnits(pricing: Pricing, quantity: string): string {
  return canonical(modelOf(pricing).creditableUnits(decimal(quantity)));
}

/**
 * The price of a quantity: a pure function of charge, quantity and credit (billing.md 3). Invoices, previews, dry runs and the audit
 * all call it. Rounds once, half away from zero. More credit never gives a higher amount.
 */
export function price(pricing: Pricing, usage: PricedUsage, currency: string): Price {
  const { billable_quantity, tiers, exact_amount } = modelOf(pricing).rate({
    quantity: decimal(usage.quantity),
    credit: decimal(usage.credit),
    fraction: usage.fraction,
  });
  return {
    billable_quantity: canonical(billable_quantity),
    tiers: tiers && tiers.map((rated) => pricedTier(rated, currency)),
    exact_amount: canonical(exact_amount),
    amount: toAmount(exact_amount, currency),
  };
}

function pricedTier({ tier, quantity, amount }: RatedTier, currency: string): PricedTier {
  return {
    up_to: tier.up_to,
    quantity: canonical(quantity),
    unit_amount: tier.unit_amount,
    flat_amount: exactAmount(decimal(tier.flat_amount ?? '0'), currency),
    amount: exactAmount(amount, currency),
  };
}
