import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Postgres } from '../../../dev/postgres.ts';
import { BUILD_LIMIT_MS, findCitus, startCitus } from '../../support/citus/citus-cluster.ts';
import { eventually } from '../../support/servers/eventually.ts';

type Node = { nodename: string; nodeport: number };

const KEYS = 1000;
/** A cluster of four servers, moves of shards, and one of the servers killed. */
const LIMIT_MS = 120_000;

/** The statements of the block below a comment in docs/operations.md, about this node in the place of the one named there. */
function statementsOf(comment: string, node?: Node): string[] {
  const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, block = ''] = text.split(`<!-- ${comment} -->\n`)[1]?.split('```') ?? [];
  return [...block.matchAll(/^psql "\$DATABASE_ADMIN_URL" -c "([^"]+)"$/gm)].map(([, statement]) =>
    node === undefined
      ? statement!
      : statement!.replace(/'db\d\.internal', \d+/, `'${node.nodename}', ${node.nodeport}`),
  );
}

describe('the statements of docs/operations.md about a cluster', () => {
  let coordinator: Postgres;
  let admin: pg.Client;
  before(async function () {
    this.timeout(BUILD_LIMIT_MS);
    const found = await findCitus();
    if ('lacking' in found) {
      console.log(found.lacking);
      return this.skip();
    }
    coordinator = await startCitus(found.folder, 3);
    admin = new pg.Client(coordinator.admin_url);
    await admin.connect();
    await admin.query(
      `insert into event_keys (key_hash, event_id, timestamp, created_at)
      select md5(n::text)::uuid, n, now(), now() from generate_series(1, ${KEYS}) n`,
    );
  });
  after(() => admin?.end());

  const countKeys = async () => (await admin.query('select count(*)::int from event_keys')).rows[0].count;
  const nodes = async (): Promise<Node[]> =>
    (await admin.query('select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeid')).rows;
  const shardsAt = async ({ nodeport }: Node): Promise<number> =>
    (await admin.query('select count(*)::int from citus_shards where nodeport = $1', [nodeport])).rows[0]
      .count;

  it('write a restore point', async () => {
    const [statement] = statementsOf('restore point');
    const { rows } = await admin.query(statement!);
    assert.match(String(Object.values(rows[0])), /^[0-9A-F]+\/[0-9A-F]+$/);
  });

  it('take a node out, which has ended, and lose no key', async function () {
    this.timeout(LIMIT_MS);
    const [leaving, ...others] = (await nodes()).reverse();
    assert.equal(others.length, 2);
    const [drain, remove, ...more] = statementsOf('taking a node out', leaving);
    assert.deepEqual(more, []);
    assert.ok((await shardsAt(leaving!)) > 0);
    await admin.query(drain!);
    assert.equal(await shardsAt(leaving!), 0);
    await endServer(leaving!);
    await admin.query(remove!);
    assert.deepEqual(await nodes(), others.reverse());
    assert.equal(await countKeys(), KEYS);
  });

  it('remove what is left of the cluster after the way back', async function () {
    this.timeout(LIMIT_MS);
    for (const table of ['events', 'event_keys']) await admin.query(`select undistribute_table('${table}')`);
    for (const node of await nodes()) await admin.query(statementsOf('going back', node)[0]!);
    await admin.query(statementsOf('going back')[1]!);
    const { rowCount } = await admin.query(`select 1 from pg_extension where extname = 'citus'`);
    assert.equal(rowCount, 0);
    assert.equal(await countKeys(), KEYS);
  });

  /** Ends the server of a node, as its operator does. */
  async function endServer({ nodename, nodeport }: Node): Promise<void> {
    const url = Object.assign(new URL(coordinator.admin_url), {
      hostname: nodename,
      port: `${nodeport}`,
    }).href;
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query('show data_directory');
    await client.end();
    const [pid = ''] = readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGINT');
    const connects = () => {
      const probe = new pg.Client(url);
      return probe.connect().then(
        () => probe.end().then(() => true),
        () => false,
      );
    };
    await eventually(connects, (does) => !does);
  }
});
