import type { Charge } from './charge.ts';
import type { Series } from './series.ts';

/**
 * Order of the lines of a charge: by price, then by group, in the order of `group_by` and with `no value` last, then
 * `others`.
 */
export function compareSeries(group_by: Charge['group_by'], a: Series, b: Series): number {
  const by_price = (a.price_index ?? 0) - (b.price_index ?? 0);
  if (by_price !== 0) return by_price;
  if (a.others !== b.others) return a.others ? 1 : -1;
  for (const name of group_by ?? []) {
    const [left = null, right = null] = [a.group?.[name], b.group?.[name]];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return compareText(left, right);
  }
  return 0;
}

/** Compares in the order of the collation "C", which decides in the database which groups have lines. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
