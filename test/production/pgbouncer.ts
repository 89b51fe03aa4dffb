import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import { createPool } from '../../src/db/connection/pool.ts';
import { anyFreePort, isOk, LOOPBACK } from '../../dev/ports.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { findTemporal } from '../../dev/temporal-binary.ts';
import { startTemporal } from '../../dev/temporal-server.ts';
import { send, type Json } from '../support/servers/api.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { startProgram, type Running } from '../support/servers/command.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFolder } from '../support/servers/folder.ts';
import { assertSound } from '../support/ledger/sound.ts';

/**
 * Tidemark behind PgBouncer, the program itself (Debian: apt-get install pgbouncer). In session mode a customer's life works from the events
 * to the invoice; every other mode, and a PgBouncer that does not accept our options, is refused by each process with one sentence.
 */
type Mode = { pool_mode: 'session' | 'transaction' | 'statement'; ignore?: string };

const START_LIMIT_MS = 120_000;
/** Startup options that are accepted, and not passed on. */
const IGNORE = 'options,extra_float_digits';

function requirePgbouncer(): void {
  const { status } = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' });
  assert.equal(status, 0, 'pgbouncer is missing; the Debian package pgbouncer brings it');
}

/** Starts PgBouncer before the database of a URL; returns the URL of the same database through it. */
async function startPgbouncer(url: string, { pool_mode, ignore = IGNORE }: Mode): Promise<string> {
  const folder = await aFolder();
  const { hostname, port, pathname, username, password } = new URL(url);
  const own_port = await anyFreePort();
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      `listen_addr = ${LOOPBACK}`,
      `listen_port = ${own_port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      `pool_mode = ${pool_mode}`,
      'default_pool_size = 80',
      'max_client_conn = 400',
      ...(ignore === '' ? [] : [`ignore_startup_parameters = ${ignore}`]),
    ].join('\n'),
  );
  for (const [path, mode] of [
    [folder, 0o755],
    [users, 0o644],
    [settings, 0o644],
  ] as const)
    chmodSync(path, mode);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, settings], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  atEnd(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const pooled = Object.assign(new URL(url), { port: `${own_port}`, pathname }).href;
  const isUp = async () => (await isListening(own_port)) || child.exitCode !== null;
  await eventually(isUp, Boolean);
  assert.equal(child.exitCode, null, 'pgbouncer ended');
  return pooled;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    const answer = (is_listening: boolean) => {
      socket.destroy();
      resolve(is_listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

type Settings = Record<string, string>;

const PROGRAMS = { api: ['api/main.ts'], worker: ['worker/main.ts'], setup: ['cli/main.ts', 'setup'] };

const start = (name: keyof typeof PROGRAMS, settings: Settings): Running =>
  startProgram(settings, ['--import', 'tsx', ...PROGRAMS[name]]);

async function isRefused(settings: Settings, sentence: RegExp): Promise<void> {
  for (const name of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
    const { code, stdout, stderr } = await start(name, settings).ended;
    assert.match(stderr, sentence, name);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.deepEqual([code, stdout], [2, ''], name);
    console.log(`  ${name}: exit code 2, ${stderr.trim().slice(0, 110)} ...`);
  }
}

/** Events, a closed period and its invoice, through the API and the worker. */
async function aLife(api_url: string, key: string): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await send(`${api_url}/v1${path}`, {
      method,
      key,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const started_at = new Date(Date.now() - 86_400_000).toISOString();
  await call('POST', '/customers', { external_id: 'acme' });
  const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '0.10' }];
  const plan = await call('POST', '/pricing-plans', { name: 'Plan', interval: 'day', charges });
  const events = Array.from({ length: 500 }, (_, index) => ({
    event_name: 'call',
    customer_id: 'acme',
    idempotency_key: `event-${index}`,
    timestamp: started_at,
  }));
  await call('POST', '/events/batch', { events });
  await call('POST', '/events/batch', { events });
  for (const event of events.slice(0, 50))
    await call('POST', '/events', { ...event, idempotency_key: `one-${event.idempotency_key}` });
  const { id } = await call('POST', '/subscriptions', {
    customer_id: 'acme',
    plan_id: plan.id,
    start_date: started_at,
    billing_anchor: new Date(Date.now() - 60_000).toISOString(),
  });
  const issued = async () => (await call('GET', `/invoices?subscription_id=${id}`)).data;
  const [invoice] = await eventually(issued, (found) => found[0]?.status === 'open', START_LIMIT_MS);
  assert.deepEqual([invoice.total, invoice.number], ['55.00', 'INV-000001']);
  console.log(`  550 events, each sent twice or once, are ${invoice.total} on ${invoice.number}`);
}

async function inSessionMode(url: string, temporal_address: string): Promise<void> {
  const port = await anyFreePort();
  const settings = {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: temporal_address,
    TIDEMARK_SECRET: 'secret of a drill',
    PORT: `${port}`,
    GRACE_PERIOD: '0s',
  };
  const made = await start('setup', settings).ended;
  assert.equal(made.code, 0, made.stderr);
  const keys = await startProgram(settings, [
    '--import',
    'tsx',
    'cli/main.ts',
    'keys',
    'create',
    '--live',
    '--json',
  ]).ended;
  const api = start('api', settings);
  const worker = start('worker', settings);
  const api_url = `http://${LOOPBACK}:${port}`;
  await eventually(() => isOk(`${api_url}/readyz`), Boolean, START_LIMIT_MS);
  await aLife(api_url, JSON.parse(keys.stdout).secret);
  for (const { child } of [api, worker]) child.kill('SIGTERM');
  assert.deepEqual([(await api.ended).code, (await worker.ended).code], [0, 0]);
  const pool = createPool(url, 2);
  const { rows } = await pool.query(
    `select current_setting('TimeZone') as zone, min(created_at) < now() as is_past from customers`,
  );
  assert.deepEqual(rows, [{ zone: 'UTC', is_past: true }]);
  await assertSound(pool);
  await pool.end();
}

/** Rejects if a mode of PgBouncer does not behave as described above. */
export async function run(): Promise<void> {
  requirePgbouncer();
  const postgres = await startPostgres({ data_dir: await aFolder(), durable: false, say: () => undefined });
  atEnd(postgres.stop);
  const { temporal_cli, temporal_namespace: namespace } = readConfig();
  const temporal = await startTemporal({
    binary: await findTemporal(temporal_cli, console.log),
    namespace,
    db_file: null,
    port: null,
    ui_port: null,
    logs: join(await aFolder(), 'logs'),
  });
  atEnd(temporal.stop);
  console.log('pool_mode = session');
  await inSessionMode(await startPgbouncer(postgres.url, { pool_mode: 'session' }), temporal.address);
  for (const pool_mode of ['transaction', 'statement'] as const) {
    console.log(`pool_mode = ${pool_mode}`);
    const DATABASE_URL = await startPgbouncer(postgres.url, { pool_mode });
    const settings = {
      DATABASE_URL,
      TEMPORAL_ADDRESS: temporal.address,
      TIDEMARK_SECRET: 'secret of a drill',
    };
    await isRefused(settings, /pooler that gives each transaction another session, such as PgBouncer/);
  }
  console.log('without ignore_startup_parameters');
  const DATABASE_URL = await startPgbouncer(postgres.url, { pool_mode: 'session', ignore: '' });
  const settings = { DATABASE_URL, TEMPORAL_ADDRESS: temporal.address, TIDEMARK_SECRET: 'secret of a drill' };
  await isRefused(settings, /ignore_startup_parameters = options/);
}
