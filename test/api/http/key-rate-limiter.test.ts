import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createKeyRateLimiter, type KeyRateLimiter } from '../../../api/access/key-rate-limiter.ts';
import { takeUnits, type RateLimit } from '../../../src/db/account/rate-buckets.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { newId } from '../../../src/keys/ids.ts';
import { createDatabase } from '../../support/servers/cluster.ts';

const SIZE = 1000;
/** Rate so slow that nothing is refilled during a test. */
const LIMIT: RateLimit = { size: SIZE, per_second: 0.001 };
/** Number of units that a process takes from the database at a time. */
const BLOCK = 10;

describe('the rate limiter of keys', () => {
  let pool: Pool;
  let statements = 0;
  before(async () => {
    pool = createPool(await createDatabase(), 4);
  });
  after(() => pool.end());

  const failures: unknown[] = [];
  const aProcess = (limit = LIMIT): KeyRateLimiter =>
    createKeyRateLimiter(
      limit,
      (asked) => {
        statements++;
        return takeUnits(pool, limit, asked);
      },
      (error) => failures.push(error),
    );
  const takenBy = async (limiter: KeyRateLimiter, key: string, times: number) => {
    const units = await Promise.all(Array.from({ length: times }, async () => limiter.take(key)));
    return units.filter(({ is_taken }) => is_taken).length;
  };

  for (const first of [2000, 700])
    it(`gives every unit once to two processes, with ${first} of 2700 requests at one of them`, async () => {
      const [one, other, key] = [aProcess(), aProcess(), newId('key')];
      const taken = await Promise.all([takenBy(one, key, first), takenBy(other, key, 2700 - first)]);
      // The process that asked first and got all its units still holds a block.
      const held = await Promise.all([takenBy(one, key, 2 * BLOCK), takenBy(other, key, 2 * BLOCK)]);
      assert.deepEqual([[...taken, ...held].reduce((all, part) => all + part), failures], [SIZE, []]);
    });

  it('queries once per block, and refuses without a query', async () => {
    const [limiter, key] = [aProcess(), newId('key')];
    statements = 0;
    for (let i = 0; i < 3 * BLOCK; i++) assert.ok((await limiter.take(key)).is_taken);
    assert.equal(statements, 3);
    await takenBy(limiter, key, SIZE);
    const before = statements;
    assert.equal(await takenBy(limiter, key, SIZE), 0);
    assert.equal(statements, before);
  });

  it('gives one process all units that the other has not used, except one block', async () => {
    const [one, other, key] = [aProcess(), aProcess(), newId('key')];
    assert.ok((await one.take(key)).is_taken);
    assert.equal(await takenBy(other, key, SIZE), SIZE - BLOCK - 1);
    assert.equal(await takenBy(one, key, SIZE), BLOCK);
  });

  it('gives the remaining units, even less than a block', async () => {
    const [one, other, key] = [aProcess(), aProcess(), newId('key')];
    // Each process takes a block; half a block remains in the database.
    assert.equal(await takenBy(other, key, SIZE - 2.5 * BLOCK - 1), SIZE - 2.5 * BLOCK - 1);
    assert.ok((await one.take(key)).is_taken);
    assert.equal(await takenBy(one, key, 2 * BLOCK), 1.5 * BLOCK);
  });

  it('has a separate bucket for each key', async () => {
    const limiter = aProcess();
    const keys = Array.from({ length: 20 }, () => newId('key'));
    assert.deepEqual(
      await Promise.all(keys.map((key) => takenBy(limiter, key, SIZE + 5))),
      keys.map(() => SIZE),
    );
  });

  it('serves a sender above the rate evenly: after the announced wait there is a unit', async () => {
    const limit = { size: SIZE, per_second: SIZE };
    const [limiter, key] = [aProcess(limit), newId('key')];
    await takenBy(limiter, key, 2 * SIZE);
    for (let i = 0; i < 5; i++) {
      let unit = await limiter.take(key);
      while (unit.is_taken) unit = await limiter.take(key);
      assert.ok(unit.resets_in_ms <= BLOCK, `${unit.resets_in_ms} ms`);
      await pass(unit.resets_in_ms);
      assert.ok((await limiter.take(key)).is_taken);
    }
  });

  it('gives no more than the bucket and its refill', async () => {
    const limit = { size: 100, per_second: 1000 };
    const [one, other, key] = [aProcess(limit), aProcess(limit), newId('key')];
    const started_at = performance.now();
    let taken = 0;
    while (performance.now() < started_at + 300)
      for (const part of await Promise.all([takenBy(one, key, 20), takenBy(other, key, 20)])) taken += part;
    const came_back = performance.now() - started_at;
    assert.ok(taken >= 100 && taken <= 100 + came_back, `${taken} in ${came_back} ms`);
  });

  it('waits until owed units are refilled, to the hundredth', async () => {
    const limit = { size: 10, per_second: 0.01 };
    const [one, other, key] = [aProcess(limit), aProcess(limit), newId('key')];
    assert.ok((await one.take(key)).is_taken);
    for (let i = 0; i < 100; i++) one.owe(key, 0.29);
    // 1 + 29 units were taken from a bucket of 10. Unit 31 needs a refill of 21.
    const { is_taken, resets_in_ms } = await one.take(key);
    assert.deepEqual([is_taken, Math.round(resets_in_ms / 100_000)], [false, 21]);
    assert.equal((await other.take(key)).is_taken, false);
  });

  it('without a database each process allows the full rate, and waits for owed units', async () => {
    const alone = () =>
      createKeyRateLimiter(
        LIMIT,
        () => Promise.reject(new Error('no store')),
        () => undefined,
      );
    const [one, other, key] = [alone(), alone(), newId('key')];
    assert.deepEqual(await Promise.all([takenBy(one, key, 1200), takenBy(other, key, 1200)]), [SIZE, SIZE]);
    one.owe(key, 2 * SIZE);
    const { is_taken, resets_in_ms } = await one.take(key);
    assert.equal(is_taken, false);
    assert.ok(resets_in_ms > 2 * SIZE * 999 * 1000, `${resets_in_ms} ms`);
  });

  it('waits at most once a second for a database that does not respond', async () => {
    let asked = 0;
    const why: unknown[] = [];
    const never = () => {
      asked++;
      return new Promise<never>(() => undefined);
    };
    const [limiter, key] = [createKeyRateLimiter(LIMIT, never, (error) => why.push(error)), newId('key')];
    for (let i = 0; i < 5 * BLOCK; i++) assert.ok((await limiter.take(key)).is_taken);
    assert.deepEqual([asked, why.map(String)], [1, ['Error: no response within 500 ms']]);
    await pass(1000);
    assert.ok((await takenBy(limiter, key, 2 * BLOCK)) > 0);
    assert.equal(asked, 2);
  });
});

/** Waits by the limiter's clock: a timer counts from the start of its event-loop turn, so it can fire early. */
async function pass(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) await pause(1);
}
