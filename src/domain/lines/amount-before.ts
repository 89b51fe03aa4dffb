import { type Decimal, decimal, divide } from '../money/decimal.ts';
import { isZero } from '../money/figures.ts';
import { minorDigits } from '../money/money.ts';

/**
 * Another line of the same charge and full period. `amount` is what automatic credit notes leave of it, `credited` what
 * they take off; `amount_before` is its amount without percents, null where it has none (contract.md 4).
 */
export type BilledBefore = { amount: string; credited: string; amount_before: string | null };

/**
 * The amount without percents that counts of another line: in the proportion of what automatic credit notes leave of
 * its amount (billing.md 11).
 */
export function amountBeforeOf({ amount, credited, amount_before }: BilledBefore, currency: string): Decimal {
  if (amount_before === null) return decimal(amount);
  if (isZero(credited)) return decimal(amount_before);
  return divide({
    dividend: decimal(amount_before).times(amount),
    divisor: decimal(amount).plus(credited),
    scale: minorDigits(currency),
    rounding: 'half_away_from_zero',
  });
}
