import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { readCsv } from '../../support/documents/csv.ts';
import { keptOf } from '../../support/ledger/journal-hash.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { begin, type Life } from '../commands/begin.ts';
import { aChange } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { anAdvanceBy, comeToAnEnd } from '../commands/customer-commands.ts';
import { aCorrection, someLateUsage, somePresentUsage } from '../commands/event-commands.ts';
import { aRegenerationOf, aRehearsalOf, aVoidOf, aVoidOfAny } from '../commands/invoice-commands.ts';
import type { Beginnings } from '../commands/life.ts';
import { aCloseOf, aMonthOpening } from '../commands/month-commands.ts';
import { aCreditNote, aNoteVoidOf } from '../commands/note-commands.ts';
import { aPartPayment } from '../commands/owed-commands.ts';
import { monthOf } from '../model/closed-months.ts';
import { ACTS } from './acts.ts';
import { compareClosedMonths } from './closed-months.ts';
import { textOf } from './run.ts';
import type { Account } from './accounts.ts';
import type { Session } from './session.ts';

const SUM = { type: 'sum', property: 'size' } as const;
const PRICINGS: Pricing[] = [
  { pricing_model: 'flat', flat_amount: '49', billed: 'in_advance' },
  { pricing_model: 'per_unit', unit_amount: '2.25' },
];

/** A weekly fee in advance and usage, so that several documents are in the month that is closed. */
const BEGINNINGS: Beginnings = {
  customer: { currency: 'USD', digits: 2, tax_rate: '20', timezone: 'UTC' },
  now: at('01-20T01:00'),
  intention: {
    charges: PRICINGS.map((pricing) => ({ aggregation: SUM, filters: null, pricing })),
    periods: { interval: 'week', interval_count: 1 },
    grants: [],
    minimum_amount: null,
    quantities: [],
    ...{ custom: null, bill_at: null },
    ...{ starts: 0, trial_days: null, anchor: null },
  },
};

const MONTH = monthOf(at('02-01'));

const toTheEnd = anAdvanceBy({ hold_drafts: [false] }, 'end');
/** A week before the close: a bill, and documents that correct and pay bills. */
const A_WEEK = [somePresentUsage, toTheEnd, someLateUsage, aCreditNote, aPartPayment];
const WEEKS = 6;

/** Any document of the life, also of the month that is closed: places from the newest wrap around. */
const OF_ANY = Array.from({ length: 60 }, (_, place) => place);
const SOME_ACTS = [
  ...ACTS.filter((act) => act !== aMonthOpening),
  ...[aChange, aCorrection, someLateUsage, aNoteVoidOf(...OF_ANY), aNoteVoidOf(...OF_ANY)],
  ...[aVoidOf(...OF_ANY), aVoidOf(...OF_ANY), aRegenerationOf(...OF_ANY), aRegenerationOf(...OF_ANY)],
  aRehearsalOf(...OF_ANY),
];

type Order = { seed: number; acts: number };

/**
 * Lives through a number of random acts after a month is closed. After each act, the journal of the month has the same bytes, the same hash
 * and the same sums. Returns how often each situation occurred.
 */
export async function liveThroughClosedMonth(
  account: Account,
  { seed, acts }: Order,
): Promise<ReadonlyMap<string, number>> {
  const { model, real } = await begin(account, 'closed-month', BEGINNINGS);
  const life = { model, real };
  try {
    for (let week = 1; week <= WEEKS; week++)
      for (const act of A_WEEK) await perform(life, drawn(act, seed * WEEKS + week));
    assert.ok(MONTH < monthOf(model.now), 'the month is over');
    await perform(life, drawn(aCloseOf(1), seed));
    assert.deepEqual([...model.closed.keys()], [MONTH]);
    const books = await booksOf(real);
    // The newest invoice is issued after the month, the one before in its last week.
    const ofTheMonth = drawn(aVoidOfAny(1), seed);
    const possible = fc.sample(fc.oneof(...SOME_ACTS), { seed, numRuns: acts * 4 });
    let done = 0;
    for (const act of [ofTheMonth, ...possible]) {
      if (done === acts) break;
      if (!(await perform(life, act))) continue;
      done++;
      assert.deepEqual(await booksOf(real), books, `the books of ${MONTH} after act ${done}`);
    }
    assert.equal(done, acts);
    await comeToAnEnd(model, real);
    await compareClosedMonths(model, real);
  } catch (error) {
    throw new Error(textOf({ steps: real.steps, error }), { cause: error });
  }
  return model.seen;
}

function drawn(commands: fc.Arbitrary<Command>, seed: number): Command {
  return fc.sample(commands, { seed, numRuns: 1 })[0]!;
}

/** Performs an act; false if it is not possible now. */
async function perform({ model, real }: Life, act: Command): Promise<boolean> {
  if (!act.check(model)) return false;
  await act.run(model, real);
  return true;
}

/** The journal of the month as a file, its sums, and the closed month, which has the hash of that file. */
async function booksOf({ request }: Session): Promise<object> {
  const read = async (path: string) => {
    const { status, body } = await request(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const journal: string = await read(`/v1/journal.csv?month=${MONTH}`);
  const { data } = await read(`/v1/journal/summary?month=${MONTH}`);
  const closed = await read(`/v1/closed-months/${MONTH}`);
  const { entries, journal_sha256 } = closed;
  assert.deepEqual(keptOf(readCsv(journal).rows), { entries, journal_sha256 });
  assert.deepEqual(data, closed.data);
  return { journal, closed };
}
