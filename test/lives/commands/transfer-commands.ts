import assert from 'node:assert/strict';
import fc from 'fast-check';
import { amountsOf } from '../model/amounts.ts';
import { dueOf } from '../model/owed.ts';
import { recordTransfer, reverseTransfer, type TransferPart } from '../model/transfers.ts';
import { note, type Invoice, type World } from '../model/world.ts';
import { post } from '../run/session.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';
import { bodyOf, minorText, particularsOf, someParticulars } from './owed-commands.ts';

/** Any invoice with a number, also one that is paid or void; mostly an open one. */
function invoicesFor({ invoices }: World, { picks, of_any }: { picks: readonly number[]; of_any: boolean }) {
  const numbered = invoices.filter(({ status }) => status !== 'draft');
  const open = numbered.filter(({ status }) => status === 'open');
  const from = of_any || open.length === 0 ? numbered : open;
  return [...new Set(picks.flatMap((pick) => picked(from, pick) ?? []))];
}

/** The parts: of the last invoice some quarters of its total, or all that is due, as of all others. */
function partsOf(invoices: readonly Invoice[], quarters: bigint | null): TransferPart[] {
  return invoices.map((invoice, place) => {
    if (quarters === null || place < invoices.length - 1) return { invoice, part: null };
    return { invoice, part: (amountsOf(invoice).total * quarters) / 4n || 1n };
  });
}

/** A transfer for one invoice or several, of what is taken or of more. */
export const aTransfer: fc.Arbitrary<Command> = fc
  .record({
    picks: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
    of_any: fc.constantFrom(false, false, true),
    quarters: fc.constantFrom(null, null, 1n, 2n, 5n),
    excess: fc.constantFrom(0n, 0n, 700n, 12_345n),
    made: someParticulars,
  })
  .map(({ quarters, excess, made, ...choice }) =>
    command({
      name: `transfer for invoices ${choice.picks.join(', ')}`,
      isPossible: (world) => invoicesFor(world, choice).length > 0,
      run: async (world, session) => {
        const parts = partsOf(invoicesFor(world, choice), quarters);
        const taken = parts.reduce((sum, { invoice, part }) => sum + (part ?? dueOf(invoice)), 0n);
        const amount = taken + excess || 1n;
        const particulars = particularsOf(world, made);
        const invoices = parts.map(({ invoice, part }) => ({
          id: session.invoices[world.invoices.indexOf(invoice)],
          ...(part !== null && { amount: minorText(part, world.digits) }),
        }));
        const places = parts.map(({ invoice }) => world.invoices.indexOf(invoice));
        session.steps.push(`transfer ${amount} for invoices ${places.join(', ')}`);
        const answer = await post(session, '/v1/transfers', {
          ...{ customer_id: session.customer_id, amount: minorText(amount, world.digits), invoices },
          ...bodyOf(particulars),
        });
        const outcome = recordTransfer(world, parts, { amount, particulars });
        if (outcome !== true) return assertInvalidState(world, answer, outcome || 'invalid_state');
        note(world, parts.length > 1 ? 'transfer for several invoices' : 'transfer for an invoice');
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        session.transfers.push(answer.body.id);
        const in_advance = answer.body.payments.find(
          ({ invoice_id }: { invoice_id: string | null }) => invoice_id === null,
        );
        if (in_advance !== undefined) session.deposits.push(in_advance.id);
      },
    }),
  );

/** The reversal of any transfer, also of one that was reversed before, in part or whole. */
export const aTransferReversal: fc.Arbitrary<Command> = fc.nat(5).map((pick) =>
  command({
    name: `reverse a transfer ${pick}`,
    isPossible: ({ transfers }) => transfers.length > 0,
    run: async (world, session) => {
      const place = pick % world.transfers.length;
      session.steps.push(`reverse transfer ${place}`);
      const path = `/v1/transfers/${session.transfers[place]}/reverse`;
      const answer = await post(session, path, { reason: 'bounced' });
      if (!reverseTransfer(world, world.transfers[place]!)) return assertInvalidState(world, answer);
      note(world, 'transfer reversed');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);
