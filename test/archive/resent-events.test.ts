import assert from 'node:assert/strict';
import { redactEvents } from '../../worker/redactions.ts';
import { archiveEvents } from '../../src/archive/archive.ts';
import { restoreMonth } from '../../src/archive/restore.ts';
import { redactCustomer } from '../../src/billing/customers/redact.ts';
import { compareBatch, storeBatch, type NewEvent } from '../../src/db/events/events.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../support/ledger/events.ts';
import { aFolder } from '../support/servers/folder.ts';
import { untilSomebodyWaits } from '../support/ledger/locks.ts';
import { redactAllEvents } from '../support/ledger/redactions.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';
import { assertSound, BEFORE, ENVIRONMENTS, settle } from './archive-ledger.ts';

const COUNT = 4;
const MONTH = '2026-01';

describe('a resend of an event that leaves, comes back, or loses a property', () => {
  const say = () => undefined;
  let pool: Pool;
  let folder: string;
  let customer: given.TestCustomer;
  let sent: NewEvent[];
  let differing: NewEvent[];
  const expected = [...Array(COUNT).fill('duplicate'), ...Array(COUNT).fill('conflict')];

  beforeEach(async () => {
    pool = await given.aLedger();
    folder = await aFolder();
    customer = await given.aCustomer(pool);
    await pool.query('create table events_202601 partition of events for values in (202601)');
    sent = Array.from({ length: COUNT }, (_, n) =>
      aNewEvent(customer, `key ${n}`, n, {
        timestamp: `2026-01-0${n + 1}T00:00:00.000Z`,
        properties: JSON.stringify({ n, email: 'ada@example.org' }),
      }),
    ).sort(byHash);
    // What a redaction leaves of them is not what was sent either.
    differing = sent.map((event) => ({ ...event, properties: JSON.stringify({ n: event.place }) }));
    await storeBatch(pool, sent);
    await pool.query(`update events set bucket = 202601 where timestamp < '2026-01-03'`);
    await settle(pool);
  });
  afterEach(async () => {
    await assertSound(pool);
    await pool.end();
  });

  const answers = async () => [...(await compareBatch(pool, sent)), ...(await compareBatch(pool, differing))];
  const archive = (by: Pool) =>
    archiveEvents(by, { before: BEFORE, environments: ENVIRONMENTS, folder, say });
  const restore = (by: Pool) => restoreMonth(by, { month: MONTH, folder, say });
  const redact = () =>
    transaction(pool, (db) =>
      redactCustomer(db, given.LIVE, { id: customer.id, properties: ['email'], by: 'key' }),
    );

  /** Resends all events before each statement of `work`; where its transaction locks the table, once it has ended. Returns how often. */
  async function resendingDuring(work: (by: Pool) => Promise<unknown>): Promise<number> {
    const pending: Promise<string[]>[] = [];
    let is_locked = false;
    let asked = 0;
    const watched = watchedPool(pool, async (text) => {
      asked++;
      const answer = answers();
      pending.push(answer);
      if (!is_locked) await answer;
      is_locked = /^alter table events detach|^drop table/.test(text);
    });
    await work(watched);
    for (const answer of pending) assert.deepEqual(await answer, expected);
    return asked;
  }

  it('says the same at every statement of an archive, a partition that is dropped too, and of the restore', async () => {
    assert.ok((await resendingDuring(archive)) > 10);
    assert.equal((await pool.query('select from events')).rows.length, 0);
    assert.equal((await pool.query(`select to_regclass('events_202601') as found`)).rows[0].found, null);
    assert.deepEqual(await answers(), expected);
    assert.ok((await resendingDuring(restore)) > 5);
    assert.equal((await pool.query('select from events')).rows.length, COUNT);
    assert.deepEqual(await answers(), expected);
  });

  it('says the same at every statement of a redaction, and of an archive after it', async () => {
    await redact();
    assert.ok(
      (await resendingDuring(async (by) => {
        for (let slice = 0; slice < 4; slice++) await redactEvents(by, 2);
      })) > 10,
    );
    await redactAllEvents(pool);
    assert.equal((await pool.query(`select from events where properties ? 'email'`)).rows.length, 0);
    assert.deepEqual(await answers(), expected);
    await archive(pool);
    assert.deepEqual(await answers(), expected);
    await restore(pool);
    assert.deepEqual(await answers(), expected);
  });

  it('says the same where the event left with a property that is redacted before it comes back', async () => {
    await archive(pool);
    await redact();
    await redactAllEvents(pool);
    await restore(pool);
    assert.equal((await pool.query(`select from events where properties ? 'email'`)).rows.length, 0);
    assert.deepEqual(await answers(), expected);
  });

  for (const end of ['commit', 'rollback'])
    it(`waits for a slice that writes the hash of its key, and says the same after its ${end}`, async () => {
      await redact();
      const held: Promise<string[]>[] = [];
      const stopped = new Error('rolled back');
      const watched = watchedPool(pool, async (text) => {
        if (!text.startsWith('update redactions')) return;
        // The events and their keys are changed, and the transaction is open. A store waits for it, a comparison does not.
        assert.deepEqual(await answers(), expected);
        held.push(storeBatch(pool, sent));
        await untilSomebodyWaits(pool);
        if (end === 'rollback') throw stopped;
      });
      const slice = redactEvents(watched, 100);
      if (end === 'rollback') await assert.rejects(slice, stopped);
      else await slice;
      assert.deepEqual(await Promise.all(held), [Array(COUNT).fill('duplicate')]);
      assert.deepEqual(await answers(), expected);
      await redactAllEvents(pool);
    });
});
