import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { takeUnits } from '../../src/db/account/rate-buckets.ts';
import { newId } from '../../src/keys/ids.ts';
import { createTimelessDatabase, letPass } from '../support/ledger/rate-buckets.ts';

const LIMIT = { size: 100, per_second: 10 };

describe('buckets of units', () => {
  let pool: Pool;
  before(async () => {
    pool = createPool(await createTimelessDatabase(), 4);
  });
  after(() => pool.end());

  const take = async (key_id: string, wanted: number, owed = 0) => {
    const [given] = await takeUnits(pool, LIMIT, [{ key_id, wanted, owed }]);
    const { granted, taken } = given!;
    return { granted, taken };
  };

  const rows: { asked: [wanted: number, owed: number]; granted: number; taken: number; why: string }[] = [
    { asked: [30, 0], granted: 30, taken: 30, why: 'what is wanted' },
    { asked: [130, 0], granted: 100, taken: 100, why: 'no more than there is' },
    { asked: [0, 250], granted: 0, taken: 250, why: 'what is owed, beyond the size too' },
    { asked: [100, 0.01], granted: 99, taken: 99.01, why: 'whole units of what a hundredth leaves' },
  ];
  for (const { asked, granted, taken, why } of rows)
    it(`takes from a full one ${why}`, async () => {
      assert.deepEqual(await take(newId('key'), ...asked), { granted, taken });
    });

  it('is refilled as time passes, up to its size', async () => {
    const key = newId('key');
    await take(key, 100);
    await letPass(pool, 3);
    assert.deepEqual(await take(key, 100), { granted: 30, taken: 100 });
    await letPass(pool, 3600);
    assert.deepEqual(await take(key, 101), { granted: 100, taken: 100 });
  });

  it('is neither filled nor emptied when the clock is set back', async () => {
    const key = newId('key');
    await take(key, 40);
    await letPass(pool, -3600);
    assert.deepEqual(await take(key, 100), { granted: 60, taken: 100 });
    await letPass(pool, 1);
    assert.deepEqual(await take(key, 100), { granted: 10, taken: 100 });
  });

  it('gives each unit to one of several concurrent requests', async () => {
    const key = newId('key');
    const given = await Promise.all(Array.from({ length: 40 }, () => take(key, 3)));
    assert.equal(
      given.reduce((sum, { granted }) => sum + granted, 0),
      100,
    );
  });

  it('responds in the order of the requests', async () => {
    const keys = Array.from({ length: 20 }, () => newId('key'))
      .sort()
      .reverse();
    const given = await takeUnits(
      pool,
      LIMIT,
      keys.map((key_id, wanted) => ({ key_id, wanted, owed: 0 })),
    );
    assert.deepEqual(
      given.map(({ granted }) => granted),
      keys.map((_, wanted) => wanted),
    );
  });

  it('agrees with a model that counts hundredths', async () => {
    const step = fc.oneof(
      fc.record({ wanted: fc.nat(60), owed_hundredths: fc.oneof(fc.constant(0), fc.nat(6000)) }),
      fc.record({ milliseconds: fc.nat(20_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const key = newId('key');
        const full = LIMIT.size * 100;
        let purse = full;
        for (const next of steps) {
          if ('milliseconds' in next) {
            purse = Math.min(full, purse + next.milliseconds);
            await letPass(pool, next.milliseconds / 1000);
            continue;
          }
          const { wanted, owed_hundredths } = next;
          const granted = Math.min(wanted, Math.max(0, Math.floor((purse - owed_hundredths) / 100)));
          purse -= granted * 100 + owed_hundredths;
          const given = await take(key, wanted, owed_hundredths / 100);
          assert.deepEqual(given, { granted, taken: (full - purse) / 100 });
        }
      }),
      { numRuns: 60 },
    );
  });
});
