import { decimal } from '../money/decimal.ts';
import { modelOf, type Pricing } from './definitions.ts';
import type { PricedTier } from './price.ts';

type PricedLine = {
  type: string;
  invoice_item: { unit_amount: string } | null;
  quantity: string;
  billable_quantity: string;
  tiers: readonly PricedTier[] | null;
  amount: string;
};

/** The price of one unit, and the quantity that has it. */
export type UnitPrice = { quantity: string; unit_price: string };

/**
 * The one price of all units of a line: that of the item, of the charge, or of the only tier, and the amount of a flat
 * line, which may be a part of what its charge costs a period, and of a period line. Null for any other line
 * (billing.md 9). `pricing` is null where it is not known.
 */
export function unitPriceOf(line: PricedLine, pricing: Pricing | null): UnitPrice | null {
  const { type, invoice_item, quantity, billable_quantity, tiers, amount } = line;
  if (invoice_item !== null) return { quantity, unit_price: invoice_item.unit_amount };
  if (type === 'flat' || type === 'discount' || type === 'minimum') return { quantity, unit_price: amount };
  const unit_price = pricing && modelOf(pricing).singlePrice();
  if (unit_price !== null) return { quantity: billable_quantity, unit_price };
  const [tier, ...more] = tiers ?? [];
  if (tier !== undefined && more.length === 0 && decimal(tier.flat_amount).eq('0'))
    return { quantity: tier.quantity, unit_price: tier.unit_amount };
  return null;
}
