import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Postgres } from '../../../dev/postgres.ts';
import { withArchiveLock } from '../../../src/db/archive/lock.ts';
import { distributedTables } from '../../../src/db/cluster/tables.ts';
import { createMetrics } from '../../../api/http/metrics.ts';
import { addNode } from '../../../src/db/cluster/add-node.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { addingTo } from '../../support/citus/citus-cluster.ts';
import { useCitusServers } from '../../support/citus/use-citus.ts';
import * as given from '../../support/ledger/billing.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { runCommand, startCommand } from '../../support/servers/command.ts';
import { eventually } from '../../support/servers/eventually.ts';

describe('tidemark cluster, while events are stored', () => {
  const citus = useCitusServers(4);
  let nodes: Postgres[];
  let settings: { DATABASE_URL: string; DATABASE_ADMIN_URL: string };
  let api: TestApi;
  let pool: Pool;
  let customer: given.TestCustomer;

  before(async () => {
    const [coordinator, ...others] = citus().servers;
    nodes = others;
    settings = { DATABASE_URL: coordinator!.url, DATABASE_ADMIN_URL: coordinator!.admin_url };
    // Its sessions are older than the cluster.
    api = await startApi({ database_url: coordinator!.url });
    customer = await given.aCustomer(api.pool);
    for (const node of nodes.slice(0, 2)) await addNode(await addingTo(coordinator!, node));
    pool = createPool(coordinator!.url, 4);
  });
  after(() => pool?.end());

  const run = (...args: string[]) => runCommand(settings, 'cluster', ...args);
  async function printed(...args: string[]): Promise<Json> {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  /** A client that sends events without a pause and, as clients do, sends again what was answered with 500. */
  function writer(name: string, size: number) {
    let is_stopped = false;
    const sent = { events: 0, failed: 0, slowest_ms: 0 };
    const write = async (events: readonly object[]): Promise<void> => {
      for (let tries = 1; ; tries++) {
        const from_ms = performance.now();
        const { status, body } = await api.post('/v1/events/batch', { events }, { key: api.live_key });
        sent.slowest_ms = Math.max(sent.slowest_ms, performance.now() - from_ms);
        if (status === 201) return;
        assert.ok(status === 500 || status === 503, JSON.stringify(body));
        assert.ok(tries < 5, `the batch failed ${tries} times: ${JSON.stringify(body)}`);
        sent.failed += 1;
      }
    };
    const writing = (async () => {
      for (let batch = 0; !is_stopped; batch++) {
        await write(
          Array.from({ length: size }, (_, n) => ({
            event_name: 'api_call',
            customer_id: customer.id,
            idempotency_key: `${name}-${batch}-${n}`,
          })),
        );
        sent.events += size;
      }
    })();
    return async () => {
      is_stopped = true;
      await writing;
      return sent;
    };
  }

  async function storedEvents(): Promise<{ events: number; keys: number }> {
    const counts = ['events', 'event_keys'].map(async (table) => {
      const { rows } = await pool.query<{ count: number }>(`select count(*)::integer as count from ${table}`);
      return rows[0]!.count;
    });
    const [events, keys] = await Promise.all(counts);
    return { events: events!, keys: keys! };
  }

  it('says that it cannot begin while events are archived', async () => {
    const { code, stderr } = (await withArchiveLock(pool, () => run('move', '--yes')))!;
    assert.equal(code, 1);
    assert.match(stderr, /error: another process archives, restores or moves events$/m);
  });

  it('moves, killed on the way and called again, and neither loses an event nor waits long for a reader', async () => {
    const stops = [writer('copied', 200), writer('few', 20)];
    await pause(1000);
    // A report of the whole table, for longer than the command waits for a lock.
    const reader = new pg.Client(settings.DATABASE_URL);
    await reader.connect();
    await reader.query('begin');
    await reader.query('select count(*) from event_keys');
    const killed = startCommand(settings, ['cluster', 'move', '--yes']);
    await pause(7000);
    await reader.query('commit');
    await reader.end();
    await eventually(
      () => distributedTables(pool),
      (tables) => tables.has('event_keys'),
    );
    killed.child.kill('SIGKILL');
    await killed.ended;
    const { is_equal } = await eventually(
      async () => {
        const { code, stdout, stderr } = await run('move', '--yes', '--json');
        return code === 0 ? JSON.parse(stdout) : { is_equal: null, stderr };
      },
      (moved: Json) => moved.is_equal !== null,
    );
    assert.equal(is_equal, true);
    await pause(1000);
    const sent = await Promise.all(stops.map((stop) => stop()));
    const all = sent.reduce((sum, { events }) => sum + events, 0);
    assert.deepEqual(await storedEvents(), { events: all, keys: all });
    for (const { slowest_ms } of sent) assert.ok(slowest_ms < 8000, `${Math.round(slowest_ms)} ms`);
  });

  it('spreads the events over a node that is added, and after Ctrl-C follows it again', async () => {
    await addNode(await addingTo(citus().servers[0]!, nodes[2]!));
    const stop = writer('spread', 50);
    const interrupted = startCommand(settings, ['cluster', 'spread', '--json']);
    await eventually(
      async () => (await printed('show')).rebalance,
      (rebalance: Json) => rebalance !== null,
    );
    // Without --yes, because on a busy machine the spread may have ended by now.
    const refused = await run('back');
    assert.match(refused.stderr, /^error: (?:shards move between the nodes: wait|nothing was changed)/);
    interrupted.child.kill('SIGINT');
    const { code, stdout } = await interrupted.ended;
    assert.equal(code, 0);
    assert.notEqual(JSON.parse(stdout).rebalance, null);
    assert.equal((await printed('spread')).rebalance.state, 'finished');
    assert.match((await run('spread')).stdout, /^The events are spread evenly already/);
    const { nodes: shown } = await printed('show');
    assert.deepEqual(
      shown.map(({ shards }: Json) => shards),
      [4, 4, 4],
    );
    await stop();
    const { events, keys } = await storedEvents();
    assert.equal(events, keys);
  });

  it('shows a transaction that stays prepared', async () => {
    const at_node = new pg.Client(settings.DATABASE_ADMIN_URL.replace(/:\d+\//, `:${nodes[0]!.port}/`));
    // Without a listener, a server that ends while the client is open would end the whole run.
    at_node.on('error', () => undefined);
    await at_node.connect();
    try {
      await at_node.query('begin');
      await at_node.query(`select pg_current_xact_id(); prepare transaction 'of a test'`);
      await pause(10_500);
      const { stdout } = await runCommand(settings, 'doctor', '--json');
      const { detail } = JSON.parse(stdout).checks.find(
        ({ what }: Json) => what === 'cluster prepared transactions',
      );
      assert.match(detail, /^127\S+ of a test, for \d\d s$/);
      assert.match(
        await createMetrics(pool).registry.metrics(),
        /^tidemark_cluster_prepared_seconds \d\d\./m,
      );
    } finally {
      await at_node.query(`rollback prepared 'of a test'`);
      await at_node.end();
    }
  });

  it('names a node that does not answer', async () => {
    await nodes[2]!.stop();
    const place = `127.0.0.1:${nodes[2]!.port}`;
    const { unreachable } = await printed('show');
    assert.deepEqual(
      unreachable.map(({ port }: Json) => port),
      [nodes[2]!.port],
    );
    const { stdout } = await runCommand(settings, 'doctor', '--json');
    const of = (name: string) =>
      JSON.parse(stdout).checks.find(({ what }: Json) => what === `cluster ${name}`);
    assert.equal(of('nodes').status, 'fail');
    assert.match(of('nodes').detail, new RegExp(`^${place}: `));
    assert.equal(of('versions').detail, 'not checked, because cluster nodes failed');
    const metrics = await createMetrics(pool).registry.metrics();
    assert.doesNotMatch(metrics, /^tidemark_cluster_(?:prepared|settling)_seconds /m);
    assert.match(metrics, /^tidemark_cluster_node_bytes/m);
  });
});
