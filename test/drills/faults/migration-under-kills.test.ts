import assert from 'node:assert/strict';
import { inheritedEnvironment, readConfig } from '../../../src/settings/config.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { connectTemporal } from '../../../src/temporal/temporal.ts';
import type { Json } from '../../support/servers/api.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import {
  changesTo,
  copySubscription,
  planMigrationsOn,
  runsOf,
} from '../../support/ledger/plan-migrations.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { startService, type Service } from './processes.ts';

/**
 * The whole drill:
 * `MIGRATED=10000 TAKEN_BACK=10000 MIGRATION_KILLS=10 npm test -- test/drills/faults/migration-under-kills.test.ts`.
 */
const { MIGRATED = '1050', TAKEN_BACK = '200', MIGRATION_KILLS = '1' } = inheritedEnvironment();
/** More than one run of the workflow, which has a thousand subscriptions. */
const TOTAL = Number(MIGRATED);
const BACK = Number(TAKEN_BACK);
const KILLS = Number(MIGRATION_KILLS);
const RUN = 1000;
const GIVEN_UP_MS = 300_000 + Math.max(TOTAL, BACK) * 200;

/** contract.md 3, *Plan migrations*: a migration changes each subscription once, and takes each change back once, whenever its worker dies. */
describe('a plan migration of many while its worker is killed', function () {
  this.timeout(3 * GIVEN_UP_MS);
  let service: Service;
  let pool: Pool;
  const lives = testCustomersOn(requestsTo(() => service.stack));
  const { customer, plan, subscribe, read, done } = lives;
  const { path, finished, countsOf } = planMigrationsOn(lives);

  before(async () => {
    service = await startService();
    pool = createPool(service.stack.database_url, 1);
    atEnd(() => pool.end());
  });

  /** Starts a migration of this many subscribers to another plan; returns its id and that plan's. */
  async function aMigration(count: number): Promise<{ id: string; to: string }> {
    const [from, to] = [await plan([FLAT]), await plan([{ ...FLAT, flat_amount: '199.00' }])];
    const { id: first } = await subscribe(await customer({}, null), from);
    await copySubscription(pool, first, count);
    const request = { from_plan_id: from, to_plan_id: to, at: 'period_end' };
    const { id, total } = await done('/v1/plan-migrations', request);
    assert.equal(total, count);
    return { id, to };
  }

  /** Kills the worker each time that a further part of the subscriptions is done. */
  async function killWhile(id: string, count: number, member: 'changed' | 'taken_back'): Promise<void> {
    for (let kills = 1; kills <= KILLS; kills++) {
      const part = (count * kills) / (KILLS + 1);
      const migration: Json = await eventually(
        () => read(path(id)),
        (one) => one[member] >= part || one.finished_at !== null,
        GIVEN_UP_MS,
      );
      assert.equal(migration.finished_at, null, `kill ${kills} comes too late`);
      service.kill('worker');
    }
  }

  it('moves each subscription once, in runs of a thousand', async () => {
    const { id, to } = await aMigration(TOTAL);
    await killWhile(id, TOTAL, 'changed');
    const migration = await finished(id, GIVEN_UP_MS);
    assert.deepEqual([migration.status, ...countsOf(migration)], ['done', TOTAL, TOTAL, 0, 0, 0]);
    assert.equal(await changesTo(pool, to), TOTAL);
    const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: service.stack.temporal_address }));
    atEnd(() => temporal.close());
    const runs = await eventually(
      () => runsOf({ temporal }, id),
      (names) => names.includes('COMPLETED'),
    );
    const continued = Math.ceil(TOTAL / RUN) - 1;
    assert.deepEqual(runs, ['COMPLETED', ...Array.from({ length: continued }, () => 'CONTINUED_AS_NEW')]);
    await assertSound(pool);
  });

  it('takes each change back once', async () => {
    const { id, to } = await aMigration(BACK);
    await finished(id, GIVEN_UP_MS);
    await done(`${path(id)}/take-back`);
    await killWhile(id, BACK, 'taken_back');
    const back = await finished(id, GIVEN_UP_MS);
    assert.deepEqual([back.status, ...countsOf(back)], ['taken_back', BACK, 0, 0, 0, BACK]);
    assert.equal(await changesTo(pool, to), 0);
    await assertSound(pool);
  });
});
