import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from '../../../src/db/connection/pool.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import { administer, createDatabase } from '../../support/servers/cluster.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { runsOn, startServices, type Services } from './services-on-lines.ts';

const DISK_BYTES = 64 * 1024 * 1024;
const EVENTS_MAX = 400;

/** Mounts a small disk; null if this system does not permit it. */
function mountDisk(folder: string): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return null;
  }
}

/** A database whose tables are on this disk, and whose WAL is elsewhere. */
async function databaseOn(disk: string): Promise<string> {
  const database_url = await createDatabase();
  const pool = createPool(await createDatabase(), 1);
  const tables = join(disk, 'tables');
  mkdirSync(tables);
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { uid, gid } = statSync(`/proc/${rows[0]!.pid}`);
  chownSync(tables, uid, gid);
  await pool.end();
  await administer(`create tablespace small location '${tables}'`);
  await administer(`alter database ${new URL(database_url).pathname.slice(1)} set tablespace small`);
  return database_url;
}

function fillUp(disk: string): void {
  for (const bytes of [1024 * 1024, 4096])
    for (let file = 0; ; file++) {
      try {
        writeFileSync(join(disk, `filler-${bytes}-${file}`), Buffer.alloc(bytes));
      } catch {
        break;
      }
    }
}

const makeRoom = (disk: string) => execFileSync('sh', ['-c', 'rm -f "$0"/filler-*', disk]);

describe('a full disk', function () {
  this.timeout(600_000);
  let disk: string | null = null;
  let services: Services | null = null;
  let database_url = '';

  before(async function () {
    const folder = await aFolder();
    disk = mountDisk(folder);
    if (disk === null) {
      console.log('      Skipped: only root may mount a small disk, on Linux.');
      return this.skip();
    }
    database_url = await databaseOn(disk);
    services = await startServices({ database_url, logs: join(disk, 'logs') });
  });
  after(async () => {
    if (disk === null) return;
    makeRoom(disk);
    await services?.stop();
    // A checkpoint, and so each later `create database` of this process's PostgreSQL, fails where files of a database are gone.
    await administer(`drop database if exists ${new URL(database_url).pathname.slice(1)} with (force)`);
    await administer('drop tablespace if exists small');
    // Lazy, because a process that is about to end may still have its log there.
    execFileSync('umount', ['--lazy', disk]);
  });

  it('writes fail, reads and health checks work; writes and the log recover once there is space', async () => {
    const { ask, api, worker } = services!;
    const customer_id = newRequestId();
    assert.equal((await ask('/v1/customers', { body: { external_id: customer_id } })).status, 201);
    const post = async () => {
      const properties = { text: newRequestId().repeat(300) };
      const idempotency_key = newRequestId();
      const body = { event_name: 'call', customer_id, idempotency_key, properties };
      return (await ask('/v1/events', { body })).status;
    };
    fillUp(disk!);
    const answers: number[] = [];
    while (!answers.includes(500) && answers.length < EVENTS_MAX) answers.push(await post());
    assert.deepEqual([...new Set(answers)].sort().at(-1), 500);
    // The log buffers lines for a second.
    for (let seconds = 0; seconds < 3; seconds++) {
      assert.equal(await post(), 500);
      for (const path of ['/readyz', '/v1/customers', `/v1/customers/${customer_id}`, '/v1/events'])
        assert.equal((await ask(path)).status, 200, path);
      // More lines than fit in the last block of the log file.
      for (let asked = 0; asked < 50; asked++) assert.equal((await ask('/healthz')).status, 200);
      await pause(1000);
    }
    assert.deepEqual([api, worker].map(runsOn), [true, true]);
    makeRoom(disk!);
    await eventually(post, (status) => status === 201, 20_000);
    const log = join(disk!, 'logs', 'api.log');
    await eventually(
      async () => readFileSync(log, 'utf8').split('\n'),
      (lines) => lines.some((line) => /"count":\d+,"msg":"lines of this log are lost"/.test(line)),
      20_000,
    );
    assert.deepEqual([api, worker].map(runsOn), [true, true]);
  });
});
