import type { LineDiscount } from '../pricing/discount.ts';

type DiscountedLine = { discounts: readonly LineDiscount[]; amount_before: string | null };

/**
 * The discounts of a line and its amount without them, for the person who pays: "10 % Loyalty, 90.00 before"; null for
 * a line without. `amount` writes an amount.
 */
export function discountWords(
  { discounts, amount_before }: DiscountedLine,
  amount: (text: string) => string,
): string | null {
  if (amount_before === null) return null;
  const percents = discounts.map(({ name, percent }) => `${percent} % ${name}`);
  return `${percents.join(', ')}, ${amount(amount_before)} before`;
}
