import { amountsOf } from './amounts.ts';
import { leftOf } from './credit-notes.ts';
import { takenAlong, type Lowering } from './discounts-on-notes.ts';
import { standingNotes } from './owed.ts';
import { isPlanLine, type Planned } from './period-sums.ts';
import type { Invoice, Line, World } from './world.ts';

/** The money that automatic notes credit (billing.md 7): at most what lines and invoices have left beside all notes that stand. */

/** Money to credit on the lines that fit. */
export type Owed<Of> = { of: Of; money: bigint; isOf: (line: Line) => boolean };
/** The part of it that comes off a line of an invoice. */
export type Share<Of> = { of: Of; invoice: Invoice; place: number; amount: bigint };

/** Shares out what is owed, in its order, over the lines of some invoices, in theirs. */
export function shareOut<Of>(
  world: World,
  invoices: readonly Invoice[],
  owed: readonly Owed<Of>[],
): Share<Of>[] {
  return sharedOut({ world, without: undefined }, invoices, owed).shares;
}

/** The world, without the invoice that is being issued. */
type Before = { world: World; without: Invoice | undefined };

/** Shares as above, with the lines of discounts that the notes take along. */
export function sharedOut<Of>(
  before: Before,
  invoices: readonly Invoice[],
  owed: readonly Owed<Of>[],
): { shares: Share<Of>[]; planned: Planned[] } {
  const planned: Planned[] = [];
  const shares: Share<Of>[] = [];
  const missing = owed.map(({ money }) => money);
  // By invoice first, as the notes are made: each lowers the sum of its full period.
  for (const invoice of invoices)
    for (const [nth, { of, isOf }] of owed.entries()) {
      const place = invoice.lines.findIndex(isOf);
      if (place === -1) continue;
      const most = smallest(missing[nth]!, leftOf(invoice, place));
      const amount = fitting(before, { invoice, place, amount: most }, planned);
      if (amount <= 0n) continue;
      shares.push({ of, invoice, place, amount });
      const along = alongWith(before, { invoice, place, amount }, planned);
      planned.push({ invoice, place, amount }, ...along);
      missing[nth]! -= amount;
    }
  return { shares, planned };
}

/** The most of an amount that the invoice has left once the lines of discounts that it takes along are off it. */
function fitting(before: Before, wanted: Planned, planned: readonly Planned[]): bigint {
  const { invoice } = wanted;
  const taken = planned
    .filter((one) => one.invoice === invoice)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const left = leftOn(invoice) - taken;
  const fits = (amount: bigint) => {
    const along = alongWith(before, { ...wanted, amount }, planned);
    return along.reduce((sum, one) => sum + one.amount, amount) <= left;
  };
  let [least, most] = [0n, wanted.amount];
  while (least < most) {
    const middle = (least + most + 1n) / 2n;
    if (fits(middle)) least = middle;
    else most = middle - 1n;
  }
  return least;
}

function alongWith(
  { world, without }: Before,
  { invoice, place, amount }: Planned,
  planned: readonly Planned[],
): Planned[] {
  const line = invoice.lines[place]!;
  const lowering: Lowering = { invoice, full_period: line.full_period, amount, without };
  return isPlanLine(line) ? takenAlong(world, lowering, planned) : [];
}

function leftOn(invoice: Invoice): bigint {
  const nets = standingNotes(invoice).map(({ net }) => net);
  return nets.reduce((left, net) => left - net, amountsOf(invoice).subtotal);
}

function smallest(...amounts: [bigint, ...bigint[]]): bigint {
  return amounts.reduce((a, b) => (b < a ? b : a));
}
