import { differenceOf, productOf } from '../../../../src/domain/money/figures.ts';
import type { UpcomingLineItem } from '../../api/objects.ts';

type Discounts = UpcomingLineItem['discounts'];

/** An exact amount with the factor of each discount. */
export function withPercents(exact: string, discounts: Discounts): string {
  return discounts.reduce(
    (rest, { percent }) => productOf(productOf(rest, differenceOf('100', percent)), '0.01'),
    exact,
  );
}

/** The discounts behind an amount, in words: ", less 10 % (Loyalty)". */
export function lessPercents(discounts: Discounts): string {
  return discounts.map(({ percent, name }) => `, less ${percent} % (${name})`).join('');
}
