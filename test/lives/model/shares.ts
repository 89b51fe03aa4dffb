import { leftOf } from './credit-notes.ts';
import { discountsOn, leftOn, smaller, takenAlong } from './discounts-on-notes.ts';
import { isPlanLine, type Planned } from './period-sums.ts';
import type { Invoice, Line, Settle, World } from './world.ts';

/** The money that automatic notes credit (billing.md 7): at most what lines and invoices have left beside all notes that stand. */

/** Money to credit on the lines that fit. */
export type Owed<Of> = { of: Of; money: bigint; isOf: (line: Line) => boolean };
/** The part of it that comes off a line of an invoice. */
export type Share<Of> = { of: Of; invoice: Invoice; place: number; amount: bigint };
/** The money of the notes of one kind: all of it that comes off an invoice is one note. */
type OfNote<Of> = readonly Owed<Of>[];

/** The settles of notes, in the order in which an invoice gets them. */
export const SETTLED = ['outside', 'balance'] as const;

/** Shares out what is owed, in its order, over the lines of some invoices, in theirs. */
export function shareOut<Of>(
  world: World,
  invoices: readonly Invoice[],
  owed: readonly OfNote<Of>[],
): Share<Of>[] {
  return sharedOut({ world, without: undefined }, invoices, owed).shares;
}

/** Lists of what is owed, one for each settle, in the order of the notes of an invoice. */
export function bySettle<Of extends { settle: Settle }>(owed: OfNote<Of>): OfNote<Of>[] {
  return SETTLED.map((settle) => owed.filter(({ of }) => of.settle === settle));
}

/** The world, without the invoice that is being issued. */
type Before = { world: World; without: Invoice | undefined };

/** Shares as above, with the lines of discounts that the notes take along. */
export function sharedOut<Of>(
  before: Before,
  invoices: readonly Invoice[],
  owed: readonly OfNote<Of>[],
): { shares: Share<Of>[]; planned: Planned[] } {
  const planned: Planned[] = [];
  const shares: Share<Of>[] = [];
  const missing = new Map(owed.flat().map((one) => [one, one.money]));
  // By invoice first, as the notes are made: each lowers the sum of its full period.
  for (const invoice of invoices)
    for (const of_note of owed) {
      const noted = fitting(invoice, wantedOn(invoice, of_note, missing), planned);
      const along = alongWith(before, noted, planned);
      for (const { one, place, amount } of noted) {
        shares.push({ of: one.of, invoice, place, amount });
        planned.push({ invoice, place, amount });
        missing.set(one, missing.get(one)! - amount);
      }
      planned.push(...along);
    }
  return { shares, planned };
}

type Wanted<Of> = Planned & { one: Owed<Of> };

/** The parts of what is missing that the lines of an invoice have left. */
function wantedOn<Of>(
  invoice: Invoice,
  of_note: OfNote<Of>,
  missing: ReadonlyMap<Owed<Of>, bigint>,
): Wanted<Of>[] {
  return of_note.flatMap((one) => {
    const place = invoice.lines.findIndex(one.isOf);
    if (place === -1) return [];
    const amount = smaller(missing.get(one)!, leftOf(invoice, place));
    return amount > 0n ? [{ one, invoice, place, amount }] : [];
  });
}

/**
 * The part of them, in their order, for which the invoice has enough left once all lines of discounts are off it that
 * the note may take along.
 */
function fitting<Of>(
  invoice: Invoice,
  wanted: readonly Wanted<Of>[],
  planned: readonly Planned[],
): Wanted<Of>[] {
  const line = loweredBy(wanted);
  const off = line === undefined ? [] : discountsOn({ invoice, full_period: line.full_period }, planned);
  let most = off.reduce((sum, { left }) => sum + left, leftOn(invoice, planned));
  return wanted.flatMap((one) => {
    const amount = smaller(one.amount, most);
    if (amount <= 0n) return [];
    most -= amount;
    return [{ ...one, amount }];
  });
}

function alongWith<Of>(
  { world, without }: Before,
  noted: readonly Wanted<Of>[],
  planned: readonly Planned[],
): Planned[] {
  const line = loweredBy(noted);
  if (line === undefined) return [];
  const { invoice } = noted[0]!;
  const amount = noted.reduce((sum, one) => sum + one.amount, 0n);
  return takenAlong(world, { invoice, full_period: line.full_period, amount, without }, planned);
}

/** A plan line of a note, which lowers the sum of its full period; undefined where it has none. */
function loweredBy<Of>(noted: readonly Wanted<Of>[]): Line | undefined {
  return noted.map(({ invoice, place }) => invoice.lines[place]!).find(isPlanLine);
}
