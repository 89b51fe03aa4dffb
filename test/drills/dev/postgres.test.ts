import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import { identityOf } from '../../../dev/pid-file.mjs';
import { LOOPBACK } from '../../../dev/ports.ts';
import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { foldersOf, removeHome } from '../../../dev/postgres-home.ts';
import { runCommand } from '../../support/servers/command.ts';
import { aFolder } from '../../support/servers/folder.ts';

const RUNS_AS_ROOT = process.getuid?.() === 0;

function start(data_dir: string, said: string[] = []): Promise<Postgres> {
  return startPostgres({ data_dir, durable: false, say: (line) => said.push(line) });
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  // A test may kill the server during the query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<{ answer: unknown }>(sql)).rows[0]?.answer;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  let data_dir = '';
  let postgres: Postgres;

  before(async () => {
    data_dir = await aFolder();
    postgres = await start(data_dir);
    await query(postgres.url, 'create table kept as select 7 as answer');
    await postgres.stop();
  });
  beforeEach(async () => {
    postgres = await start(data_dir);
  });
  afterEach(() => postgres.stop());

  it('is a durable UTF-8 server that only this machine can reach, with a password', async () => {
    assert.equal(await query(postgres.url, `select current_setting('server_encoding') as answer`), 'UTF8');
    assert.equal(await query(postgres.url, `select current_setting('data_checksums') as answer`), 'on');
    assert.equal(await query(postgres.url, `select current_setting('listen_addresses') as answer`), LOOPBACK);
    const without_password = new URL(postgres.url);
    without_password.password = 'wrong';
    await assert.rejects(query(without_password.href, 'select 1'), /password authentication failed/);
  });

  it('keeps its data and its address over a restart', async () => {
    await postgres.stop();
    const { url } = postgres;
    postgres = await start(data_dir);
    assert.equal(postgres.url, url);
    assert.equal(await query(url, 'select answer from kept'), 7);
  });

  it('takes another port if another program has its port', async () => {
    await postgres.stop();
    const other = createServer().listen(postgres.port, LOOPBACK);
    await once(other, 'listening');
    const moved_from = postgres.port;
    postgres = await start(data_dir);
    other.close();
    assert.notEqual(postgres.port, moved_from);
    assert.equal(await query(postgres.url, 'select answer from kept'), 7);
  });

  it('replaces a server that a killed stack left running', async () => {
    const left = postgres;
    postgres = await start(data_dir);
    assert.equal(identityOf(left.pid), null);
    assert.equal(await query(postgres.url, 'select answer from kept'), 7);
  });

  it('starts after a kill with an open session', async () => {
    const session = query(postgres.url, 'select pg_sleep(60)');
    process.kill(postgres.pid, 'SIGKILL');
    await assert.rejects(session);
    postgres = await start(data_dir);
    assert.equal(await query(postgres.url, 'select answer from kept'), 7);
  });

  it('starts although another process has the pid of the killed server', async () => {
    process.kill(postgres.pid, 'SIGKILL');
    await postgres.exited;
    const file = join(data_dir, 'postgres', 'postmaster.pid');
    const { uid, gid } = statSync(join(data_dir, 'postgres'));
    const other = spawn('sleep', ['60'], RUNS_AS_ROOT ? { uid, gid } : {});
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, `${other.pid}`));
    postgres = await start(data_dir);
    other.kill();
    assert.equal(await query(postgres.url, 'select answer from kept'), 7);
  });

  it('that cannot start reports the end of its log', async () => {
    await postgres.stop();
    const settings = join(data_dir, 'postgres', 'postgresql.auto.conf');
    const before_fault = readFileSync(settings);
    writeFileSync(settings, 'no_such_setting = on\n');
    const reason =
      /^Error: PostgreSQL ended during its start; .*unrecognized .* parameter "no_such_setting"/s;
    await assert.rejects(start(data_dir), reason);
    writeFileSync(settings, before_fault);
  });
});

