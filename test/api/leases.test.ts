import assert from 'node:assert/strict';
import { createLeases, type Leases } from '../../api/leases.ts';
import { takeUnits } from '../../src/db/rate-windows.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { newId } from '../../src/ids.ts';
import { createDatabase } from '../support/cluster.ts';

const RATE = 1000;
/** Of a block, what each of two processes may hold back. */
const BLOCK = 10;

describe('leases of a rate', function () {
  // What is counted is one window of a second, and a machine may be busy for longer than that.
  this.retries(3);
  let pool: Pool;
  let statements = 0;
  before(async () => {
    pool = createPool(await createDatabase(), 4);
  });
  after(() => pool.end());

  const failures: unknown[] = [];
  const aProcess = (rate = RATE): Leases =>
    createLeases(
      rate,
      (asked) => {
        statements++;
        return takeUnits(pool, rate, asked);
      },
      (error) => failures.push(error),
    );
  const takenBy = async (leases: Leases, key: string, times: number) => {
    const units = await Promise.all(Array.from({ length: times }, () => leases.take(key)));
    return units.filter(({ is_taken }) => is_taken).length;
  };

  for (const first of [2000, 700])
    it(`gives every unit of a second once, also where ${first} are asked for first`, async () => {
      const [one, other, key] = [aProcess(), aProcess(), newId('key')];
      const taken = await Promise.all([takenBy(one, key, first), takenBy(other, key, 2700 - first)]);
      // Who asked first and was given all it wanted holds a block besides.
      const held = await Promise.all([takenBy(one, key, 2 * BLOCK), takenBy(other, key, 2 * BLOCK)]);
      assert.deepEqual([[...taken, ...held].reduce((all, part) => all + part), failures], [RATE, []]);
    });

  it('asks once for many, and refuses without asking', async () => {
    const [leases, key] = [aProcess(), newId('key')];
    statements = 0;
    for (let i = 0; i < 3 * BLOCK; i++) assert.ok((await leases.take(key)).is_taken);
    assert.equal(statements, 3);
    await takenBy(leases, key, RATE);
    const before = statements;
    assert.equal(await takenBy(leases, key, RATE), 0);
    assert.equal(statements, before);
  });

  it('gives what one left over to the other, but for a block', async () => {
    const [one, other, key] = [aProcess(), aProcess(), newId('key')];
    assert.ok((await one.take(key)).is_taken);
    assert.equal(await takenBy(other, key, RATE), RATE - BLOCK - 1);
    assert.equal(await takenBy(one, key, RATE), BLOCK);
  });

  it('keeps the windows of keys apart', async () => {
    const leases = aProcess();
    const keys = Array.from({ length: 20 }, () => newId('key'));
    assert.deepEqual(
      await Promise.all(keys.map((key) => takenBy(leases, key, RATE + 5))),
      keys.map(() => RATE),
    );
  });

  it('what is owed is waited for, to the hundredth', async () => {
    const [one, other, key] = [aProcess(10), aProcess(10), newId('key')];
    assert.ok((await one.take(key)).is_taken);
    for (let i = 0; i < 100; i++) one.owe(key, 0.29);
    const { is_taken, ends_in_ms } = await one.take(key);
    assert.deepEqual([is_taken, Math.ceil(ends_in_ms / 1000)], [false, 3]);
    assert.equal((await other.take(key)).is_taken, false);
  });

  it('without a store each process gives the whole rate, and waits for what is owed', async () => {
    const alone = () =>
      createLeases(
        RATE,
        () => Promise.reject(new Error('no store')),
        () => undefined,
      );
    const [one, other, key] = [alone(), alone(), newId('key')];
    assert.deepEqual(await Promise.all([takenBy(one, key, 1200), takenBy(other, key, 1200)]), [RATE, RATE]);
    one.owe(key, 2 * RATE);
    const { is_taken, ends_in_ms } = await one.take(key);
    assert.deepEqual([is_taken, Math.ceil(ends_in_ms / 1000)], [false, 3]);
  });
});
