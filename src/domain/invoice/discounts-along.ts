import { type Decimal, ZERO, max, min } from '../money/decimal.ts';
import type { BilledLine } from './automatic-note.ts';
import { excessDiscounts, type PeriodTerms } from './period-lines.ts';

/** The line of a discount on a note, and its amount, which is below zero. */
export type NotedDiscount = { line: BilledLine; amount: Decimal };

/** A part that a note takes off plan lines of a full period, and the lines of its invoice with what each has left. */
type Noted = {
  part: Decimal;
  lines: readonly BilledLine[];
  left: ReadonlyMap<string, Decimal>;
  currency: string;
};

/**
 * The lines of discounts of a full period on an invoice that a note takes along: as far as the discounts are too much
 * once the part is off the plan lines, and together at most as much (billing.md 13).
 */
export function discountsAlong(terms: PeriodTerms, { part, lines, left, currency }: Noted): NotedDiscount[] {
  const plan_lines = terms.billed.plan_lines.minus(part);
  const { period_start } = terms.full_period;
  let room = part;
  return [...excessDiscounts(terms, plan_lines, currency)].flatMap(([discount_id, excess]) => {
    const line = lines.find(
      (other) => other.discount_id === discount_id && other.full_period_start === period_start,
    );
    if (line === undefined) return [];
    const amount = max(ZERO.minus(min(excess, room)), min(ZERO, left.get(line.id)!));
    room = room.plus(amount);
    return amount.eq(ZERO) ? [] : [{ line, amount }];
  });
}
