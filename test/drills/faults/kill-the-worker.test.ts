import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, readConfig } from '../../../src/settings/config.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { connectTemporal, type Temporal } from '../../../src/temporal/temporal.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { aLedger } from '../../support/ledger/billing.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { freeNamespace, useTemporal } from '../../support/servers/temporal.ts';
import {
  aBilledCustomer,
  aBilledPlan,
  askToRegenerate,
  brokenLaws,
  pictureOf,
  type BilledCustomer,
} from './billed-customer.ts';
import { layWire, type StopAt, type Wire } from './wire.ts';

const WORKER = fileURLToPath(new URL('../../../worker/main.ts', import.meta.url));

/** The statement that reads the request: only a regeneration executes it. */
const READS_REQUEST = /from regenerations r[^]*r\.id = \$2$/;

const afterCommit: StopAt = (transaction) => (transaction.at(-1) === 'commit' ? 'after' : null);
const beforeCommit: StopAt = (transaction) => (transaction.at(-1) === 'commit' ? 'before' : null);
const atItsRequest: StopAt = (transaction) => (READS_REQUEST.test(transaction.at(-1)!) ? 'before' : null);

/** Stops the first regeneration at the first place, the second one at the second place, and so on. */
function oneAfterAnother(places: readonly StopAt[]): StopAt {
  let next = 0;
  return (transaction) => {
    if (!transaction.some((text) => READS_REQUEST.test(text))) return null;
    const stop = places[next]?.(transaction) ?? null;
    if (stop !== null) next++;
    return stop;
  };
}

describe('the worker is killed in three regenerations', function () {
  this.timeout(200_000);
  const temporal_address = useTemporal();
  let pool: Pool;
  let temporal: Temporal;
  let wire: Wire;
  /** Kills the current worker. */
  let kill: (() => Promise<void>) | null = null;

  before(async () => {
    pool = await aLedger();
    temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: temporal_address() }));
    await freeNamespace(temporal);
  });
  after(async () => {
    // A worker that kept running would take tasks of other tests.
    await kill?.();
    await temporal.close();
    await pool.end();
  });

  /** Starts a worker and waits until it is ready; returns the function that kills it. */
  async function startWorker(database_url: string): Promise<() => Promise<void>> {
    const child = fork(WORKER, {
      execArgv: [],
      env: {
        ...inheritedEnvironment(),
        DATABASE_URL: database_url,
        TEMPORAL_ADDRESS: temporal_address(),
        LOG_LEVEL: 'error',
        TIDEMARK_SECRET: 'secret of a test',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    const killChild = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    atEnd(killChild);
    await once(child, 'message');
    return killChild;
  }

  async function regenerate(customer: BilledCustomer): Promise<void> {
    const { environment_id, subscription_id, regeneration_id } = await askToRegenerate(pool, customer);
    await temporal.nudge([{ environment_id, subscription_id }], 'regenerateInvoice', {
      signal_args: [regeneration_id],
    });
  }

  it('the next worker completes all three, each once', async () => {
    const plan = await aBilledPlan(pool);
    const makeCustomer = () => aBilledCustomer(pool, plan);
    const customers = [await makeCustomer(), await makeCustomer(), await makeCustomer()] as const;
    const [committed, almost, begun] = customers;
    wire = await layWire(
      pool.options.connectionString!,
      oneAfterAnother([afterCommit, beforeCommit, atItsRequest]),
    );
    kill = await startWorker(wire.url);
    // The second one holds the counter of invoice numbers, so the one that commits goes first.
    for (const [before, customer] of customers.entries()) {
      await regenerate(customer);
      await eventually(
        async () => wire.stopped(),
        (stopped) => stopped === before + 1,
      );
    }
    await kill();
    wire.cut();
    assert.deepEqual(await brokenLaws(pool), []);
    const regenerated = await pictureOf(pool, committed);
    const old = await pictureOf(pool, begun);
    assert.notDeepEqual(regenerated, old);
    assert.deepEqual(await pictureOf(pool, almost), old);

    kill = await startWorker(pool.options.connectionString!);
    await eventually(
      async () => (await pool.query(`select id from regenerations where status <> 'done'`)).rows,
      (unserved) => unserved.length === 0,
      120_000,
    );
    assert.deepEqual(await brokenLaws(pool), []);
    for (const customer of customers) assert.deepEqual(await pictureOf(pool, customer), regenerated);
  });
});
