import assert from 'node:assert/strict';
import { creditInvoice } from './credit-notes.ts';
import { excessOf, type Ended } from './fees.ts';
import type { Share } from './shares.ts';
import { note, type Instant, type Invoice, type Subscription, type World } from './world.ts';
import { spanText } from './words.ts';

/**
 * Makes the notes of unused time (billing.md 10) of the fees of the period that starts at this instant, as far as it has ended: one for all
 * fees of an invoice, the one issued last first.
 */
export function settleFees(world: World, subscription: Subscription, start: Instant): void {
  const shares = excessOf(world, subscription, start);
  const invoices = [...new Set(shares.map(({ invoice }) => invoice))];
  for (const invoice of invoices.toSorted((a, b) => b.number! - a.number!))
    for (const settle of ['balance', 'outside'] as const) {
      const lines = shares.filter((share) => share.invoice === invoice && share.of.settle === settle);
      if (lines.length > 0) creditTime(world, subscription, { invoice, lines });
    }
}

type Unused = { invoice: Invoice; lines: readonly Share<Ended>[] };

function creditTime(world: World, { timezone }: Subscription, { invoice, lines }: Unused): void {
  const { end: start, settle } = lines[0]!.of;
  const ends = lines.map(({ place }) => invoice.lines[place]!.period.end).toSorted();
  const reason = `Unused time from ${spanText({ start, end: ends.at(-1)! }, timezone)}`;
  const origin = { automatic: true, cause: null, reason };
  const made = creditInvoice(world, invoice, { lines, to_balance: settle === 'balance', origin });
  assert.ok(made, 'lines and invoice have left what is credited');
  note(world, `note of unused time, ${settle}`);
}
