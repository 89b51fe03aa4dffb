import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Received } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { charge, defaultMethod, FOR_GOOD, refusalsOf } from '../model/attempts.ts';
import { atProvider, isClearlyChargeable } from '../model/chargeable.ts';
import type { Attempt } from '../model/collection.ts';
import { dueOf } from '../model/owed.ts';
import { answer } from '../model/schedules.ts';
import { note, type Invoice, type World } from '../model/world.ts';
import { deliver, untilAnswered } from '../run/provider.ts';
import { post, type Session } from '../run/session.ts';
import { command, picked, type Command } from './command.ts';

/** Charges that a person makes, and the answers of banks that take days (billing.md 20). */

/** Asserts that the API refused a request for one of the reasons that hold. */
export function assertRefusedFor(world: World, response: Received, reasons: readonly string[]): void {
  const reason = response.body?.error?.details?.[0]?.reason;
  assert.ok(reasons.includes(reason), `${JSON.stringify(response.body)}, should be ${reasons.join(' or ')}`);
  assertRefused(response, { code: 'conflict' });
  note(world, `refused: ${reason}`);
}

/** Most often an invoice of which the provider charges what is due; of every sixth pick any. */
export function oneToCharge({ invoices, currency }: World, pick: number): Invoice | undefined {
  const open = invoices.filter(({ status }) => status === 'open');
  const chargeable = open.filter((invoice) => atProvider(currency, dueOf(invoice)) !== null);
  return picked(chargeable.length === 0 || pick === 5 ? invoices : chargeable, pick);
}

/** A charge of what is due, with the default method or with any. */
export const aCharge: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(5), method: fc.option(fc.nat(4), { freq: 3 }) })
  .map(({ pick, method: of_method }) => {
    const methodIn = (world: World) =>
      of_method === null ? null : (picked(world.collection.methods, of_method) ?? null);
    return command({
      name: `charge ${pick}${of_method === null ? '' : ` with ${of_method}`}`,
      isPossible: (world) => {
        const invoice = oneToCharge(world, pick);
        return invoice !== undefined && isClearlyChargeable(world.currency, dueOf(invoice));
      },
      run: async (world, session) => {
        const invoice = oneToCharge(world, pick)!;
        const method = methodIn(world);
        const place = world.invoices.indexOf(invoice);
        session.steps.push(`charge invoice ${place}${method === null ? '' : ` with ${method.label}`}`);
        const body =
          method === null
            ? {}
            : { payment_method_id: session.methods[world.collection.methods.indexOf(method)] };
        const response = await post(session, `/v1/invoices/${session.invoices[place]}/charge`, body);
        const reasons = refusalsOf(world, invoice, method ?? defaultMethod(world));
        if (reasons.length > 0) return assertRefusedFor(world, response, reasons);
        assert.equal(response.status, 201, JSON.stringify(response.body));
        charge(world, invoice, { method: (method ?? defaultMethod(world))!, by: 'person' });
        await untilAnswered(session, response.body.id, ['pending']);
      },
    });
  });

const takesDays = ({ status }: Attempt) => status === 'processing';

/** The answer of the bank on a charge that takes days. */
export const aBankAnswer: fc.Arbitrary<Command> = fc
  .record({
    pick: fc.nat(3),
    declined: fc.constantFrom(null, null, null, 'insufficient_funds', FOR_GOOD),
  })
  .map(({ pick, declined }) =>
    command({
      name: `the bank answers ${pick}: ${declined ?? 'yes'}`,
      isPossible: ({ collection }) => collection.attempts.some(takesDays),
      run: async (world, session) => {
        const attempt = picked(world.collection.attempts.filter(takesDays), pick)!;
        const place = world.invoices.indexOf(attempt.invoice);
        session.steps.push(`the bank answers on invoice ${place}: ${declined ?? 'yes'}`);
        const read = await attemptAt(session, place, attempt.number);
        session.provider.stripe.finish(
          read.provider_reference,
          declined === null ? 'succeeds' : { declined },
        );
        await deliver(session);
        await untilAnswered(session, read.id, ['processing', 'pending']);
        answer(world, attempt, declined);
        note(world, declined === null ? 'charge of days succeeded' : 'charge of days declined');
      },
    }),
  );

async function attemptAt({ request, invoices }: Session, place: number, number: number) {
  const { body } = await request(`/v1/payment-attempts?invoice_id=${invoices[place]}&limit=200`);
  return body.data.find((attempt: { number: number }) => attempt.number === number);
}
