import assert from 'node:assert/strict';
import { checkMoment, type Breach } from '../../../src/db/invariants/all.ts';
import { NO_INPUTS, type CheckInputs } from '../../../src/db/invariants/check.ts';
import type { Kind } from '../../../src/db/invariants/unit.ts';
import { readOnly, type Db, type Pool } from '../../../src/db/connection/pool.ts';
import { assertBooks } from './books.ts';

/** Accepted breaches: the test cluster runs without durability, because no test data must survive a crash of the machine. */
const NOT_DURABLE = ['setting fsync', 'setting full_page_writes'];

/** All breaches in a database, or those of units of some kinds, read in the caller's transaction. */
export async function breachesOf(
  db: Db,
  inputs: CheckInputs = NO_INPUTS,
  kinds?: readonly Kind[],
): Promise<Breach[]> {
  const checked = await checkMoment(db, inputs, kinds);
  return checked.flatMap(({ breaches }) => breaches ?? []).filter(({ row }) => !NOT_DURABLE.includes(row));
}

/** Asserts that every invariant holds after the tests of a database (docs/invariants.md), and that the journal agrees with it. */
export async function assertSound(pool: Pool): Promise<void> {
  assert.deepEqual(await readOnly(pool, (db) => breachesOf(db)), []);
  await assertBooks(pool);
}
