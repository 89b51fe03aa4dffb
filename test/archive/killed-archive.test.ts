import assert from 'node:assert/strict';
import { archiveEvents } from '../../src/archive/archive.ts';
import { restoreMonth } from '../../src/archive/restore.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { compareBatch, type NewEvent } from '../../src/db/events/events.ts';
import * as given from '../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../support/ledger/events.ts';
import { aFolder } from '../support/servers/folder.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';
import {
  aBilledCustomer,
  assertSound,
  BEFORE,
  ENVIRONMENTS,
  eventDays,
  rowsOf,
  settle,
} from './archive-ledger.ts';

/** Sends statements until there were `limit`, and fails from then on: as if the process were killed. */
function mortal(pool: Pool, limit: number): Pool {
  let sent = 0;
  return watchedPool(pool, async () => {
    if (++sent > limit) throw new Error('killed');
  });
}

/** Every stored event, as its client would send it again. */
async function resends(pool: Pool): Promise<NewEvent[]> {
  const { rows } = await pool.query<Stored>(
    `select customer_key, event_name, idempotency_key, timestamp, properties::text as properties from events`,
  );
  return rows
    .map(({ customer_key, idempotency_key, ...changes }, place) =>
      aNewEvent({ id: 'any', key: customer_key }, idempotency_key, place, changes),
    )
    .sort(byHash);
}

type Stored = Pick<NewEvent, 'event_name' | 'idempotency_key' | 'timestamp' | 'properties'> & {
  customer_key: string;
};

describe('an archive that is killed', () => {
  const say = () => undefined;
  let pool: Pool;
  let folder: string;
  before(async () => {
    pool = await given.aLedger();
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    await aBilledCustomer(pool, plan, 4);
    await aBilledCustomer(pool, plan, 2);
    await settle(pool);
    folder = await aFolder();
  });
  after(() => pool.end());

  it('at any statement loses nothing, and the next run goes on, there and back', async () => {
    const events = await rowsOf(pool);
    const days = await eventDays(pool);
    const sent = await resends(pool);
    const changed = sent.map((event) => ({ ...event, event_name: 'other' }));
    const assertResends = async () => {
      assert.deepEqual(new Set(await compareBatch(pool, sent)), new Set(['duplicate']));
      assert.deepEqual(new Set(await compareBatch(pool, changed)), new Set(['conflict']));
    };
    const months = ['2026-02', '2026-01'];
    const archive = (by: Pool) =>
      archiveEvents(by, { before: BEFORE, environments: ENVIRONMENTS, folder, say });
    const isBack = async (month: string) =>
      (await pool.query('select from archive_files where month = $1 and restored_at is null', [month])).rows
        .length === 0 &&
      (await pool.query('select from customers where archived_to > $1', [`${month}-01`])).rows.length === 0;
    const endure = async (work: (by: Pool) => Promise<unknown>, limit: number) => {
      const failure: unknown = await work(mortal(pool, limit)).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) return true;
      assert.match(String(failure), /killed/);
      return false;
    };
    let kills = 0;
    for (let limit = 1, is_whole = false; !is_whole; limit++) {
      is_whole = await endure(archive, limit);
      if (!is_whole) kills++;
      const found = (await rowsOf(pool)).length;
      assert.ok(found >= events.length - 28, `${found} events are left after ${limit} statements`);
      await assertResends();
      await archive(pool);
      assert.equal((await rowsOf(pool)).length, events.length - 28);
      await assertResends();
      for (const month of months) {
        if (!is_whole && (await endure((by) => restoreMonth(by, { month, folder, say }), limit))) continue;
        if (!(await isBack(month))) await restoreMonth(pool, { month, folder, say });
      }
      assert.deepEqual(await rowsOf(pool), events, `after ${limit} statements`);
      assert.deepEqual(await eventDays(pool), days);
      await assertResends();
    }
    console.log(`      killed at ${kills} statements`);
    await assertSound(pool);
  });
});
