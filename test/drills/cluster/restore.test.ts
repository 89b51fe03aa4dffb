import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool, onConnection, type Pool } from '../../../src/db/connection/pool.ts';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import { storeOnNodes } from '../../../src/db/events/group-on-nodes.ts';
import { storeNewBatch } from '../../../src/db/events/new-batch.ts';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { CITUS_SETTINGS, formCluster } from '../../support/citus/citus-cluster.ts';
import { useCitus } from '../../support/citus/use-citus.ts';
import * as given from '../../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../../support/ledger/events.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { aFolder } from '../../support/servers/folder.ts';

const SERVERS = 3;
const BATCH = 100;
const FEW = 10;
const WRITERS = 4;
const POINT = 'tidemark-of-a-test';

/** A server whose log is archived, with a base backup that can be restored to a point of that log. */
type Server = { postgres: Postgres; backUp: () => Promise<void>; restore: () => Promise<Postgres> };

/** operations.md, *Backups of a cluster*. */
describe('a cluster that is restored to a point', () => {
  const programs = useCitus();
  let servers: Server[];
  let pool: Pool;
  let customer: given.TestCustomer;

  /** The superuser has the coordinator's password on all servers. */
  async function superuserOf({ port }: Postgres): Promise<pg.Client> {
    const client = new pg.Client(servers[0]!.postgres.admin_url.replace(/:\d+\//, `:${port}/`));
    await client.connect();
    return client;
  }

  async function aServer(): Promise<Server> {
    const [data_dir, archive] = [await aFolder(), await aFolder()];
    // PostgreSQL runs as another user where this process is root.
    chmodSync(archive, 0o777);
    const options = { data_dir, durable: false, say: () => undefined, programs: programs() };
    const settings = { ...CITUS_SETTINGS, archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
    const postgres = await startPostgres({ ...options, settings });
    let running = postgres;
    atEnd(() => running.stop());
    const cluster = realpathSync(join(data_dir, 'postgres'));
    const backup = `${cluster}.backup`;
    return {
      postgres,
      async backUp() {
        const admin = await superuserOf(postgres);
        await admin.query(`select pg_backup_start('test', true)`);
        execFileSync('cp', ['-a', cluster, backup]);
        const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
        await admin.end();
        writeFileSync(join(backup, 'backup_label'), rows[0]!.labelfile);
        chmodSync(join(backup, 'backup_label'), 0o666);
      },
      async restore() {
        await running.stop();
        execFileSync('rm', ['-rf', cluster]);
        execFileSync('mv', [backup, cluster]);
        execFileSync('sh', ['-c', 'rm -rf pg_wal/0* postmaster.pid && touch recovery.signal'], {
          cwd: cluster,
        });
        const recovery = {
          restore_command: `cp ${archive}/%f %p`,
          recovery_target_name: POINT,
          recovery_target_action: 'promote',
        };
        running = await startPostgres({
          ...options,
          settings: { ...settings, ...recovery, archive_command: '/bin/true' },
          port: postgres.port,
          is_provisioned: true,
        });
        return running;
      },
    };
  }

  before(async function () {
    this.timeout(180_000);
    servers = await Promise.all(Array.from({ length: SERVERS }, aServer));
    const { url } = await formCluster(servers.map(({ postgres }) => postgres));
    await seedAccount(url, null);
    pool = createPool(url, WRITERS + 2);
    customer = await given.aCustomer(pool);
  });
  after(() => pool?.end());

  it('has what was acknowledged before it, nothing that began after it, and each batch whole', async function () {
    this.timeout(180_000);
    let is_over = false;
    const begun_at = new Map<string, number>();
    const acknowledged_at = new Map<string, number>();
    const write = async (writer: number) => {
      for (let n = 0; !is_over; n++) {
        const name = `batch ${writer} ${n} `;
        const events = Array.from({ length: n % 2 === 0 ? BATCH : FEW }, (_, place) =>
          aNewEvent(customer, `${name}${place}`, place),
        ).sort(byHash);
        begun_at.set(name, performance.now());
        if (n % 2 === 0) await onConnection(pool, (db) => storeNewBatch(db, events));
        else await storeOnNodes(pool, events);
        acknowledged_at.set(name, performance.now());
      }
    };
    const writing = Array.from({ length: WRITERS }, (_, n) => write(n));
    await pause(1000);
    for (const server of servers) await server.backUp();
    await rollUp(pool, 5000);
    await pause(1000);
    const admin = await superuserOf(servers[0]!.postgres);
    const point_from = performance.now();
    await admin.query('select citus_create_restore_point($1)', [POINT]);
    const point_to = performance.now();
    await pause(1000);
    is_over = true;
    await Promise.all(writing);
    await admin.end();
    for (const { postgres } of servers) {
      const client = await superuserOf(postgres);
      await client.query('select pg_switch_wal()');
      await client.end();
    }
    await pause(1000);
    await pool.end();

    const [coordinator, ...nodes] = servers;
    for (const node of nodes) await node.restore();
    const { url } = await coordinator!.restore();
    await prepareDatabase(url);
    pool = createPool(url, WRITERS);
    // Until the coordinator has ended what was prepared at the point, it is not readable (citus.recover_2pc_interval).
    await pause(5000);
    const { rows } = await pool.query<{ name: string; events: number; keys: number }>(
      `select name, count(*)::integer as events, count(k.key_hash)::integer as keys from (
         select key_hash, regexp_replace(idempotency_key, '[0-9]+$', '') as name from events) as e
       left join event_keys k on k.key_hash = e.key_hash group by name`,
    );
    assert.deepEqual(
      rows.filter(({ events, keys }) => ![FEW, BATCH].includes(events) || keys !== events),
      [],
    );
    const restored = new Set(rows.map(({ name }) => name));
    const before = [...acknowledged_at].filter(([, at]) => at < point_from).map(([name]) => name);
    const after = [...begun_at].filter(([, at]) => at > point_to).map(([name]) => name);
    assert.ok(before.length > 10 && after.length > 10, `${before.length} before, ${after.length} after`);
    assert.deepEqual(
      before.filter((name) => !restored.has(name)),
      [],
    );
    assert.deepEqual(
      after.filter((name) => restored.has(name)),
      [],
    );
  });

  it('goes on: events are stored, rolled up and sound', async () => {
    const events = Array.from({ length: BATCH }, (_, place) => aNewEvent(customer, `later ${place}`, place));
    await onConnection(pool, (db) => storeNewBatch(db, events.sort(byHash)));
    while ((await rollUp(pool, 5000)) !== null);
    await assertSound(pool);
  });
});
