import assert from 'node:assert/strict';
import { price } from '../../../src/domain/pricing/pricing.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';

let api: TestApi;
let me: SignedIn;
before(async () => {
  api = await startApi();
  me = await signIn(api);
});
after(() => api.close());

describe('API keys in the settings', () => {
  it('a key is shown in full once, works, is listed by its last four characters, and is refused after it is revoked', async () => {
    const created = await me.post('/dashboard/api/keys', { name: 'Backend' });
    assert.equal(created.status, 201);
    const { secret, ...key } = created.body;
    assert.match(secret, /^tm_sk_test_/);
    assert.equal(key.last_four, secret.slice(-4));
    assert.equal((await api.request('/v1/customers', { key: secret })).status, 200);
    const [listed] = (await me.request('/dashboard/api/keys')).body.data;
    assert.deepEqual({ ...listed, last_used_at: null }, key);
    assert.notEqual(listed.last_used_at, null);
    const revoked = await me.post(`/dashboard/api/keys/${key.id}/revoke`);
    assert.deepEqual([revoked.status, revoked.body.revoked_at === null], [200, false]);
    assert.equal((await me.post(`/dashboard/api/keys/${key.id}/revoke`)).status, 409);
    const { rows } = await api.pool.query('select from idempotency_keys');
    assert.equal(rows.length, 0);
  });

  it('a key has the environment and the kind that were requested', async () => {
    const headers = { 'Tidemark-Environment': 'live' };
    const body = { name: 'Agents', kind: 'events_only' };
    const { body: key } = await me.request('/dashboard/api/keys', { method: 'POST', body, headers });
    assert.match(key.secret, /^tm_sk_live_/);
    assert.equal((await api.request('/v1/customers', { key: key.secret })).status, 401);
    assert.equal((await me.post(`/dashboard/api/keys/${key.id}/revoke`)).status, 404);
  });

  const FAULTS: [what: string, body: object, param: string][] = [
    ['without a name', {}, 'name'],
    ['with a blank name', { name: ' ' }, 'name'],
    ['of an unknown kind', { name: 'x', kind: 'admin' }, 'kind'],
    ['with an unknown member', { name: 'x', scope: 'all' }, 'scope'],
  ];
  for (const [what, body, param] of FAULTS) {
    it(`is not made ${what}`, async () => {
      const { status, body: answer } = await me.post('/dashboard/api/keys', body);
      assert.deepEqual([status, answer.error.param], [400, param]);
    });
  }
});

describe('the account in the settings', () => {
  it('changes only the fields that are sent', async () => {
    const before = (await me.request('/v1/account')).body;
    assert.deepEqual(
      [before.name, before.currency, before.tax_rate, before.address],
      ['Tidemark', 'USD', '0', null],
    );
    const patch = { name: 'Ocean GmbH', tax_rate: '19.50', invoice_footer: 'Hafen 1\nHamburg' };
    const changed = await me.request('/v1/account', { method: 'PATCH', body: patch });
    assert.deepEqual([changed.status, changed.body], [200, { ...before, ...patch, tax_rate: '19.5' }]);
    const removed = await me.request('/v1/account', { method: 'PATCH', body: { invoice_footer: null } });
    assert.deepEqual([removed.body.invoice_footer, removed.body.name], [null, 'Ocean GmbH']);
    const customer = await me.post('/v1/customers', { external_id: 'taxed' });
    assert.equal(customer.body.tax_rate, '19.5');
  });

  for (const [param, value] of [
    ['name', ''],
    ['name', null],
    ['currency', 'XAU'],
    ['tax_rate', '101'],
    ['address', { line1: 'a\u0000b', country: 'DE' }],
    ['invoice_footer', 'x'.repeat(1001)],
  ] as const) {
    it(`refuses ${JSON.stringify(value).slice(0, 20)} as ${param}`, async () => {
      const body = { [param]: value };
      const answer = await me.request('/v1/account', { method: 'PATCH', body });
      if (value === null) assert.equal(answer.body.name, 'Ocean GmbH');
      else assert.equal(answer.status, 400);
    });
  }
});

