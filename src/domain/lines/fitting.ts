import { type Decimal, ZERO, canonical, decimal, max, min, sum } from '../money/decimal.ts';
import type { ComposedLine } from './line-item.ts';
import { toAmount } from '../money/money.ts';

/** An item below zero of which a part fits: the amounts of the part and of the rest, in the currency's minor digits. */
export type ItemSplit = { item_id: string; amount: string; rest: string };

/** The items that an invoice takes, and those of which it takes a part. */
export type FittedItems = { items: ComposedLine[]; splits: ItemSplit[] };

/**
 * The items that fit on an invoice, and what is left of its subtotal for late lines below zero. All lines of zero or
 * more count first, and period lines; then each item below zero is taken as far as it fits, in the order in which they
 * were made. One of which nothing fits is left out (billing.md 7). `subtotal` is that of the other lines.
 */
export function fitItems(
  items: readonly ComposedLine[],
  subtotal: Decimal,
  currency: string,
): FittedItems & { left: Decimal } {
  let left = sum([subtotal, ...items.map(({ amount }) => max(ZERO, decimal(amount)))]);
  const splits: ItemSplit[] = [];
  const fitted = items.flatMap((line) => {
    const amount = decimal(line.amount);
    if (amount.gte(ZERO)) return [line];
    const part = min(left, ZERO.minus(amount));
    if (part.eq(ZERO)) return [];
    left = left.minus(part);
    const rest = amount.plus(part);
    if (rest.eq(ZERO)) return [line];
    const deduction = ZERO.minus(part);
    const text = toAmount(deduction, currency);
    splits.push({ item_id: line.invoice_item!.id, amount: text, rest: toAmount(rest, currency) });
    return [partOf(line, { amount: text, unit_amount: canonical(deduction) })];
  });
  return { items: fitted, splits, left };
}

function partOf(
  line: ComposedLine,
  { amount, unit_amount }: { amount: string; unit_amount: string },
): ComposedLine {
  const invoice_item = { ...line.invoice_item!, unit_amount };
  return { ...line, invoice_item, quantity: '1', billable_quantity: '1', amount };
}
