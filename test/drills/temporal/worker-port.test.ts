import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { administer, createDatabase } from '../../support/servers/cluster.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { startWorkerProgram, type Program } from '../../support/servers/programs.ts';
import { useTemporal } from '../../support/servers/temporal.ts';

const PROGRAM_LIMIT_MS = 90_000;

/** The status of a GET; null if nobody listens. */
async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    async (response) => (await response.arrayBuffer(), response.status),
    () => null,
  );
}

describe('the port of a worker', function () {
  this.timeout(PROGRAM_LIMIT_MS);
  const temporal_address = useTemporal();
  let pool: Pool;
  let database_url = '';
  let worker: Program & { url: string };
  const status = (path: string) => statusOf(worker.url + path);
  const becomes = (path: string, expected: number) =>
    eventually(
      () => status(path),
      (found) => found === expected,
    );

  before(async () => {
    database_url = await createDatabase();
    await seedAccount(database_url, null);
    pool = createPool(database_url, 2);
    worker = await startWorkerProgram({
      DATABASE_URL: database_url,
      TEMPORAL_ADDRESS: temporal_address(),
    });
    await worker.ready;
  });
  after(() => pool.end());

  it('is healthy and ready', async () =>
    assert.deepEqual([await status('/healthz'), await status('/readyz')], [200, 200]));

  for (const path of ['/', '/metrics/', '/v1/customers'])
    it(`does not serve ${path}`, async () => assert.equal(await status(path), 404));

  it('has the metrics of its process, its pools and of Temporal in one text', async () => {
    const { headers } = await fetch(`${worker.url}/metrics`);
    assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    // The runtime writes the number of free slots when it first changes.
    const text = await eventually(
      async () => (await fetch(`${worker.url}/metrics`)).text(),
      (found) => found.includes('temporal_worker_task_slots_available'),
    );
    for (const line of [
      /^process_resident_memory_bytes \d+$/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
      /^tidemark_pool_connections\{pool="activities",state="waiting"\} 0$/m,
      /^tidemark_pool_connections\{pool="background",state="total"\} \d+$/m,
      /^temporal_worker_task_slots_available\{.*worker_type="ActivityWorker".*\} \d+$/m,
    ])
      assert.match(text, line);
    const named = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    assert.equal(new Set(named).size, named.length);
  });

  it('is not ready while the database refuses connections, and ready again afterwards', async () => {
    const name = new URL(database_url).pathname.slice(1);
    await administer(`alter database ${name} allow_connections false`);
    await administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
    await becomes('/readyz', 503);
    assert.equal(await status('/healthz'), 200);
    await administer(`alter database ${name} allow_connections true`);
    await becomes('/readyz', 200);
  });

  it('is not ready while the worker shuts down', async () => {
    // The worker compares the invoice numbers every second and waits for that before it ends.
    const client = new pg.Client(database_url);
    await client.connect();
    await client.query('begin; lock table environments in access exclusive mode');
    await eventually(async () => {
      const { rows } = await client.query(
        'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
      );
      return rows.length;
    }, Boolean);
    assert.equal(await status('/readyz'), 200);
    const ended = worker.end();
    await becomes('/readyz', 503);
    assert.equal(await status('/healthz'), 200);
    await client.query('rollback');
    await client.end();
    assert.equal(await ended, 0);
    assert.equal(await status('/healthz'), null);
  });
});

describe('a worker that starts', function () {
  this.timeout(PROGRAM_LIMIT_MS);

  it('is healthy but not ready while it waits for its database', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const worker = await startWorkerProgram({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing` });
    await eventually(
      () => statusOf(`${worker.url}/healthz`),
      (status) => status === 200,
    );
    assert.equal(await statusOf(`${worker.url}/readyz`), 503);
    assert.equal(await statusOf(`${worker.url}/metrics`), 200);
    worker.child.kill('SIGKILL');
    silent.close();
  });

  it('refuses a port that is taken, with a sentence', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const worker = await startWorkerProgram({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      WORKER_PORT: `${port}`,
    });
    await assert.rejects(worker.ready, /ended with 2/);
    taken.close();
  });
});
