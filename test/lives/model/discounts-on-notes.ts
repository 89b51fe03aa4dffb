import { amountsOf } from './amounts.ts';
import { leftOf } from './credit-notes.ts';
import { standingNotes } from './owed.ts';
import { isOff, isPlanLine, linesIn, netOf, presentPeriod, sharedOff, type Planned } from './period-sums.ts';
import { notNegative } from './prices.ts';
import type { FullPeriod, Invoice, World } from './world.ts';

/** Lines of discounts that an automatic note takes along (billing.md 13). */

type Place = { invoice: Invoice; full_period: FullPeriod };

/** The invoice that is being issued does not count. */
export type Lowering = Place & { amount: bigint; without?: Invoice | undefined };

/**
 * The lines of discounts of a full period on an invoice that a note takes along which lowers the sum by an amount: what
 * they have then too much, and more, the oldest first, where the invoice has less left than the note. The amounts are
 * below zero.
 */
export function takenAlong(world: World, lowering: Lowering, planned: readonly Planned[] = []): Planned[] {
  const { invoice, amount } = lowering;
  const too_much = tooMuch(world, lowering, planned);
  let missing = [...too_much.values()].reduce((rest, part) => rest - part, amount) - leftOn(invoice, planned);
  return discountsOn(lowering, planned).flatMap(({ place, left }) => {
    const due = too_much.get(place) ?? 0n;
    const more = notNegative(smaller(left - due, missing));
    missing -= more;
    const along = due + more;
    return along > 0n ? [{ invoice, place, amount: -along }] : [];
  });
}

/**
 * The amounts by which lines of discounts are beyond the rule, by their places: together at most the amount of the
 * note, which is never below zero.
 */
function tooMuch(
  world: World,
  { invoice, full_period, amount, without }: Lowering,
  planned: readonly Planned[],
): Map<number, bigint> {
  const { subscription } = invoice;
  const of = { subscription, full_period: presentPeriod(subscription, full_period) };
  const sum = netOf(world, linesIn(world, of, { without, isIts: isPlanLine }), planned) - amount;
  const shares = sharedOff(world, of, sum);
  const by_place = new Map<number, bigint>();
  let most = amount;
  for (const { place, left } of discountsOn({ invoice, full_period }, planned)) {
    const line = invoice.lines[place]!;
    const share = shares.find(({ discount }) => isOff(line, discount))!;
    const lines = linesIn(world, of, { without, isIts: (one) => isOff(one, share.discount) });
    const excess = -netOf(world, lines, planned) - share.amount;
    const part = notNegative([excess, left, most].reduce(smaller));
    most -= part;
    by_place.set(place, part);
  }
  return by_place;
}

/** The amounts that the lines of discounts of a full period on an invoice have left, the oldest discount first. */
export function discountsOn(
  { invoice, full_period: { start } }: Place,
  planned: readonly Planned[],
): { place: number; left: bigint }[] {
  return [...invoice.lines.entries()].flatMap(([place, { type, full_period }]) => {
    if (type !== 'discount' || full_period.start !== start) return [];
    const left = plannedOn(invoice, planned, place) - leftOf(invoice, place);
    return left > 0n ? [{ place, left }] : [];
  });
}

/** The amount that an invoice has left beside the notes that stand and the planned ones. */
export function leftOn(invoice: Invoice, planned: readonly Planned[]): bigint {
  const credited = standingNotes(invoice).reduce((sum, { net }) => sum + net, plannedOn(invoice, planned));
  return amountsOf(invoice).subtotal - credited;
}

/** The planned amounts on an invoice, or on its line at a place. */
function plannedOn(invoice: Invoice, planned: readonly Planned[], place?: number): bigint {
  const isIts = (one: Planned) => one.invoice === invoice && (place === undefined || one.place === place);
  return planned.filter(isIts).reduce((sum, { amount }) => sum + amount, 0n);
}

/** The smaller one of two amounts. */
export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
