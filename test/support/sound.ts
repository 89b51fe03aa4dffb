import assert from 'node:assert/strict';
import { checkMoment, type Breach, type Given } from '../../src/db/invariants/check.ts';
import { readOnly, type Db, type Pool } from '../../src/db/pool.ts';

/** What a test's cluster is without: nothing of a test outlives a crash of the machine. */
const NOT_DURABLE = ['setting fsync', 'setting full_page_writes'];

const NOTHING_GIVEN: Given = { acknowledged: null, workflows: null };

/** All that is wrong with a database, within a transaction of the caller's. */
export async function breachesOf(db: Db, given: Given = NOTHING_GIVEN): Promise<Breach[]> {
  const checked = await checkMoment(db, given);
  return checked.flatMap(({ breaches }) => breaches ?? []).filter(({ row }) => !NOT_DURABLE.includes(row));
}

/** Whatever tests did to a database by its API, all that must always hold holds (docs/invariants.md). */
export async function assertSound(pool: Pool): Promise<void> {
  assert.deepEqual(await readOnly(pool, (db) => breachesOf(db)), []);
}
