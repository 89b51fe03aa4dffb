import { sumOf } from '../money/figures.ts';

/** The sums that an issued invoice keeps of its lines, each with the type of these lines (billing.md 7). */
export const LINE_SUMS = {
  fees: 'flat',
  usage: 'usage',
  late_usage: 'late_usage',
  items: 'item',
  discounts: 'discount',
  minimums: 'minimum',
} as const;
type LineSum = keyof typeof LINE_SUMS;

type SummedLine = { type: (typeof LINE_SUMS)[LineSum]; amount: string };

/** Adds up the lines of an invoice by their type. */
export function sumsOfLines(lines: readonly SummedLine[]): Record<LineSum, string> {
  const sumOfType = (name: LineSum) =>
    sumOf(lines.filter(({ type }) => type === LINE_SUMS[name]).map(({ amount }) => amount));
  return {
    fees: sumOfType('fees'),
    usage: sumOfType('usage'),
    late_usage: sumOfType('late_usage'),
    items: sumOfType('items'),
    discounts: sumOfType('discounts'),
    minimums: sumOfType('minimums'),
  };
}