describe('prices of the dashboard', () => {
  const tiers = [
    { up_to: '1000', unit_amount: '0.1', flat_amount: null },
    { up_to: null, unit_amount: '0.05', flat_amount: '5' },
  ];

  it('equal the prices of the code that bills', async () => {
    const quantities = ['0', '1000', '1000.5', '15000'];
    const charge = { event_name: 'call', pricing_model: 'graduated', tiers };
    const { status, body } = await me.post('/dashboard/api/prices', { charge, currency: 'USD', quantities });
    assert.equal(status, 200);
    for (const [at, quantity] of quantities.entries()) {
      const usage = { quantity, credit: '0', fraction: { numerator: '1', denominator: '1' }, percents: [] };
      const { amount, tiers: priced } = price({ pricing_model: 'graduated', tiers }, usage, 'USD');
      assert.deepEqual([body.data[at].amount, body.data[at].tiers], [amount, priced]);
    }
    assert.equal(body.data[1].amount, '100.00');
  });

  const per_unit = { event_name: 'call', pricing_model: 'per_unit', unit_amount: '1' };
  const FAULTS: [what: string, body: Json, param: string][] = [
    [
      'a charge that lacks its price',
      { charge: { event_name: 'a', pricing_model: 'flat' } },
      'charge.flat_amount',
    ],
    ['a charge without a model', { charge: { event_name: 'a' } }, 'charge.pricing_model'],
    ['a quantity below 0', { quantities: ['-1'] }, 'quantities[0]'],
    ['no quantity', { quantities: [] }, 'quantities'],
    ['too many quantities', { quantities: Array.from({ length: 201 }, () => '1') }, 'quantities'],
  ];
  for (const [what, body, param] of FAULTS) {
    it(`names the field at fault: ${what}`, async () => {
      const sent = { charge: per_unit, currency: 'USD', quantities: ['1'], ...body };
      const answer = await me.post('/dashboard/api/prices', sent);
      assert.deepEqual([answer.status, answer.body.error.param], [400, param]);
    });
  }
});

describe('Home of the dashboard', () => {
  it('checks off the steps that are done, and counts events and invoices', async () => {
    const fresh = await startApi();
    const person = await signIn(fresh);
    const home = async () => (await person.request('/dashboard/api/home')).body;
    const none = {
      key: false,
      customer: false,
      plan: false,
      subscription: false,
      event: false,
      seller: false,
      finance: false,
      invoice: false,
    };
    assert.deepEqual((await home()).steps, none);
    await fresh.post('/v1/customers', { external_id: 'acme' });
    const event = { event_name: 'call', customer_id: 'acme', idempotency_key: 'k' };
    await fresh.post('/v1/events', event);
    const ahead = { timestamp: new Date(Date.now() + 30 * 3_600_000).toISOString() };
    await fresh.pool.query('update customers set test_clock = $1', [ahead.timestamp]);
    await fresh.post('/v1/events', { ...event, idempotency_key: 'ahead', ...ahead });
    const { steps, events_by_day, events_ahead, attention } = await home();
    assert.equal(events_ahead, '1');
    assert.deepEqual(steps, { ...none, key: true, customer: true, event: true });
    assert.equal(events_by_day.length, 30);
    assert.deepEqual(events_by_day.at(-1).count, '1');
    assert.deepEqual(attention, []);
    await fresh.close();
  });

  it('checks off the seller once it has name, address and tax id, and finance once two people may do its work', async () => {
    const fresh = await startApi();
    const person = await signIn(fresh);
    const start = async (environment = 'live') => {
      const headers = { 'Tidemark-Environment': environment };
      const { steps, seller_lacks, has_issued } = (await person.request('/dashboard/api/start', { headers }))
        .body;
      return [steps.seller, seller_lacks, steps.finance, has_issued];
    };
    const set = (body: object) =>
      fresh.request('/v1/account', { key: fresh.live_key, method: 'PATCH', body });
    const invite = (role: string) =>
      person.post('/dashboard/api/users', { email: `${role}@example.org`, name: role, role });
    assert.deepEqual(await start(), [false, ['name', 'address', 'tax_ids'], false, false]);
    await set({ name: 'Acme GmbH' });
    assert.deepEqual((await start())[1], ['address', 'tax_ids']);
    await set({ address: { line1: 'Hauptstr. 1', city: 'Berlin', country: 'DE' } });
    assert.deepEqual((await start())[1], ['tax_ids']);
    await set({ tax_ids: [{ type: 'eu_vat', value: 'DE123456788' }] });
    for (const role of ['viewer', 'support']) await invite(role);
    assert.deepEqual(await start(), [true, [], false, false]);
    await invite('finance');
    assert.deepEqual(await start(), [true, [], true, false]);
    assert.deepEqual((await start('test')).slice(0, 2), [false, ['name', 'address', 'tax_ids']]);
    await fresh.pool.query(`update users set status = 'removed' where role = 'finance'`);
    assert.deepEqual((await start())[2], false);
    await fresh.close();
  });

  it('says why no live invoice is issued, in test mode too', async () => {
    const fresh = await startApi();
    const person = await signIn(fresh);
    const read = async () => (await person.request('/dashboard/api/home')).body.numbering_halt;
    assert.equal(await read(), null);
    await fresh.pool.query(`update environments set numbering_halt = 'Live invoices wait: why' where id = 2`);
    assert.equal(await read(), 'Live invoices wait: why');
    await fresh.close();
  });
});

