import { rational, rounded, times } from '../../support/oracles/price-oracle.ts';
import { totalOf } from './lines.ts';
import type { Invoice } from './world.ts';

/** Subtotal of the lines, tax rounded once on the subtotal, and total. */
export function amountsOf({ lines, tax_rate }: Invoice): { subtotal: bigint; tax: bigint; total: bigint } {
  const subtotal = totalOf(lines);
  const { n, d } = times({ n: subtotal, d: 1n }, rational(tax_rate));
  const tax = BigInt(rounded({ n, d: d * 100n }, 0));
  return { subtotal, tax, total: subtotal + tax };
}
