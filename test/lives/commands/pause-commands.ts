import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAmbiguous, resumeSchedules } from '../model/schedules.ts';
import { dayAfter, dayOf, pauseCollection, resumeCollection } from '../model/pauses.ts';
import { note, type Invoice, type World } from '../model/world.ts';
import { post, type Session } from '../run/session.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';

/** Pauses of collection (billing.md 18), and the mode in which invoices are charged (billing.md 21). */

type Choice = { pick: number; of_customer: boolean };

const aChoice = fc.record({ pick: fc.nat(4), of_customer: fc.constantFrom(false, false, true) });

/** Any invoice, mostly an open one; null for the customer. */
function chosen({ invoices }: World, { pick, of_customer }: Choice): Invoice | null {
  if (of_customer) return null;
  const open = invoices.filter(({ status }) => status === 'open');
  return picked(open.length === 0 || pick === 4 ? invoices : open, pick) ?? null;
}

export const aPause: fc.Arbitrary<Command> = fc
  .record({
    choice: aChoice,
    reason: fc.constantFrom('disputed', 'promised', 'other'),
    days: fc.constantFrom(null, 0, 1, 3),
  })
  .map(({ choice, reason, days }) =>
    command({
      name: `pause ${JSON.stringify({ choice, reason, days })}`,
      run: async (world, session) => {
        const invoice = chosen(world, choice);
        const until = days === null ? null : dayAfter(dayOf(world, world.now), days);
        const body = { reason, ...(until === null ? {} : { until }) };
        const answer = await send(world, session, { invoice, act: 'pause', body });
        if (!pauseCollection(world, invoice, { reason, until })) return assertInvalidState(world, answer);
        note(world, invoice === null ? 'customer paused' : 'invoice paused');
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      },
    }),
  );

export const aResume: fc.Arbitrary<Command> = aChoice.map((choice) =>
  command({
    name: `resume ${JSON.stringify(choice)}`,
    isPossible: (world) => {
      const copy = structuredClone(world);
      resume(copy, chosen(copy, choice));
      return !isAmbiguous(copy);
    },
    run: async (world, session) => {
      const invoice = chosen(world, choice);
      const answer = await send(world, session, { invoice, act: 'resume', body: {} });
      if (!resume(world, invoice)) return assertInvalidState(world, answer);
      note(world, 'collection resumed');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);

function resume(world: World, invoice: Invoice | null): boolean {
  resumeSchedules(world, invoice === null ? world.invoices : [invoice]);
  return resumeCollection(world, invoice);
}

type Sending = { invoice: Invoice | null; act: 'pause' | 'resume'; body: object };

function send({ invoices }: World, session: Session, { invoice, act, body }: Sending) {
  const place = invoice === null ? null : invoices.indexOf(invoice);
  session.steps.push(
    `${act} ${place === null ? 'the customer' : `invoice ${place}`} ${JSON.stringify(body)}`,
  );
  const of = place === null ? `customers/${session.customer_id}` : `invoices/${session.invoices[place]}`;
  return post(session, `/v1/${of}/${act}-collection`, body);
}

const DAYS = [[3, 7, 14], [1], [1, 2, 30], []];

/** The mode of the customer, and when and how often the account charges. */
export const aMode: fc.Arbitrary<Command> = modeOf('automatic', 'automatic', 'automatic', 'manual');
export const anAutomaticMode: fc.Arbitrary<Command> = modeOf('automatic');

function modeOf(...modes: readonly ('automatic' | 'manual')[]): fc.Arbitrary<Command> {
  return fc
    .record({
      mode: fc.constantFrom(...modes),
      charge_on: fc.constantFrom('issue', 'issue', 'due_date'),
      retry_days: fc.constantFrom(...DAYS),
    })
    .map((settings) =>
      command({
        name: `charge by ${JSON.stringify(settings)}`,
        isPossible: (world) => !isHeldUp(world),
        run: async (world, session) => {
          const { mode: charge_mode, charge_on, retry_days: charge_retry_days } = settings;
          session.steps.push(`charge by ${JSON.stringify(settings)}`);
          await patched(session, '/v1/account', { charge_on, charge_retry_days });
          await patched(session, `/v1/customers/${session.customer_id}`, { charge_mode });
          Object.assign(world.collection.settings, settings);
          note(world, `mode ${charge_mode}`);
        },
      }),
    );
}

/** Whether a pause or an open attempt holds up a plan whose time has come: the documents leave open what a change of mode makes of it. */
function isHeldUp({ collection, now }: World): boolean {
  return collection.schedules.some(({ status, at }) => status === 'scheduled' && at! <= now);
}

async function patched(session: Session, path: string, body: object): Promise<void> {
  const answer = await session.request(path, { method: 'PATCH', body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}
