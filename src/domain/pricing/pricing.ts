import { canonical, decimal } from '../money/decimal.ts';
import { minorDigits } from '../money/money.ts';
import { type Pricing, modelOf } from './definitions.ts';
import { priceTo, type Price, type PricedUsage } from './price.ts';

/**
 * The number of units that credit can cover, in the units of the model: credits for the credit model (billing.md 4).
 */
export function creditableUnits(pricing: Pricing, quantity: string): string {
  return canonical(modelOf(pricing).creditableUnits(decimal(quantity)));
}

/**
 * The price of a quantity: a pure function of charge, quantity, credit and percents (billing.md 3 and 11). Invoices,
 * previews, dry runs and the audit all call it. Rounds once, half away from zero. More credit never gives a higher
 * amount.
 */
export function price(pricing: Pricing, usage: PricedUsage, currency: string): Price {
  return priceTo(minorDigits(currency), pricing, usage);
}
