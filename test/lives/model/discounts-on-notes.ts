import { leftOf } from './credit-notes.ts';
import type { Discount } from './percents.ts';
import { isOff, isPlanLine, linesIn, netOf, presentPeriod, sharedOff, type Planned } from './period-sums.ts';
import type { FullPeriod, Invoice, World } from './world.ts';

/** Lines of discounts that an automatic note takes along (billing.md 13). */

/** The invoice that is being issued does not count. */
export type Lowering = {
  invoice: Invoice;
  full_period: FullPeriod;
  amount: bigint;
  without?: Invoice | undefined;
};

/**
 * The lines of discounts of a full period on an invoice that a note takes along which lowers the sum by an amount: what they have then too
 * much, together at most that amount, since a note is never below zero. The amounts are below zero.
 */
export function takenAlong(
  world: World,
  { invoice, full_period, amount, without }: Lowering,
  planned: readonly Planned[] = [],
): Planned[] {
  const { subscription } = invoice;
  const of = { subscription, full_period: presentPeriod(subscription, full_period) };
  const sum = netOf(world, linesIn(world, of, { without, isIts: isPlanLine }), planned) - amount;
  let most = amount;
  return sharedOff(world, of, sum).flatMap(({ discount, amount: target }) => {
    const place = placeOf(invoice, full_period, discount);
    if (place === -1) return [];
    const lines = linesIn(world, of, { without, isIts: (line) => isOff(line, discount) });
    const excess = -netOf(world, lines, planned) - target;
    const isOn = (one: Planned) => one.invoice === invoice && one.place === place;
    const taken = planned.filter(isOn).reduce((all, one) => all + one.amount, 0n);
    const left = taken - leftOf(invoice, place);
    const along = [excess, left, most].reduce((a, b) => (a < b ? a : b));
    if (along <= 0n) return [];
    most -= along;
    return [{ invoice, place, amount: -along }];
  });
}

function placeOf({ lines }: Invoice, { start }: FullPeriod, discount: Discount): number {
  return lines.findIndex((line) => line.full_period.start === start && isOff(line, discount));
}