describe('customers that are set aside, on Home', () => {
  it('are counted once each and listed with job and reason in words, in their own environment alone', async () => {
    const fresh = await startApi();
    const person = await signIn(fresh);
    const read = async (environment: string) =>
      (await person.request('/dashboard/api/home', { headers: { 'Tidemark-Environment': environment } })).body
        .set_aside;
    for (const external_id of ['acme', 'other']) await fresh.post('/v1/customers', { external_id });
    assert.deepEqual(await read('test'), { customers: 0, data: [] });
    await fresh.pool.query(
      `insert into set_aside (environment_id, job, customer_id, reason, failed_at)
       select environment_id, job, id, 'why ' || job, failed_at from customers,
         (values ('rollup', timestamptz '2026-01-02Z'), ('expired_credit', '2026-01-01Z')) as j(job, failed_at)
       where external_id = 'acme'`,
    );
    const acme = (job: string, failed_at: string, reason: string) => ({
      ...{ customer_id: 'acme', job, reason },
      failed_at: `${failed_at}T00:00:00.000Z`,
    });
    // What the database said, as in 'why rollup', is for operators alone.
    assert.deepEqual(await read('test'), {
      customers: 1,
      data: [
        acme(
          'expired_credit',
          '2026-01-01',
          'Its expired credit is not written off: no invoice uses this credit.',
        ),
        acme(
          'rollup',
          '2026-01-02',
          'The daily totals of its usage are not kept: its invoices read every event and take longer.',
        ),
      ],
    });
    assert.deepEqual(await read('live'), { customers: 0, data: [] });
    await fresh.close();
  });
});

describe('the search for customers', () => {
  it('finds by external_id, name and email, ignores case, and matches % literally', async () => {
    const customers = [
      { external_id: 'search-1', name: 'Nordwind 100% AG', email: 'a@north.example' },
      { external_id: 'search-2', name: 'Ødegaard', email: 'b@south.example' },
    ];
    for (const customer of customers) await api.post('/v1/customers', customer);
    const found = async (search: string) =>
      (await api.request(`/v1/customers?search=${encodeURIComponent(search)}`)).body.data.map(
        ({ external_id }: { external_id: string }) => external_id,
      );
    assert.deepEqual(await found('SEARCH-'), ['search-2', 'search-1']);
    assert.deepEqual(await found('nordwind 100%'), ['search-1']);
    assert.deepEqual(await found('Ødegaard'), ['search-2']);
    assert.deepEqual(await found('@south'), ['search-2']);
    assert.deepEqual(await found('%'), ['search-1']);
    assert.deepEqual(await found('nobody'), []);
    assert.equal((await api.request('/v1/customers?search=')).status, 400);
  });
});
