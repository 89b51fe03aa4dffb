import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApi, type Json, type TestApi } from '../support/servers/api.ts';
import { commandsOf, runCommand, startCommand } from '../support/servers/command.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFolder } from '../support/servers/folder.ts';

const NOBODY = 'http://127.0.0.1:4';

describe('npm run tidemark, with requests to the API', function () {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(() => api.close());

  const { settings, run, printed, json } = commandsOf(() => api);

  async function made(path: string, body: object): Promise<Json> {
    const answer = await api.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }
  const post = (customer_id: string, idempotency_key: string, parts: object = {}): Promise<Json> =>
    made('/v1/events', { event_name: 'api_call', customer_id, idempotency_key, ...parts });

  it('customers: creates one, shows it by either id, lists it; the JSON is what the API answers', async () => {
    const external_id = 'a/b ü';
    const created = await json('customers', 'create', external_id, '--name', 'Acme', '--tax-rate', '19');
    const days = ['--reminder-days', '-3,1,7'];
    const reminded = await json('customers', 'create', `${external_id}-reminded`, ...days);
    assert.deepEqual(reminded.reminder_days, [-3, 1, 7]);
    assert.deepEqual([created.external_id, created.name, created.tax_rate], [external_id, 'Acme', '19']);
    for (const id of [external_id, created.id]) {
      assert.deepEqual(await json('customers', 'show', id), created);
      assert.match(await printed('customers', 'show', id), /^tax_rate +19 %$/m);
    }
    const list = (await api.request('/v1/customers')).body;
    assert.deepEqual(await json('customers', 'list'), list);
    assert.match(await printed('customers', 'list'), /^cus_\w+ +a\/b ü +Acme +USD +0 +20/m);
    assert.equal((await printed('customers', 'delete', external_id)).trim(), `deleted ${created.id}`);
    assert.equal((await api.request(`/v1/customers/${created.id}`)).status, 404);
    const used = 'used';
    await made('/v1/customers', { external_id: used });
    await post(used, 'of a used customer');
    assert.match(
      (await run('customers', 'delete', used)).stderr,
      /cannot be deleted\n +the customer has events/,
    );
  });

  it('customers list: prints the cursor of the next page on stderr, for --cursor', async () => {
    for (const external_id of ['first', 'second']) await made('/v1/customers', { external_id });
    const { stdout, stderr } = await run('customers', 'list', '--limit', '1');
    assert.match(stdout, /second/);
    assert.doesNotMatch(stdout, /first/);
    const [, cursor] = /^Next page: --cursor (\S+)$/m.exec(stderr)!;
    const { data } = await json('customers', 'list', '--limit', '1', '--cursor', cursor!);
    assert.deepEqual(
      data.map((customer: Json) => customer.external_id),
      ['first'],
    );
  });

  it('customers redact: blanks the customer, names the properties, and says what stays', async () => {
    const { id } = await json('customers', 'create', 'ada', '--name', 'Ada', '--email', 'ada@example.org');
    const args = ['customers', 'redact', 'ada', '--property', 'email', '--property', 'ip'];
    const text = await printed(...args);
    assert.match(text, /^name +-$[^]*^redacted_properties +email, ip$[^]*^redacted_events +pending$/m);
    assert.match(
      text,
      /^kept +external_id, issued_invoices, credit_notes, event_keys, charge_properties, archive_files$/m,
    );
    const shown = await json('customers', 'show', id);
    assert.deepEqual([shown.name, shown.email, shown.redaction.properties], [null, null, ['email', 'ip']]);
    assert.deepEqual((await json('customers', 'redact', id)).redaction.properties, ['email', 'ip']);
    await made('/v1/customers', { external_id: 'in use' });
    const charge = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' };
    const charges = [{ ...charge, filters: { region: ['eu'] } }];
    const plan = await made('/v1/pricing-plans', { name: 'Plan', charges });
    await made('/v1/subscriptions', { customer_id: 'in use', plan_id: plan.id });
    const { code, stderr } = await run('customers', 'redact', 'in use', '--property', 'region');
    assert.notEqual(code, 0);
    assert.match(stderr, /a charge of the customer reads the property region \(properties\[0\]\)/);
  });

  it('events show: the event and its billing status', async () => {
    await made('/v1/customers', { external_id: 'unbilled' });
    const { id } = await post('unbilled', 'shown');
    assert.match(
      await printed('events', 'show', id),
      /^idempotency_key +shown$[^]*^unrated +no_subscription/m,
    );
    const { billing } = await json('events', 'show', id);
    assert.deepEqual([billing.length, billing[0].reason], [1, 'no_subscription']);
  });

  it('events tail: starts with the newest, and shows each new event once, whatever the clock of its customer', async () => {
    for (const external_id of ['tailed', 'other']) await made('/v1/customers', { external_id });
    for (const key of ['1', '2', '3']) await post('tailed', key);
    const args = [
      'events',
      'tail',
      '--customer',
      'tailed',
      '--event-name',
      'api_call',
      '--limit',
      '2',
      '--json',
    ];
    const tail = startCommand(settings(), args);
    const keys = () =>
      Promise.resolve(
        tail
          .output()
          .stdout.split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line).idempotency_key),
      );
    await eventually(keys, (found) => found.length === 2);
    await post('tailed', 'other name', { event_name: 'download' });
    await post('other', 'other customer');
    const hour_ms = 3_600_000;
    const stamps = { ahead: Date.now() + hour_ms, now: Date.now(), late: Date.now() - hour_ms };
    for (const [key, stamp] of Object.entries(stamps)) {
      await post('tailed', key, { timestamp: new Date(stamp).toISOString() });
      await eventually(keys, (found) => found.includes(key));
    }
    tail.child.kill('SIGINT');
    const { code, stderr } = await tail.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(await keys(), ['2', '3', 'ahead', 'now', 'late']);
  });

  it('events tail --once ends by itself; an event prints no control characters', async () => {
    await made('/v1/customers', { external_id: 'hostile' });
    const event = await post('hostile', 'escape', { properties: { text: '\u001b[2J\u009b2J' } });
    const args = ['events', 'tail', '--customer', 'hostile', '--once'];
    const line = await printed(...args);
    assert.equal(line.split('\n').length, 2);
    assert.doesNotMatch(line, /[^\P{Cc}\n]/u);
    assert.deepEqual(JSON.parse(await printed(...args, '--json')), event);
  });

  it('keys: creates, lists and revokes keys in the database', async () => {
    const { connectionString } = api.pool.options;
    const keys = async (...args: string[]): Promise<Json> => {
      const ran = await runCommand({ DATABASE_URL: connectionString! }, 'keys', ...args, '--json');
      assert.equal(ran.code, 0, ran.stderr);
      return JSON.parse(ran.stdout);
    };
    const { id, secret } = await keys('create', '--live', '--name', 'Shop');
    assert.match(secret, /^tm_sk_live_/);
    assert.equal((await api.request('/v1/customers', { key: secret })).status, 200);
    assert.equal((await keys('list', '--live')).data[0].name, 'Shop');
    assert.deepEqual(await keys('revoke', id, '--live'), { id, object: 'api_key', is_revoked: true });
    const again = await runCommand({ DATABASE_URL: connectionString! }, 'keys', 'revoke', id, '--live');
    assert.deepEqual([again.code, again.stdout], [1, '']);
  });

  const REFUSALS: [what: string, args: string[], code: number, said: RegExp][] = [
    ['a bad field', ['customers', 'create', 'cus_x'], 1, /cus_ \(external_id\)\n +400, request req_\w+\n$/],
    [
      'nothing there',
      ['invoice', 'show', 'inv_x', '--json'],
      1,
      /no resource was found at this address\n +404, request req_/,
    ],
    ['a wrong key', ['customers', 'list', '--key', 'tm_sk_test_x'], 1, /not valid\n +401, request req_/],
    ['a test key for --live', ['customers', 'list', '--live'], 2, /--live requires a live key/],
    [
      'nobody there',
      ['customers', 'list', '--url', NOBODY],
      1,
      /^error: http:\S+ does not respond: .*ECONNREFUSED/,
    ],
  ];
  for (const [what, args, code, said] of REFUSALS) {
    it(`${what}: exits ${code}, and stdout stays empty`, async () => {
      const ran = await run(...args);
      assert.deepEqual([ran.code, ran.stdout], [code, '']);
      assert.match(ran.stderr, said);
    });
  }

  for (const args of [['setup'], ['keys', 'list'], ['sign-in']])
    it(`${args[0]}: names PostgreSQL where no server is there`, async () => {
      const nobody = {
        DATABASE_URL: 'postgres://role@127.0.0.1:1/database',
        TEMPORAL_ADDRESS: '127.0.0.1:1',
      };
      const { code, stdout, stderr } = await runCommand(nobody, ...args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^error: PostgreSQL cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1; start it, and check DATABASE_URL\n$/,
      );
    });

  it('sends the running stack its own keys, and no other address', async () => {
    const folder = await aFolder();
    const { url: api_url, test_key, live_key } = api;
    writeFileSync(join(folder, 'stack.json'), JSON.stringify({ api_url, test_key, live_key }));
    const stack = { TIDEMARK_DATA_DIR: folder };
    await api.post('/v1/customers', { external_id: 'living' }, { key: live_key });
    const living = await runCommand(stack, 'customers', 'list', '--live', '--json');
    assert.deepEqual([living.code, JSON.parse(living.stdout).data.length], [0, 1]);
    assert.equal((await runCommand(stack, 'customers', 'show', 'living')).code, 1);
    const elsewhere = await runCommand(stack, 'customers', 'list', '--url', NOBODY);
    assert.match(elsewhere.stderr, /^error: no API key for /);
    assert.match((await runCommand({}, 'customers', 'list')).stderr, /^error: no stack is running in /);
  });

  it('ends quietly if the reader closes the pipe', async () => {
    const tail = startCommand(settings(), ['events', 'tail', '--customer', 'tailed', '--limit', '1']);
    await once(tail.child.stdout!, 'data');
    tail.child.stdout!.destroy();
    await post('tailed', 'after the pipe');
    const { code, stderr } = await tail.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });
});