describe('the role of the processes', () => {
  let data_dir = '';
  let postgres: Postgres;
  before(async () => {
    data_dir = await aFolder();
    postgres = await start(data_dir);
  });
  after(() => postgres.stop());

  const ROLE = `select array[rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
    pg_has_role('pg_monitor', 'member')] as answer from pg_roles where rolname = current_user`;
  const FOREIGN = `select count(*)::integer as answer from pg_class c join pg_roles r on r.oid = c.relowner
    where c.relnamespace = 'public'::regnamespace and r.rolname <> current_user`;
  const OWNER = `select r.rolname = current_user as answer from pg_database d join pg_roles r on r.oid = d.datdba
    where datname = current_database()`;

  it('owns its database, and has no other privilege', async () => {
    assert.deepEqual(await query(postgres.url, ROLE), [false, false, false, false, false, false]);
    assert.equal(await query(postgres.url, OWNER), true);
    await assert.rejects(query(postgres.url, 'create role another'), /permission denied/);
    await assert.rejects(query(postgres.url, `copy (select 1) to program 'true'`), /permission denied/);
  });

  it('is created with its database by a command that is safe to repeat', async () => {
    const admin = { DATABASE_ADMIN_URL: postgres.admin_url };
    const url = new URL(postgres.admin_url);
    [url.username, url.password, url.pathname] = ['billing role', "it's", '/billing'];
    for (const password of ["it's", 'another']) {
      url.password = password;
      const ran = await runCommand({ ...admin, DATABASE_URL: url.href }, 'give-database');
      assert.deepEqual(ran, {
        code: 0,
        stdout: 'The role of DATABASE_URL now owns its database.\n',
        stderr: '',
      });
      assert.deepEqual(
        [await query(url.href, OWNER), await query(url.href, ROLE)],
        [true, Array(6).fill(false)],
      );
    }
    const superuser = await runCommand({ ...admin, DATABASE_URL: postgres.admin_url }, 'give-database');
    assert.equal(superuser.code, 1);
    assert.match(
      superuser.stderr,
      /^error: tidemark created this cluster and remains its superuser; use another role/,
    );
    assert.equal((await runCommand(admin, 'give-database')).code, 2);
  });

  it('becomes owner of the objects that a superuser made, as a restore does', async () => {
    const { url, admin_url } = postgres;
    const role = new URL(url).username;
    for (const change of [
      'alter database tidemark owner to current_user',
      `drop owned by ${role}`,
      `drop role ${role}`,
      `create function old() returns integer language sql as 'select 1'`,
      'create view seen as select 1 as answer',
      'create sequence counted',
    ])
      await query(admin_url, change);
    await prepareDatabase(admin_url);
    await postgres.stop();
    postgres = await start(data_dir);
    assert.equal(postgres.url, url);
    assert.deepEqual([await query(url, OWNER), await query(url, FOREIGN)], [true, 0]);
    for (const change of ['alter table events add column new integer', 'drop function old', 'drop view seen'])
      await query(url, change);
    await prepareDatabase(url);
  });
});

describe('the home directory of the embedded PostgreSQL', () => {
  it('is elsewhere for root, if the user that runs it cannot reach the data directory', async function () {
    if (!RUNS_AS_ROOT) return;
    const closed = join(await aFolder(), 'closed');
    const data_dir = join(closed, 'data');
    mkdirSync(data_dir, { recursive: true });
    chmodSync(closed, 0o700);
    const said: string[] = [];
    const postgres = await start(data_dir, said);
    try {
      const shelter = foldersOf(data_dir)[1]!;
      assert.deepEqual(said, [
        `The user that runs PostgreSQL has no access to ${data_dir}, so the database files are in ${shelter}/cluster.`,
      ]);
      assert.ok(lstatSync(join(data_dir, 'postgres')).isSymbolicLink());
    } finally {
      await postgres.stop();
      removeHome(data_dir);
    }
    assert.deepEqual(foldersOf(data_dir), []);
  });
});
