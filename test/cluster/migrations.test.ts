import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { missingMigrations } from '../../src/db/connection/prepare.ts';
import { startKillableCluster, type KillableCluster } from '../support/citus/killable-cluster.ts';
import { useCitus } from '../support/citus/use-citus.ts';
import { aFolder } from '../support/servers/folder.ts';
import * as given from '../support/ledger/billing.ts';
import { aNewEvent } from '../support/ledger/events.ts';
import { storeEvents } from '../../src/db/events/events.ts';

/** operations.md, *Upgrades of a cluster*. */
describe('a migration of a cluster', () => {
  const programs = useCitus();
  let cluster: KillableCluster;
  let pool: Pool;

  before(async () => {
    cluster = await startKillableCluster(programs(), 2);
    await seedAccount(cluster.url, null);
    pool = createPool(cluster.url, 2);
    const customer = await given.aCustomer(pool);
    await storeEvents(
      pool,
      ['a', 'b', 'c', 'd'].map((key, place) => aNewEvent(customer, key, place)),
    );
  });
  after(() => pool?.end());

  /** Runs migrations, by name, as the product runs its own, by its role. */
  async function migrate(files: Readonly<Record<string, string>>): Promise<string[]> {
    const dir = await aFolder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, `${name}.sql`), text);
    const databaseUrl = cluster.url;
    const options = { dir, migrationsTable: 'migrations', direction: 'up' as const, checkOrder: false };
    const applied = await runner({ ...options, databaseUrl, log: () => undefined });
    return applied.map((migration) => migration.name);
  }
  const columnsOfEvents = async (): Promise<string[]> => {
    const { fields } = await pool.query('select * from events limit 0');
    return fields.map((field) => field.name);
  };

  it('changes the events on every node, its functions too, and the money of the coordinator', async () => {
    const OF_ALL = `alter table events add column origin text not null default 'api';
       create function origin_of(event events) returns text language sql immutable return upper($1.origin);
       alter table customers add column origin text;
       create table origins (name text primary key);`;
    const INDEX = 'create index events_by_origin on events (origin, created_at)';
    const names = await migrate({ '0900_of_all': OF_ALL, '0901_index': INDEX });
    assert.deepEqual(names, ['0900_of_all', '0901_index']);
    const { rows } = await pool.query<{ origin: string; count: number }>(
      `select upper(origin) as origin, count(*)::integer as count from events group by 1`,
    );
    assert.deepEqual(rows, [{ origin: 'API', count: 4 }]);
    const { rows: nodes } = await pool.query<{ result: string }>(
      `select result from run_command_on_workers(
         $$select count(*) > 0 from pg_indexes where indexname like 'events_%origin%' and tablename ~ '_[0-9]{6,}$'$$)
       union all select result from run_command_on_workers(
         $$select count(*) = 1 from pg_proc where proname = 'origin_of'$$)`,
    );
    assert.deepEqual(
      nodes.map(({ result }) => result),
      ['t', 't', 't', 't'],
    );
    assert.deepEqual(await missingMigrations(pool), []);
  });

  it('fails whole while a node is down, and runs once it is back', async () => {
    const TWO = `alter table customers add column second text; alter table events add column second text;`;
    const node = cluster.nodes[0]!;
    await node.kill();
    await assert.rejects(migrate({ '0902_second': TWO }));
    await node.start();
    assert.ok(!(await columnsOfEvents()).includes('second'));
    const { fields } = await pool.query('select * from customers limit 0');
    assert.ok(!fields.some(({ name }) => name === 'second'));
    assert.deepEqual(await migrate({ '0902_second': TWO }), ['0902_second']);
    assert.ok((await columnsOfEvents()).includes('second'));
  });
});
