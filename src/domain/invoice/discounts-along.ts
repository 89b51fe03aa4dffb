import { type Decimal, ZERO, max, min, sum } from '../money/decimal.ts';
import type { BilledLine } from './automatic-note.ts';
import { excessDiscounts, type PeriodTerms } from './period-lines.ts';

/** The line of a discount on a note, and its amount, which is below zero. */
export type NotedDiscount = { line: BilledLine; amount: Decimal };

/** The lines of an invoice, with what each of them and the invoice have left. */
type InvoiceLeft = {
  lines: readonly BilledLine[];
  left: ReadonlyMap<string, Decimal>;
  left_of_invoice: Decimal;
};

/** The amount that lines of discounts of a full period on an invoice still take off: the most that comes along. */
export function discountsLeft(terms: PeriodTerms, invoice: InvoiceLeft): Decimal {
  return sum(linesOfDiscounts(terms, invoice).map(({ amount }) => amount));
}

/**
 * The lines of discounts of a full period on an invoice that a note takes along which takes a part off plan lines: as
 * far as the discounts are too much by then, together at most as much as the part, and beyond that as far as the
 * invoice has less left than the note (billing.md 13).
 */
export function discountsAlong(
  terms: PeriodTerms,
  { part, currency, ...invoice }: InvoiceLeft & { part: Decimal; currency: string },
): NotedDiscount[] {
  const excess = excessDiscounts(terms, terms.billed.plan_lines.minus(part), currency);
  let rest = part;
  const too_much = linesOfDiscounts(terms, invoice).map(({ line, amount }) => {
    const taken = min(min(excess.get(line.discount_id!) ?? ZERO, amount), rest);
    rest = rest.minus(taken);
    return { line, taken, left: amount.minus(taken) };
  });
  let lacking = max(ZERO, rest.minus(invoice.left_of_invoice));
  return too_much.flatMap(({ line, taken, left }) => {
    const more = min(lacking, left);
    lacking = lacking.minus(more);
    const amount = ZERO.minus(taken.plus(more));
    return amount.eq(ZERO) ? [] : [{ line, amount }];
  });
}

/** The lines of discounts of a full period on an invoice, the oldest discount first, with what each still takes off. */
function linesOfDiscounts(
  { full_period: { period_start } }: PeriodTerms,
  { lines, left }: InvoiceLeft,
): { line: BilledLine; amount: Decimal }[] {
  return lines
    .filter((line) => line.type === 'discount' && line.full_period_start === period_start)
    .map((line) => ({ line, amount: max(ZERO, ZERO.minus(left.get(line.id)!)) }));
}
