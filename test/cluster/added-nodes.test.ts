import assert from 'node:assert/strict';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { anyFreePort } from '../../dev/ports.ts';
import { addNode, type Adding } from '../../src/db/cluster/add-node.ts';
import { functionsMissing } from '../../src/db/cluster/functions.ts';
import { listNodes } from '../../src/db/cluster/nodes.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { Refusal } from '../../src/settings/refusal.ts';
import { addingTo, CITUS_SETTINGS, startCitusServer } from '../support/citus/citus-cluster.ts';
import { useCitusServers } from '../support/citus/use-citus.ts';
import { shadowFunction } from '../support/ledger/pretend.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { aFolder } from '../support/servers/folder.ts';

describe('a server that becomes a node', () => {
  const citus = useCitusServers(2);
  let coordinator: Postgres;
  let node: Postgres;
  let adding: Adding;
  let pool: Pool;

  before(async () => {
    [coordinator, node] = [citus().servers[0]!, citus().servers[1]!];
    adding = await addingTo(coordinator, node);
    pool = createPool(coordinator.url, 2);
  });
  after(() => pool?.end());

  /** The address of a superuser of the node. */
  function addressOf(database: string): string {
    const url = new URL(coordinator.admin_url);
    return Object.assign(url, { port: `${node.port}`, pathname: `/${database}` }).href;
  }

  /** Runs a statement as a superuser of the node. */
  async function atNode(statement: string, database = 'tidemark'): Promise<void> {
    const client = new pg.Client(addressOf(database));
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }

  async function assertRefused(changes: Partial<Adding>, sentence: RegExp): Promise<void> {
    await assert.rejects(addNode({ ...adding, ...changes }), (error: Error) => {
      assert.ok(error instanceof Refusal, error.stack);
      assert.match(error.message, sentence);
      return true;
    });
    const { rowCount } = await pool.query(`select from pg_extension where extname = 'citus'`);
    assert.equal(rowCount, 0, 'something has changed');
  }

  it('is refused without TLS, unless that is allowed', () =>
    assertRefused({ without_tls: false }, /^there is no TLS on the coordinator and the node 127\.0\.0\.1:/));

  it('is refused if it is the coordinator', () =>
    assertRefused({ node: { host: 'localhost', port: coordinator.port } }, /is the coordinator itself/));

  it('is refused if it cannot be reached', async () =>
    assertRefused(
      { node: { host: '127.0.0.1', port: await anyFreePort() } },
      /cannot be reached as the role/,
    ));

  it('is refused if it cannot reach the coordinator', () =>
    assertRefused(
      { node: { host: 'node-1.internal', port: 5432 } },
      /name one that they reach with --coordinator/,
    ));

  it('is refused for a role that is no superuser', async () => {
    const admin_url = Object.assign(new URL(coordinator.admin_url), {
      username: 'visitor',
      password: 'p',
    }).href;
    const admin = createPool(coordinator.admin_url, 1);
    await admin.query(`create role visitor login password 'p'`).finally(() => admin.end());
    await atNode(`create role visitor login password 'p'`);
    await assertRefused({ admin_url }, /^the role of DATABASE_ADMIN_URL is no superuser on the coordinator$/);
  });

  it('is refused if its database has tables', async () => {
    await atNode('create table mine ()');
    await assertRefused({}, /has a database tidemark with tables of its own$/);
    await atNode('drop table mine');
  });

  it('is refused if the clocks are apart', async () => {
    const admin = createPool(addressOf('postgres'), 1);
    await shadowFunction(
      admin,
      `create function clock_timestamp() returns timestamptz language sql
         return pg_catalog.clock_timestamp() - interval '3 seconds'`,
    );
    await admin.end();
    await assertRefused({}, /are (?:29|30)\d\d ms apart, and the maximum is 1000 ms$/);
    await atNode('drop function public.clock_timestamp()', 'postgres');
    await atNode('alter database postgres reset search_path', 'postgres');
  });

  it('is refused if its machine has no Citus', async () => {
    const plain = await startPostgres({ data_dir: await aFolder(), durable: false, say: () => undefined });
    atEnd(plain.stop);
    await assertRefused(
      await addingTo(coordinator, plain),
      /^Citus is not installed on the machine of the node/,
    );
  });

  it('is refused with all settings that need a restart', async () => {
    const wrong = {
      wal_level: 'replica',
      'citus.propagate_set_commands': 'none',
      max_prepared_transactions: '0',
    };
    const other = await startCitusServer(citus().programs, { ...CITUS_SETTINGS, ...wrong });
    await assertRefused(
      await addingTo(coordinator, other),
      /^settings are wrong: on the node 127\S+ wal_level .*, max_prepared_transactions is 0 and must be 400, .* citus.propagate_set_commands is none and must be local \(with a restart\)$/,
    );
  });

  it('is one, whose database may be missing, and twice is once', async () => {
    await atNode('drop database tidemark', 'postgres');
    assert.deepEqual(await listNodes(pool), []);
    const first = await addNode(adding);
    assert.equal(first.was_added, true);
    assert.ok(first.functions > 10, `${first.functions} functions`);
    assert.deepEqual(await addNode(adding), { ...first, was_added: false });
    assert.deepEqual(await listNodes(pool), [{ ...adding.node, is_active: true }]);
    assert.deepEqual(await functionsMissing(pool), []);
  });

  it('gets the functions that are made later, and those that are missing from the next call', async () => {
    await pool.query('create function later() returns integer language sql immutable return 1');
    assert.deepEqual(await functionsMissing(pool), []);
    await atNode('set citus.enable_ddl_propagation = off; drop function later()');
    assert.deepEqual(await functionsMissing(pool), [{ node: `127.0.0.1:${node.port}`, name: 'later()' }]);
    await addNode(adding);
    assert.deepEqual(await functionsMissing(pool), []);
  });

  it('is refused as an address of the product', async () => {
    const url = Object.assign(new URL(coordinator.url), { port: `${node.port}` }).href;
    const refused = createPool(url, 1);
    await assert.rejects(refused.query('select 1'), /^Error: this PostgreSQL server is a node of a cluster/);
    await refused.end();
  });
});
