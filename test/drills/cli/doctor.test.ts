import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Json } from '../../support/servers/api.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { runCommand } from '../../support/servers/command.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { aStoredMethod } from '../../support/ledger/payment-method.ts';
import { shadowFunction } from '../../support/ledger/pretend.ts';
import { useStack } from '../../support/servers/stack.ts';
import { temporalAddress } from '../../support/servers/temporal.ts';

const NOBODY = '127.0.0.1:4';

type Settings = Record<string, string>;
type Examined = { code: number | null; text: string; of: (what: string) => Json };

async function examine(settings: Settings): Promise<Examined> {
  const { code, stdout, stderr } = await runCommand(settings, 'doctor', '--json');
  assert.equal(stderr, '');
  const { is_well, checks } = JSON.parse(stdout);
  assert.equal(is_well, code === 0);
  return { code, text: stdout, of: (what) => checks.find((check: Json) => check.what === what) };
}

describe('npm run tidemark -- doctor', function () {
  const stack = useStack();

  async function settingsOfStack(): Promise<Settings> {
    return {
      DATABASE_URL: stack().pool.options.connectionString!,
      TEMPORAL_ADDRESS: await temporalAddress(),
      TIDEMARK_URL: stack().api_url,
      TIDEMARK_DATA_DIR: await aFolder(),
    };
  }

  // The test cluster runs with fsync off; doctor must see it on.
  it('finds no problem in a sound installation', async () => {
    await shadowFunction(
      stack().pool,
      `create function current_setting(name text) returns text language sql
         return case when name = 'fsync' then 'on' else pg_catalog.current_setting(name) end`,
    );
    const settings = await settingsOfStack();
    const { code, stdout, stderr } = await runCommand(settings, 'doctor');
    assert.deepEqual([code, stderr], [0, ''], stdout);
    // `warn` is allowed for ports: another program of the machine may use a default port.
    for (const line of stdout.trimEnd().split('\n')) assert.match(line, /^ok {2,}\S|^warn {2}ports/);
    for (const what of [
      'migrations',
      'account',
      'rollup',
      'worker',
      'Temporal clock',
      'PostgreSQL clock',
      'API',
    ])
      assert.match(stdout, new RegExp(`^ok +${what} `, 'm'));
  });

  it('names what is missing, the next step, and the checks that depend on it', async () => {
    const { code, of } = await examine({ TIDEMARK_DATA_DIR: await aFolder() });
    assert.equal(code, 1);
    for (const what of ['PostgreSQL', 'Temporal', 'API']) {
      assert.equal(of(what).status, 'fail');
      assert.match(of(what).next_step, /^start [\w ]+, with npm start/);
    }
    for (const [what, needed] of [
      ['account', 'PostgreSQL'],
      ['worker', 'Temporal'],
    ]) {
      const { status, detail } = of(what!);
      assert.deepEqual([status, detail], ['warn', `not checked, because ${needed} failed`]);
    }
  });

  it('says that nothing responds, without the password', async () => {
    const DATABASE_URL = `postgresql://tidemark:hidden@${NOBODY}/tidemark`;
    const settings = { DATABASE_URL, TEMPORAL_ADDRESS: NOBODY, TIDEMARK_URL: `http://${NOBODY}` };
    const { code, text, of } = await examine(settings);
    assert.equal(code, 1);
    for (const what of ['PostgreSQL', 'Temporal', 'API']) assert.equal(of(what).status, 'fail');
    assert.doesNotMatch(text, /hidden/);
  });

  it('finds by its ports that the stack of stack.json has stopped', async () => {
    const folder = await aFolder();
    const file = {
      api_url: stack().api_url,
      database_url: stack().pool.options.connectionString,
      temporal_address: NOBODY,
    };
    writeFileSync(join(folder, 'stack.json'), JSON.stringify(file));
    const { code, of } = await examine({ TIDEMARK_DATA_DIR: folder });
    assert.deepEqual([code, of('ports').detail], [1, `servers in stack.json do not respond: ${NOBODY}`]);
    assert.deepEqual([of('PostgreSQL').status, of('API').status], ['ok', 'ok']);
  });

  it('does not wait for a server that accepts a connection and never responds', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const place = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const settings = {
      DATABASE_URL: `postgresql://${place}/tidemark`,
      TEMPORAL_ADDRESS: place,
      TIDEMARK_URL: `http://${place}`,
    };
    const { code, of } = await examine(settings);
    silent.close();
    assert.equal(code, 1);
    for (const what of ['PostgreSQL', 'Temporal', 'API']) assert.equal(of(what).status, 'fail', what);
  });

  it('finds what is wrong with a database that responds', async () => {
    const url = await createDatabase();
    const pool = createPool(url, 1);
    await shadowFunction(
      pool,
      `create function clock_timestamp() returns timestamptz language sql
         return pg_catalog.clock_timestamp() + interval '1 minute'`,
    );
    const settings = { ...(await settingsOfStack()), DATABASE_URL: url };
    const empty = await examine(settings);
    assert.equal(empty.code, 1);
    assert.deepEqual([empty.of('migrations').status, empty.of('account').status], ['ok', 'fail']);
    assert.match(empty.of('PostgreSQL durability').detail, /^fsync off/);
    assert.equal(empty.of('PostgreSQL clock').status, 'fail');
    await pool.query(`delete from migrations where name = '0001_start'`);
    await pool.end();
    const old = await examine(settings);
    assert.equal(old.of('migrations').detail, 'not applied: 0001_start');
    assert.equal(old.of('account').detail, 'not checked, because migrations failed');
  });

  it('finds that DATABASE_READ_URL leads to another database, or to none', async () => {
    const settings = await settingsOfStack();
    const examined = (DATABASE_READ_URL: string) => examine({ ...settings, DATABASE_READ_URL });
    const standby = 'PostgreSQL standby';
    assert.equal((await examined(settings['DATABASE_URL']!)).of(standby).status, 'ok');
    const other = (await examined(await createDatabase())).of(standby);
    assert.match(
      other.detail,
      /^the database has no account, and that of DATABASE_URL has the account acct_/,
    );
    assert.equal((await examined(`postgres://someone:secret@${NOBODY}/nothing`)).of(standby).status, 'fail');
  });

  it('names the customers that a batch job has set aside, which the metrics count', async () => {
    await stack().done(stack().test_key, 'POST', '/v1/customers', { external_id: 'acme' });
    await stack().pool.query(
      `insert into set_aside (environment_id, job, customer_id, reason, failed_at, tried_at)
       select environment_id, 'expired_credit', id, 'no such row', '2026-01-01Z', now() from customers where external_id = 'acme'`,
    );
    const { of } = await examine(await settingsOfStack());
    const metrics = await (await fetch(`${stack().api_url}/metrics`)).text();
    await stack().pool.query('delete from set_aside');
    assert.deepEqual(of('set aside').status, 'warn');
    assert.equal(
      of('set aside').detail,
      'expired_credit of the test customer acme since 2026-01-01T00:00:00.000Z: no such row',
    );
    assert.match(
      metrics,
      /^tidemark_customers_set_aside\{background_job="expired_credit",environment="test"\} 1$/m,
    );
  });

  it('names a payment provider that fails, and one whose events do not arrive', async () => {
    const { pool, done, test_key } = stack();
    const { of } = await examine(await settingsOfStack());
    assert.deepEqual(
      [of('payment provider').status, of('payment provider').detail],
      ['ok', 'none is connected'],
    );
    assert.equal(of('charges').status, 'ok');
    await done(test_key, 'POST', '/v1/customers', { external_id: 'payer' });
    await aStoredMethod(pool, 'payer');
    const without_events = (await examine(await settingsOfStack())).of('payment provider');
    assert.equal(without_events.status, 'warn');
    assert.match(without_events.detail, /^acct_1 \(test\): it posts its events by https alone/);
    await pool.query(`update payment_providers set status = 'failing', status_reason = 'Invalid API Key'`);
    const failing = (await examine(await settingsOfStack())).of('payment provider');
    assert.match(
      failing.detail,
      /^acct_1 \(test\): it refuses requests or does not answer: Invalid API Key$/,
    );
    await pool.query(`update payment_providers set status = 'active', status_reason = null`);
  });

  it('finds that a namespace is not registered', async () => {
    const { code, of } = await examine({ ...(await settingsOfStack()), TEMPORAL_NAMESPACE: 'nowhere' });
    assert.equal(code, 1);
    assert.equal(of('Temporal namespace').detail, 'nowhere is not registered');
    assert.equal(of('worker').detail, 'not checked, because Temporal namespace failed');
  });
});
