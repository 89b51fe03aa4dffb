import { decimal } from '../../../../src/domain/money/decimal.ts';
import { percentsOf } from '../../../../src/domain/pricing/discount.ts';
import { withPercents as priceWithPercents } from '../../../../src/domain/pricing/price.ts';
import type { UpcomingLineItem } from '../../api/objects.ts';

type Discounts = UpcomingLineItem['discounts'];

/** An exact amount with the factor of each discount, by the function that bills. */
export function withPercents(exact: string, discounts: Discounts): string {
  return priceWithPercents(decimal(exact), percentsOf(discounts)).toFixed();
}

/** The discounts behind an amount, in words: ", less 10 % (Loyalty)". */
export function lessPercents(discounts: Discounts): string {
  return discounts.map(({ percent, name }) => `, less ${percent} % (${name})`).join('');
}
