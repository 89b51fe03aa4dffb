import assert from 'node:assert/strict';
import pg from 'pg';
import type { Postgres } from '../../dev/postgres.ts';
import { createMetrics } from '../../api/http/metrics.ts';
import { seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { refuseWithoutDisk } from '../../src/db/cluster/disk.ts';
import { openStandby } from '../../src/db/account/standby.ts';
import { readConfig } from '../../src/settings/config.ts';
import { addingTo } from '../support/citus/citus-cluster.ts';
import { useCitusServers } from '../support/citus/use-citus.ts';
import type { Json } from '../support/servers/api.ts';
import { runCommand, type Ran } from '../support/servers/command.ts';
import { isOfCitus, typedStatements, wrongStatements } from '../support/sources/described-statements.ts';

describe('tidemark cluster', () => {
  const citus = useCitusServers(3);
  let nodes: Postgres[];
  let settings: { DATABASE_URL: string; DATABASE_ADMIN_URL: string };
  let pool: Pool;

  before(async () => {
    const [coordinator, ...others] = citus().servers;
    nodes = others;
    for (const node of nodes) await addingTo(coordinator!, node);
    settings = { DATABASE_URL: coordinator!.url, DATABASE_ADMIN_URL: coordinator!.admin_url };
    await seedAccount(coordinator!.url, null);
    pool = createPool(coordinator!.url, 4);
  });
  after(() => pool?.end());

  const run = (...args: string[]): Promise<Ran> => runCommand(settings, 'cluster', ...args);
  const place = (node: Postgres) => `127.0.0.1:${node.port}`;
  async function printed(...args: string[]): Promise<Json> {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }
  /** Adds the events of two months and of test data, and the keys of these and of some that have left. */
  const store = (from: number, to: number) =>
    pool.query(
      `with stored as (
         insert into events (key_hash, environment_id, bucket, customer_key, timestamp, created_at, timestamp_given,
           event_name, idempotency_key, properties)
         select md5(n::text)::uuid, 1, (array[0, to_char(now(), 'YYYYMM')::integer])[1 + n % 2], 1, now(), now(), true,
           'api_call', n::text, '{}' from generate_series($1::integer, $2) as n
         returning key_hash, id, timestamp, created_at)
       insert into event_keys (key_hash, event_id, timestamp, created_at)
       select key_hash, id, timestamp, created_at from stored`,
      [from, to],
    );

  it('needs the URL of a superuser', async () => {
    const { code, stderr } = await runCommand(
      { DATABASE_URL: settings.DATABASE_URL },
      'cluster',
      'add',
      'node-1',
    );
    assert.deepEqual([code, stderr], [2, 'error: DATABASE_URL and DATABASE_ADMIN_URL must be set\n']);
  });

  it('says on one machine that it is one', async () => {
    assert.equal((await run('show')).stdout, 'All events are on one machine.\n');
    assert.deepEqual((await printed('show')).nodes, []);
    const { code, stderr } = await run('move', '--yes');
    assert.deepEqual(
      [code, stderr],
      [1, 'error: there is no node: add one with tidemark cluster add HOST\n'],
    );
    assert.match((await run('back', '--yes')).stdout, /^The events are on one machine already/);
  });

  it('adds nodes', async () => {
    for (const node of nodes) {
      const { was_added, port } = await printed('add', place(node), '--without-tls');
      assert.deepEqual([was_added, port], [true, node.port]);
    }
    const again = await run('add', place(nodes[0]!), '--without-tls');
    assert.match(again.stdout, /was a node already; \d+ functions/);
  });

  it('moves the events to the nodes after a yes, and compares', async () => {
    await store(1, 1000);
    await pool.query(`insert into event_keys (key_hash, event_id, timestamp, created_at)
      values (md5('left')::uuid, 1, now(), now())`);
    const { code, stderr } = await run('move');
    assert.deepEqual(
      [code, stderr],
      [2, 'error: nothing was changed: without a terminal, --yes is required\n'],
    );
    const { before, after, is_equal } = await printed('move', '--yes');
    assert.deepEqual([is_equal, before, before.keys, before.events['0']], [true, after, 1001, 500]);
    assert.equal((await run('move', '--yes')).stdout, 'The events are on the nodes already.\n');
  });

  it('shows what lies where', async () => {
    const state = await printed('show');
    assert.deepEqual(
      state.nodes.map(({ port, shards, is_active }: Json) => ({ port, shards, is_active })),
      nodes.map(({ port }) => ({ port, shards: 6, is_active: true })),
    );
    for (const { event_bytes, key_bytes } of state.nodes)
      assert.ok(event_bytes > 50_000 && key_bytes > 30_000);
    assert.equal(state.are_events_distributed, true);
    assert.ok(state.settling_seconds > 0 && state.settling_seconds < 5);
    assert.deepEqual([state.prepared_transactions, state.unreachable, state.rebalance], [[], [], null]);
    const { stdout } = await run('show');
    assert.match(stdout, /^NODE +STATE +SHARDS.*\n127\S+ +active +6 /);
    assert.match(stdout, /^The events are on the nodes\.$/m);
  });

  it('is examined by doctor', async () => {
    const examined = async () => {
      const { stdout } = await runCommand(
        { ...settings, DATABASE_READ_URL: settings.DATABASE_URL },
        'doctor',
        '--json',
      );
      const { checks } = JSON.parse(stdout);
      return (what: string) => checks.find((check: Json) => check.what === what);
    };
    const sound = await examined();
    for (const what of ['nodes', 'versions', 'settings', 'prepared transactions', 'functions'])
      assert.equal(sound(`cluster ${what}`).status, 'ok', JSON.stringify(sound(`cluster ${what}`)));
    assert.match(
      sound('PostgreSQL standby').detail,
      /^a standby of the coordinator of a cluster has no events/,
    );

    const at_node = new pg.Client(settings.DATABASE_ADMIN_URL.replace(/:\d+\//, `:${nodes[0]!.port}/`));
    await at_node.connect();
    await at_node.query(`alter system set citus.recover_2pc_interval = '60s'`);
    await at_node.query('select pg_reload_conf()');
    await at_node.query('set citus.enable_ddl_propagation = off');
    await at_node.query(
      `create or replace function server_run() returns text language sql stable return 'never'`,
    );
    await at_node.query('begin');
    await at_node.query(`select pg_current_xact_id(); prepare transaction 'of a test'`);
    const wrong = await examined();
    const place_of = place(nodes[0]!);
    assert.equal(
      wrong('cluster settings').detail,
      `on ${place_of} citus.recover_2pc_interval is 60000 and must be 1000`,
    );
    assert.equal(wrong('cluster functions').detail, `missing or old: ${place_of} server_run()`);
    const { prepared_transactions } = await printed('show');
    assert.deepEqual(
      prepared_transactions.map(({ port, gid }: Json) => ({ port, gid })),
      [{ port: nodes[0]!.port, gid: 'of a test' }],
    );
    await at_node.query(`rollback prepared 'of a test'`);
    await at_node.end();
    await printed('add', place_of, '--without-tls');
    const examined_again = await examined();
    for (const what of ['settings', 'functions'])
      assert.equal(examined_again(`cluster ${what}`).status, 'ok');
  });

  it('has metrics', async () => {
    const text = await createMetrics(pool).registry.metrics();
    assert.match(text, /^tidemark_cluster_prepared_seconds 0$/m);
    assert.match(text, /^tidemark_cluster_settling_seconds 0\.\d+$/m);
    for (const node of nodes)
      assert.match(
        text,
        new RegExp(`^tidemark_cluster_node_bytes\\{node="${place(node)}",content="keys"\\} \\d+$`, 'm'),
      );
  });

  it('has no standby', async () => {
    const opened = openStandby(readConfig({ DATABASE_READ_URL: settings.DATABASE_URL }), pool);
    await assert.rejects(
      opened,
      /^Error: DATABASE_READ_URL: a standby of the coordinator .* remove the setting$/,
    );
  });

  it('sends statements that match Citus', async () => {
    const statements = typedStatements().filter(isOfCitus);
    assert.ok(statements.filter(({ text }) => text !== null).length > 10);
    const client = new pg.Client(settings.DATABASE_ADMIN_URL);
    await client.connect();
    assert.deepEqual(await wrongStatements(client, statements).finally(() => client.end()), []);
  });

  it('does not bring the events back to a disk with too little room for them and the log of their copy', async () => {
    const admin = createPool(settings.DATABASE_ADMIN_URL, 1);
    try {
      await refuseWithoutDisk(admin, 1_000_000);
      await assert.rejects(refuseWithoutDisk(admin, 1e15), {
        message:
          /^the disk of the coordinator has \d+ MB free, and the events need 1\d{9} MB with the log of their copy: make/,
      });
    } finally {
      await admin.end();
    }
    // A role that may not ask the server for its disk.
    await refuseWithoutDisk(pool, 1e15);
  });

  it('brings the events back, and twice is once', async () => {
    await store(1001, 1500);
    const { before, after, is_equal } = await printed('back', '--yes');
    assert.deepEqual([is_equal, before, before.keys, before.events['0']], [true, after, 1501, 750]);
    assert.match((await run('back', '--yes')).stdout, /^The events are on one machine already/);
    await store(1501, 1600);
    assert.equal((await printed('show')).are_events_distributed, false);
  });
});
