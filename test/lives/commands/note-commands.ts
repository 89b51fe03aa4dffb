import fc from 'fast-check';
import type { Command } from './command.ts';
import { isNoteKept } from '../model/closed-months.ts';
import { creditInvoice, leftOf } from '../model/credit-notes.ts';
import { voidNote } from '../model/fee-notes.ts';
import { isFee } from '../model/fees.ts';
import { forOne, isIssued, minorText } from './owed-commands.ts';
import { standingNotes } from '../model/owed.ts';
import { post } from '../run/session.ts';
import type { CreditNote, Invoice } from '../model/world.ts';

/** Credit notes that people make, and their voids. */

type Crediting = { pick: number; line: number | null; quarters: bigint | null; to_balance: boolean };
type Fits = (invoice: Invoice) => boolean;

/** One line or all; all that is left, or a part of the amount in quarters, also a fifth quarter. */
export const aCreditNote = crediting(
  fc.record({
    pick: fc.nat(5),
    line: fc.option(fc.nat(4), { freq: 2 }),
    quarters: fc.constantFrom(null, 1n, 2n, 2n, 5n),
    to_balance: fc.constantFrom(true, true, false),
  }),
  (invoice) => invoice.lines.length > 0 && isIssued(invoice),
);

/** A note on one of these invoices with fees in advance, by the position from the newest. */
export const aNoteOf = (...places: number[]) =>
  crediting(
    fc.record({
      pick: fc.constantFrom(...places),
      line: fc.constant(null),
      quarters: fc.constantFrom(null, null, 1n, 2n, 3n),
      to_balance: fc.constantFrom(true, true, false),
    }),
    (invoice) => isIssued(invoice) && invoice.lines.some(({ charge }) => isFee(charge)),
  );

function crediting(choices: fc.Arbitrary<Crediting>, fits: Fits): fc.Arbitrary<Command> {
  return choices.map(({ pick, line, quarters, to_balance }) =>
    forOne(
      `credit ${quarters ?? 'all'}${quarters === null ? '' : ' quarters'} of ${line === null ? 'all lines' : `line ${line}`}${to_balance ? '' : ', outside'}`,
      pick,
      fits,
      (world, invoice) => {
        const lines = line === null && quarters === null ? 'all' : linesOf(invoice, { line, quarters });
        return {
          what: 'credit note issued',
          send: async (path, session) => {
            const { line_items } = (await session.request(path)).body;
            const named = (of: Exclude<typeof lines, 'all'>) =>
              of.map(({ place, amount }) => ({
                line_item_id: line_items[place].id,
                ...(amount === null ? {} : { amount: minorText(amount, world.digits) }),
              }));
            const body = { lines: lines === 'all' ? lines : named(lines), reason: 'Outage' };
            const settle = to_balance ? 'balance' : 'outside';
            return post(session, `${path}/credit-notes`, { ...body, settle });
          },
          run: () => creditInvoice(world, invoice, { lines, to_balance }) !== null,
        };
      },
    ),
  );
}

/** One line, or those that have something left above 0, each in quarters of its amount. */
function linesOf(
  invoice: Invoice,
  { line, quarters }: Pick<Crediting, 'line' | 'quarters'>,
): { place: number; amount: bigint | null }[] {
  const all = [...invoice.lines.keys()].filter((place) => leftOf(invoice, place) > 0n);
  const places = line !== null || all.length === 0 ? [(line ?? 0) % invoice.lines.length] : all;
  return places.map((place) => {
    const { amount } = invoice.lines[place]!;
    return { place, amount: quarters === null || amount <= 0n ? null : (amount * quarters) / 4n || 1n };
  });
}

/** The void of any credit note, also of one that is void. */
export const aNoteVoid = voiding(fc.record({ pick: fc.nat(5), at: fc.nat(5) }), ({ notes }) => notes);

/** The void of a note that a person made and that stands. */
export const aNoteVoidOf = (...places: number[]) =>
  voiding(fc.record({ pick: fc.constantFrom(...places), at: fc.nat(2) }), (invoice) =>
    standingNotes(invoice).filter(({ automatic }) => !automatic),
  );

type Voiding = { pick: number; at: number };

function voiding(
  choices: fc.Arbitrary<Voiding>,
  notesOf: (invoice: Invoice) => readonly CreditNote[],
): fc.Arbitrary<Command> {
  return choices.map(({ pick, at }) =>
    forOne(
      'void a credit note',
      pick,
      (invoice) => notesOf(invoice).length > 0,
      (world, invoice) => {
        const notes = notesOf(invoice);
        const place = invoice.notes.indexOf(notes[at % notes.length]!);
        return {
          what: 'credit note voided',
          send: async (path, session) => {
            const { id } = (await session.request(path)).body.credit_notes[place];
            return post(session, `/v1/credit-notes/${id}/void`);
          },
          run: () =>
            isNoteKept(world, invoice.notes[place]!) ? 'month_closed' : voidNote(world, invoice, place),
        };
      },
    ),
  );
}
