import {
  NOTHING,
  oraclePrice,
  rounded,
  times,
  type OraclePrice,
  type Rational,
} from '../../support/oracles/price-oracle.ts';
import { factorOf, type Discount } from './percents.ts';
import { decimalText } from './usage.ts';
import type { Charge, World } from './world.ts';

/** Prices of charges (billing.md 3), with percents, in minor units. */

/** The price of the usage of a period that is left out, whatever its plan charges without usage. */
export const NO_PRICE: OraclePrice = {
  ...{ billable_quantity: NOTHING, exact_amount: NOTHING, amount: '0' },
  ...{ amount_before: null, tiers: null },
};
const WHOLE = { numerator: '1', denominator: '1' };

type Usage = { quantity: Rational; credit: Rational; fraction?: { numerator: string; denominator: string } };

/** The price of usage, or of a part of a period. */
export function priceOf(
  { pricing }: Charge,
  { quantity, credit, fraction = WHOLE }: Usage,
  { digits }: World,
): OraclePrice {
  const usage = { quantity: decimalText(quantity), credit: decimalText(credit), fraction, percents: [] };
  return oraclePrice(pricing, usage, digits);
}

/** A price with its percents, rounded once. */
export function inMinorUnits(
  { digits }: World,
  { exact_amount }: OraclePrice,
  discounts: readonly Discount[],
): bigint {
  const amount = rounded(times(exact_amount, factorOf(discounts)), digits);
  return BigInt(amount.replace('.', ''));
}

/** The amount before percents of a line; null where it has none. */
export function beforePercents(discounts: readonly Discount[], before: bigint): bigint | null {
  return discounts.length === 0 ? null : before;
}

/** The amount, or zero if it is negative. */
export function notNegative(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}
