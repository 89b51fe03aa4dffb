import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { signIn, signInAs, type SignedIn } from '../../support/servers/signed-in.ts';
import { FLAT } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/audit-log';
const PERSONAL = '[personal]';

describe('the audit log', () => {
  let api: TestApi;
  let owner: SignedIn;
  beforeEach(async () => {
    api = await startApi();
    owner = await signIn(api);
  });
  afterEach(() => api.close());

  const entries = async (query = '', by: SignedIn | null = owner): Promise<Json[]> => {
    const path = `${PATH}?limit=200${query}`;
    const { status, body } = by === null ? await api.request(path) : await by.request(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const actionsOf = async (query: string): Promise<string[]> =>
    (await entries(query)).map(({ action }) => action).toReversed();
  const done = async (path: string, body: object, by: SignedIn = owner): Promise<Json> => {
    const answer = await by.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };

  const patched = async (path: string, body: object): Promise<void> => {
    const answer = await owner.request(path, { method: 'PATCH', body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const aPlan = async (): Promise<string> =>
    (await done('/v1/pricing-plans', { name: 'Pro', interval: 'month', charges: [FLAT] }))['id'];

  it('has each act once, with who, by which request and from where, and the members that changed', async () => {
    const ada = await signInAs(api, owner, 'finance');
    await done(
      '/v1/customers',
      { external_id: 'c1', name: 'Acme', email: 'a@acme.example', net_days: 14 },
      ada,
    );
    await ada.request('/v1/customers/c1', { method: 'PATCH', body: { name: 'Acme Ltd', net_days: 30 } });
    const [updated, created] = await entries('&customer_id=c1');
    assert.deepEqual(
      [created!['action'], created!['after']],
      [
        'customer.created',
        {
          ...{ external_id: 'c1', name: PERSONAL, email: PERSONAL, currency: 'USD', net_days: '14' },
          ...{ metadata: PERSONAL, tax_ids: PERSONAL, tax_treatment: 'standard' },
          ...{ billing_emails: PERSONAL, email_muted: false },
        },
      ],
    );
    const { id: _, created_at: __, request_id, ...rest } = updated!;
    assert.match(request_id, /^req_/);
    assert.deepEqual(rest, {
      ...{ object: 'audit_entry', livemode: false, action: 'customer.updated', object_type: 'customer' },
      ...{ object_id: rest['object_id'], customer_id: 'c1', invoice_id: null },
      actor: { type: 'user', id: ada.user_id, name: rest['actor'].name },
      ...{ before: { name: PERSONAL, net_days: '14' }, after: { name: PERSONAL, net_days: '30' } },
      ...{ reason: null, address: '127.0.0.1' },
    });
  });

  it('has one entry for an act of several statements, with all members', async () => {
    await done('/v1/customers', { external_id: 'c1', name: 'Acme', currency: 'USD' });
    const body = { name: 'Acme Ltd', net_days: 30, currency: 'EUR', tax_rate: '19' };
    await patched('/v1/customers/c1', body);
    const [updated, ...others] = await entries('&customer_id=c1&action=customer.updated');
    assert.equal(others.length, 0);
    const personal = { name: PERSONAL };
    assert.deepEqual(updated!['before'], { ...personal, net_days: null, currency: 'USD', tax_rate: null });
    assert.deepEqual(updated!['after'], { ...personal, net_days: '30', currency: 'EUR', tax_rate: '19' });
    await patched('/v1/account', { name: 'Shop', portal_origins: ['https://shop.example.com'] });
    const [of_account, ...more] = await entries('&action=account.updated');
    assert.equal(more.length, 0);
    assert.deepEqual(of_account!['after'], { name: 'Shop', portal_origins: ['https://shop.example.com'] });
  });

  it('has one entry for a change of plan and for an end that take the place of a scheduled change', async () => {
    const [a, b, c] = [await aPlan(), await aPlan(), await aPlan()];
    await done('/v1/customers', { external_id: 'c1' });
    const { id } = await done('/v1/subscriptions', { customer_id: 'c1', plan_id: a });
    const period_end = (await done(`/v1/subscriptions/${id}/change`, { plan_id: b, at: 'period_end' }))[
      'pending_change'
    ].at;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await done(`/v1/subscriptions/${id}/change`, { plan_id: c, at: 'period_end' });
    await done(`/v1/subscriptions/${id}/change`, { plan_id: b, at: tomorrow });
    await done(`/v1/subscriptions/${id}/cancel`, { at: tomorrow });
    const [canceled, moved, replaced, scheduled, created] = await entries(`&object_id=${id}`);
    assert.equal(created!['action'], 'subscription.created');
    const members = (entry: Json | undefined) => [entry!['action'], entry!['before'], entry!['after']];
    const terms = { settle: 'balance', proration: 'exact', cycle: 'keep', take_back_grants: false };
    assert.deepEqual(members(scheduled), [
      'subscription.updated',
      null,
      { plan_id: b, at: period_end, ...terms },
    ]);
    assert.deepEqual(members(replaced), ['subscription.updated', { plan_id: b }, { plan_id: c }]);
    assert.deepEqual(members(moved), [
      'subscription.updated',
      { plan_id: c, at: period_end },
      { plan_id: b, at: tomorrow },
    ]);
    assert.deepEqual(members(canceled), [
      'subscription.canceled',
      { plan_id: b, at: tomorrow, ...terms, cancel_at: null },
      { cancel_at: tomorrow },
    ]);
  });

  it('has no row for a repeat, a refusal, a dry run, a read or a change of nothing', async () => {
    await done('/v1/customers', { external_id: 'c1' });
    const before = (await entries()).length;
    assert.equal((await owner.post('/v1/customers', { external_id: 'c1' })).status, 200);
    assert.equal((await owner.post('/v1/customers', { external_id: 'c1', name: 'Other' })).status, 409);
    await owner.request('/v1/customers/c1', { method: 'PATCH', body: { net_days: null } });
    await owner.request('/v1/customers');
    assert.equal((await entries()).length, before);
  });

  it('has what happens to a customer, and finds it by either id after the deletion', async () => {
    const { id } = await done('/v1/customers', { external_id: 'c1' });
    await done('/v1/customers/c1/payments', { amount: '5.00' });
    const { id: grant } = await done('/v1/credit-grants', { customer_id: 'c1', amount: 10 });
    await done(`/v1/credit-grants/${grant}/void`, {});
    await done('/v1/customers/c1/balance-adjustments', { amount: '-1.00', reason: 'Rounding' });
    await done('/v1/customers/c1/redact', { properties: [] });
    const acts = [
      ...['customer.created', 'payment.recorded', 'credit_grant.created', 'credit_grant.voided'],
      ...['balance_entry.created', 'customer.redacted'],
    ];
    assert.deepEqual(await actionsOf('&customer_id=c1'), acts);
    await done('/v1/customers', { external_id: 'c2' });
    assert.equal((await owner.request('/v1/customers/c2', { method: 'DELETE' })).status, 200);
    assert.deepEqual(await actionsOf('&customer_id=c2'), ['customer.created', 'customer.deleted']);
    assert.deepEqual(await actionsOf(`&customer_id=${id}`), acts);
  });

  it('reads the reason from its object, so that an erasure reaches it', async () => {
    await done('/v1/customers', { external_id: 'c1' });
    await done('/v1/customers/c1/balance-adjustments', { amount: '1.00', reason: 'For Ada Lovelace' });
    const reason = async () => (await entries('&action=balance_entry.created'))[0]!['reason'];
    assert.equal(await reason(), 'For Ada Lovelace');
    await done('/v1/customers/c1/redact', { properties: [] });
    assert.notEqual(await reason(), 'For Ada Lovelace');
    const { rows } = await api.pool.query(`select from audit_log where audit_log::text like '%Lovelace%'`);
    assert.equal(rows.length, 0);
  });

  it('has users, sessions and keys, which keys do not see but for keys', async () => {
    const bob = await signInAs(api, owner, 'viewer');
    await owner.request(`/dashboard/api/users/${bob.user_id}`, {
      method: 'PATCH',
      body: { role: 'support' },
    });
    await done(`/dashboard/api/users/${bob.user_id}/remove`, {});
    const key = await done('/dashboard/api/keys', { name: 'Reports' });
    await done(`/dashboard/api/keys/${key['id']}/revoke`, {});
    const acts = ['user.invited', 'user.updated', 'user.updated', 'user.removed'];
    assert.deepEqual(await actionsOf(`&object_id=${bob.user_id}`), acts);
    assert.deepEqual(await actionsOf(`&object_id=${bob.session_id}`), ['session.created', 'session.revoked']);
    assert.deepEqual(await actionsOf(`&object_id=${key['id']}`), ['api_key.created', 'api_key.revoked']);
    const [arrived] = await entries(`&actor=${bob.user_id}&action=user.updated`);
    assert.deepEqual([arrived!['after'], arrived!['livemode']], [{ status: 'active' }, null]);
    const seen = new Set((await entries('', null)).map(({ object_type: type }) => type));
    assert.deepEqual([...seen].toSorted(), ['api_key']);
    const secrets = await api.pool.query(`select from audit_log where audit_log::text like $1`, [
      `%${key['secret']}%`,
    ]);
    assert.equal(secrets.rowCount, 0);
  });

  it('keeps the name of the actor as it was', async () => {
    const bob = await signInAs(api, owner, 'finance');
    const { name } = (await bob.request('/dashboard/api/session')).body.user;
    await done('/v1/customers', { external_id: 'c1' }, bob);
    await owner.request(`/dashboard/api/users/${bob.user_id}`, { method: 'PATCH', body: { name: 'Robert' } });
    const [entry] = await entries('&customer_id=c1');
    assert.deepEqual(entry!['actor'], { type: 'user', id: bob.user_id, name });
  });

  it('is filtered by type of actor and by time, in pages, and is a file', async () => {
    await api.post('/v1/customers', { external_id: 'c1' });
    await done('/v1/customers', { external_id: 'c2' });
    assert.deepEqual(await actionsOf('&actor=key'), ['customer.created']);
    assert.deepEqual(await actionsOf('&actor=system'), []);
    assert.deepEqual(await entries('&to=2020-01-01T00:00:00Z'), []);
    const first = (await owner.request(`${PATH}?limit=1`)).body;
    const second = (await owner.request(`${PATH}?limit=1&cursor=${first.next_cursor}`)).body;
    assert.ok(first.data[0].id > second.data[0].id);
    const { rows } = await csvFrom(`${api.url}${PATH}.csv?action=customer.created`, api.test_key);
    assert.deepEqual(
      rows.map(({ customer_id }) => customer_id),
      ['c2', 'c1'],
    );
    assert.equal(JSON.parse(rows[0]!['after']!).external_id, 'c2');
  });

  it('leaves out sign-ins where it is asked to', async () => {
    await done('/v1/customers', { external_id: 'c1' });
    assert.ok((await actionsOf('')).includes('session.created'));
    assert.ok((await actionsOf('&sign_ins=true')).includes('session.created'));
    const without = await actionsOf('&sign_ins=false');
    assert.ok(without.includes('customer.created') && !without.includes('session.created'));
  });

  for (const [query, param] of [
    ['action=customer.eaten', 'action'],
    ['from=x', 'from'],
    ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['who=me', 'who'],
    ['sign_ins=no', 'sign_ins'],
  ] as const)
    it(`refuses ${query}`, async () => {
      const { status, body } = await owner.request(`${PATH}?${query}`);
      assert.deepEqual([status, body.error.param], [400, param]);
    });

  it('is of its environment alone, and is never changed', async () => {
    await api.post('/v1/customers', { external_id: 'c1' });
    const other = await api.request(`${PATH}?customer_id=c1`, { key: api.other_key });
    assert.deepEqual(other.body.data, []);
    const live = await owner.request(`${PATH}?customer_id=c1`, {
      headers: { 'Tidemark-Environment': 'live' },
    });
    assert.deepEqual(live.body.data, []);
    for (const change of [
      `update audit_log set actor_name = 'x'`,
      'delete from audit_log',
      'truncate audit_log',
    ])
      await assert.rejects(api.pool.query(change), /audit_log is never changed/);
  });
});
