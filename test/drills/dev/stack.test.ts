import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { StackFile } from '../../../dev/data-dir.ts';
import { holderOf } from '../../../dev/pid-file.mjs';
import { isOk } from '../../../dev/ports.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { npmStart, started, type Started } from '../../support/servers/npm-start.ts';

const PARTS = ['api', 'postgresql', 'temporal', 'worker'];
const STOP_LIMIT_MS = 15_000;

function pidOf(data_dir: string, part: string): number | null {
  return holderOf(join(data_dir, 'logs', `${part}.pid`));
}

/** Waits until the worker and Temporal have their lower priorities. Throws on timeout, with the priorities found. */
async function hasLevels(data_dir: string): Promise<void> {
  const levels = () => PARTS.map((part) => getPriority(pidOf(data_dir, part)!) - getPriority());
  const expected = [0, 0, 5, 5];
  await eventually(
    async () => levels(),
    (found) => isDeepStrictEqual(found, expected),
  );
}

async function post({ api_url, test_key }: StackFile, path: string, body: object): Promise<number> {
  const response = await fetch(`${api_url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${test_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status;
}

const isEmpty = (list: readonly unknown[]) => list.length === 0;

const CUSTOMER = { external_id: 'acme' };
const EVENT = { event_name: 'api_call', customer_id: 'acme', idempotency_key: 'first' };

describe('npm start', function () {
  this.timeout(600_000); // Long: the first run may have to build the Temporal command.

  let data_dir = '';
  let stack: Started;

  before(async () => {
    data_dir = await aFolder();
    stack = await started(data_dir);
  });

  it('prints the addresses, and all of them respond', async () => {
    const { api_url, dashboard_url, temporal_ui_url, test_key, live_key, database_url, pid } = stack.file;
    for (const place of [dashboard_url, `${api_url}/docs`, temporal_ui_url!]) {
      assert.ok(stack.output().includes(place), stack.output());
      assert.ok(await isOk(place), place);
    }
    assert.ok(stack.output().includes(test_key));
    assert.match(live_key, /^tm_sk_live_/);
    assert.match(database_url, /^postgres:/);
    assert.equal(pid, stack.child.pid);
  });

  it('makes files with secrets readable by their owner only', () => {
    for (const name of ['stack.json', 'secrets.json', 'logs/api.log'])
      assert.equal(statSync(join(data_dir, name)).mode & 0o777, 0o600, name);
  });

  it('logs a line per request, with method, path, status and time', async () => {
    const log = join(data_dir, 'logs/api.log');
    const requests = [
      { method: 'GET', path: '/v1/customers', route: '/v1/customers', status: 401 },
      { method: 'POST', path: '/v1/customers', route: '/v1/customers', status: 401 },
      { method: 'GET', path: '/v1/customers/acme', route: '/v1/customers/{id}', status: 401 },
      { method: 'GET', path: '/readyz', route: '/readyz', status: 200 },
      { method: 'GET', path: '/nothing', route: null, status: 404 },
    ];
    const asked = [];
    for (const { path, ...expected } of [...requests, ...requests]) {
      const asked_at = new Date().toISOString();
      const { headers } = await fetch(`${stack.file.api_url}${path}`, { method: expected.method });
      asked.push({ asked_at, expected: { ...expected, request_id: headers.get('x-request-id')! } });
    }
    for (const { asked_at, expected } of asked) {
      const isIts = (line: string) => line.includes(expected.request_id);
      const lines = () => Promise.resolve(readFileSync(log, 'utf8').split('\n').filter(isIts));
      const [line = ''] = await eventually(lines, (found) => found.length > 0);
      const { level, time, ms, ...rest } = JSON.parse(line);
      assert.deepEqual(rest, { name: 'api', key_id: null, ...expected });
      assert.ok(level === 'info' && ms >= 0 && time >= asked_at && time <= new Date().toISOString(), line);
    }
  });

  it('is refused a second time in the same data directory', async () => {
    const second = npmStart(['--data-dir', data_dir]);
    assert.equal(await second.code, 1);
    assert.equal(second.output(), `process ${stack.child.pid} already uses ${data_dir}; stop it first\n`);
    assert.ok(existsSync(join(data_dir, 'stack.json')));
  });

  it('lowers the priority of the worker and Temporal once they are ready, so that events come first', () =>
    hasLevels(data_dir));

  it('replaces a hung API and worker, but not Postgres and Temporal', async () => {
    assert.equal(await post(stack.file, '/v1/customers', CUSTOMER), 201);
    const before = PARTS.map((part) => pidOf(data_dir, part)!);
    const hung = PARTS.map((part) => part === 'api' || part === 'worker');
    for (const pid of before.filter((_, n) => hung[n])) process.kill(pid, 'SIGSTOP');
    await eventually(
      async () => PARTS.map((part, n) => ![null, before[n]].includes(pidOf(data_dir, part))),
      (replaced) => isDeepStrictEqual(replaced, hung),
    );
    await eventually(() => isOk(`${stack.file.api_url}/readyz`), Boolean);
    assert.equal(await post(stack.file, '/v1/customers', CUSTOMER), 200);
  });

  it('restarts every process that is killed', async () => {
    const killed = PARTS.map((part) => pidOf(data_dir, part));
    for (const pid of killed) process.kill(pid!, 'SIGKILL');
    const isBack = (part: string, n: number) => ![null, killed[n]].includes(pidOf(data_dir, part));
    const isReady = () => isOk(`${stack.file.api_url}/readyz`);
    await eventually(async () => PARTS.every(isBack) && (await isReady()), Boolean);
    assert.equal(await post(stack.file, '/v1/events', EVENT), 201);
    await hasLevels(data_dir);
  });

  it('keeps every acknowledged event after all of its processes were killed', async () => {
    const pids = PARTS.map((part) => pidOf(data_dir, part)!);
    for (const pid of [stack.child.pid!, ...pids]) process.kill(pid, 'SIGKILL');
    await stack.code;
    const { test_key } = stack.file;
    stack = await started(data_dir);
    assert.equal(stack.file.test_key, test_key);
    assert.equal(await post(stack.file, '/v1/events', EVENT), 200);
  });

  it('replaces the processes that went on when only npm start was killed', async () => {
    const before = PARTS.map((part) => pidOf(data_dir, part)!);
    stack.child.kill('SIGKILL');
    await stack.code;
    stack = await started(data_dir);
    for (const pid of before) assert.throws(() => process.kill(pid, 0), /ESRCH/);
    assert.equal(await post(stack.file, '/v1/events', EVENT), 200);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`${signal} stops everything in time, and leaves only data and logs`, async () => {
      if (stack.child.exitCode !== null) stack = await started(data_dir);
      const began_at = Date.now();
      stack.child.kill(signal);
      assert.equal(await stack.code, 0);
      assert.ok(Date.now() - began_at < STOP_LIMIT_MS);
      assert.deepEqual(
        readdirSync(join(data_dir, 'logs')),
        PARTS.map((part) => `${part}.log`),
      );
      assert.deepEqual(
        readdirSync(data_dir).filter((name) => ['lock', 'stack.json'].includes(name)),
        [],
      );
    });
  }

  it('leaves nothing running if it is stopped while it starts', async () => {
    const early = npmStart(['--data-dir', data_dir, '--port', '0']);
    await eventually(async () => pidOf(data_dir, 'temporal'), Boolean);
    early.child.kill('SIGTERM');
    assert.equal(await early.code, 0);
    await eventually(async () => PARTS.filter((part) => pidOf(data_dir, part) !== null), isEmpty);
  });
});

describe('npm start refuses', () => {
  const REFUSED: [what: string, args: string[], environment: Record<string, string>, reason: RegExp][] = [
    ['an unknown option', ['--prot', '1'], {}, /Unknown option '--prot'.*\nUsage: npm start/s],
    ['an extra argument', ['now'], {}, /Unexpected argument 'now'.*\nUsage: npm start/s],
    ['an invalid port', ['--port', '1e9'], {}, /^PORT must be .*\nUsage: npm start/s],
    [
      'embedded databases in production',
      [],
      { NODE_ENV: 'production' },
      /^NODE_ENV is production: set DATABASE_URL/,
    ],
  ];
  for (const [what, args, environment, reason] of REFUSED) {
    it(what, async () => {
      const command = npmStart(args, environment);
      assert.notEqual(await command.code, 0);
      assert.match(command.output(), reason);
    });
  }
});
