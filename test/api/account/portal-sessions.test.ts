import assert from 'node:assert/strict';
import { isPortalToken, newPortalToken } from '../../../src/keys/api-key.ts';
import { startApi, type Json, type Received, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { signIn, signInAs, tokenOf } from '../../support/servers/signed-in.ts';

const PATH = '/v1/portal-sessions';
const UNAUTHORIZED = { code: 'unauthorized', param: null } as const;

describe('portal links', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi();
    await api.post('/v1/customers', { external_id: 'c1' });
  });
  afterEach(() => api.close());

  const make = async (body: object = {}, customer_id = 'c1'): Promise<Json> => {
    const answer = await api.post(PATH, { customer_id, ...body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const read = (token: string, path = '/v1/customers/self'): Promise<Received> =>
    api.request(path, { key: token });
  const running = async (query = ''): Promise<string[]> =>
    (await api.request(`${PATH}${query}`)).body.data.map(({ id }: Json) => id);

  it('are made for a customer, by either id, for an hour', async () => {
    const { body: customer } = await api.request('/v1/customers/c1');
    const session = await make({}, customer.id);
    const { id, url, created_at, expires_at, created_by, ...rest } = session;
    assert.match(id, /^ps_[0-9a-z]{26}$/);
    assert.match(url, /^http:\/\/localhost:\d+\/portal#tm_ps_\w{49}$/);
    assert.match(created_by, /^key_/);
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 3_600_000);
    assert.deepEqual(rest, {
      object: 'portal_session',
      livemode: false,
      customer_id: 'c1',
      ...{ revoked_at: null, saves_payment_methods: false, logo_sha256: null },
    });
    const { status, body } = await read(tokenOf(url));
    assert.deepEqual([status, body.external_id], [200, 'c1']);
  });

  it('are made at PUBLIC_URL, by the person who is signed in, with the role support', async () => {
    const settings = { PUBLIC_URL: 'https://billing.example.com' };
    const public_api = await startApi({ settings, processes: 1 });
    await public_api.post('/v1/customers', { external_id: 'c1' });
    const owner = await signIn(public_api);
    const support = await signInAs(public_api, owner, 'support');
    const { status, body } = await support.post(PATH, { customer_id: 'c1' });
    assert.deepEqual([status, body.created_by], [201, support.user_id]);
    assert.match(body.url, /^https:\/\/billing\.example\.com\/portal#tm_ps_/);
    const viewer = await signInAs(public_api, owner, 'viewer');
    assertRefused(await viewer.post(PATH, { customer_id: 'c1' }), {
      code: 'unauthorized',
      reason: 'not_permitted',
    });
    assert.equal((await viewer.request(PATH)).body.data.length, 1);
    await public_api.close();
  });

  const BAD: [body: object, refusal: Parameters<typeof assertRefused>[1]][] = [
    [{}, { code: 'invalid_request', param: 'customer_id' }],
    [{ customer_id: 'nobody' }, { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' }],
    ...[0, 1441, 1.5, '60'].map((expires_in_minutes): [object, Parameters<typeof assertRefused>[1]] => [
      { customer_id: 'c1', expires_in_minutes },
      { code: 'invalid_request', param: 'expires_in_minutes' },
    ]),
    [
      { customer_id: 'c1', url: 'a' },
      { code: 'invalid_request', param: 'url' },
    ],
    [
      { customer_id: 'nobody', invoice_id: 'nothing' },
      { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' },
    ],
    [
      { customer_id: 'c1', invoice_id: 'nothing' },
      { code: 'not_found', param: 'invoice_id', reason: 'unknown_invoice' },
    ],
    [
      { customer_id: 'c1', invoice_id: '' },
      { code: 'invalid_request', param: 'invoice_id' },
    ],
  ];
  for (const [body, refusal] of BAD)
    it(`are refused for ${JSON.stringify(body)}`, async () =>
      assertRefused(await api.post(PATH, body), refusal));

  it('last from 1 minute to 24 hours', async () => {
    for (const expires_in_minutes of [1, 1440]) {
      const { created_at, expires_at } = await make({ expires_in_minutes });
      assert.equal(Date.parse(expires_at) - Date.parse(created_at), expires_in_minutes * 60_000);
    }
  });

  it('are in no kept answer: a repeated Idempotency-Key makes another link', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const answers = [];
    for (let i = 0; i < 2; i++) answers.push(await api.post(PATH, { customer_id: 'c1' }, { headers }));
    const [first, second] = answers.map(({ status, body }) => {
      assert.equal(status, 201);
      return body;
    });
    assert.notEqual(first.id, second.id);
    assert.notEqual(first.url, second.url);
    assert.equal(answers[1]!.headers.get('idempotent-replayed'), null);
    const { rows } = await api.pool.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c where c.table_schema = 'public' group by 1`,
    );
    for (const { name } of rows)
      for (const { url } of [first, second]) {
        const found = await api.pool.query(`select from ${name} as r where r::text like '%' || $1 || '%'`, [
          tokenOf(url),
        ]);
        assert.equal(found.rowCount, 0, name);
      }
  });

  it('are listed while they run, newest first, by customer and page by page', async () => {
    await api.post('/v1/customers', { external_id: 'c2' });
    const [first, second, other] = [await make(), await make(), await make({}, 'c2')];
    await api.post(`${PATH}/${first.id}/revoke`, {});
    await api.pool.query(
      `update portal_sessions set created_at = created_at - interval '1 hour', expires_at = created_at where id = $1`,
      [second.id],
    );
    const third = await make();
    assert.deepEqual(await running(), [third.id, other.id]);
    assert.deepEqual(await running('?customer_id=c1'), [third.id]);
    assert.deepEqual(await running('?customer_id=nobody'), []);
    const { body } = await api.request(`${PATH}?limit=1`);
    assert.deepEqual(await running(`?limit=1&cursor=${body.next_cursor}`), [other.id]);
    assert.equal('url' in body.data[0], false);
    assertRefused(await api.request(`${PATH}?name=a`), { code: 'invalid_request', param: 'name' });
  });

  it('are refused by every process once they are revoked, as unknown ones are', async () => {
    const { id, url } = await make();
    for (let i = 0; i < 4; i++) assert.equal((await read(tokenOf(url))).status, 200);
    const { status, body } = await api.post(`${PATH}/${id}/revoke`, undefined);
    assert.deepEqual([status, body.id, typeof body.revoked_at], [200, id, 'string']);
    for (let i = 0; i < 4; i++) assertRefused(await read(tokenOf(url)), UNAUTHORIZED);
    const wrong = [newPortalToken(), `${tokenOf(url).slice(0, -1)}`, 'tm_ps_', `${tokenOf(url)}a`];
    for (const token of wrong) assertRefused(await read(token), UNAUTHORIZED);
    assertRefused(await api.post(`${PATH}/${id}/revoke`, {}), { code: 'conflict', reason: 'invalid_state' });
    assertRefused(await api.post(`${PATH}/ps_nothing/revoke`, {}), { code: 'not_found' });
    assertRefused(await api.post(`${PATH}/${id}/revoke`, {}, { key: api.live_key }), { code: 'not_found' });
  });

  it('are refused once they are over', async () => {
    const { id, url } = await make({ expires_in_minutes: 1 });
    assert.equal((await read(tokenOf(url))).status, 200);
    await api.pool.query(
      `update portal_sessions set created_at = created_at - interval '1 minute', expires_at = expires_at - interval '1 minute'`,
    );
    assertRefused(await read(tokenOf(url)), UNAUTHORIZED);
    assertRefused(await api.post(`${PATH}/${id}/revoke`, {}), { code: 'conflict', reason: 'invalid_state' });
  });

  const end = (key: string, name = 'self', headers = {}): Promise<Received> =>
    api.post(`${PATH}/${name}/revoke`, undefined, { key, headers });

  it('are ended by the payer: 200, then 401 in every process, and the audit log names the link', async () => {
    const { id, url, expires_at, created_at } = await make();
    const kept = await make();
    const { status, body } = await end(tokenOf(url));
    assert.equal(status, 200, JSON.stringify(body));
    const { revoked_at, ...rest } = body;
    assert.equal(typeof revoked_at, 'string');
    assert.deepEqual(rest, {
      ...{ id, object: 'portal_session', livemode: false, created_at, customer_id: 'c1', expires_at },
      ...{ created_by: null, saves_payment_methods: false, logo_sha256: null },
    });
    for (let i = 0; i < 4; i++) {
      assertRefused(await read(tokenOf(url)), UNAUTHORIZED);
      assertRefused(await end(tokenOf(url)), UNAUTHORIZED);
    }
    assert.equal((await read(tokenOf(kept.url))).status, 200);
    const log = await api.request(`/v1/audit-log?object_id=${id}&action=portal_session.revoked`);
    const [entry] = log.body.data;
    assert.deepEqual(entry.actor, { type: 'portal_session', id, name: null });
    assert.deepEqual([entry.customer_id, Object.keys(entry.after)], ['c1', ['revoked_at']]);
    for (const actor of [id, 'portal_session'])
      assert.equal((await api.request(`/v1/audit-log?actor=${actor}`)).body.data.length, 1, actor);
  });

  it('end themselves by their own id too, and no other link', async () => {
    const [mine, other] = [await make(), await make()];
    for (const name of [other.id, 'ps_nothing', 'c1'])
      assertRefused(await end(tokenOf(mine.url), name), { code: 'not_found' });
    assert.equal((await end(tokenOf(mine.url), mine.id)).status, 200);
    assert.equal((await read(tokenOf(other.url))).status, 200);
  });

  it('end by one request even where two ask at once', async () => {
    const token = tokenOf((await make()).url);
    const answers = await Promise.all([end(token), end(token), end(token)]);
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
    for (const status of statuses) assert.ok([200, 401, 409].includes(status), statuses.join());
  });

  it('get no answer that was kept for somebody else, by whatever Idempotency-Key', async () => {
    const [mine, other] = [await make(), await make()];
    const headers = { 'Idempotency-Key': 'once' };
    assert.equal((await end(tokenOf(mine.url), 'self', headers)).body.id, mine.id);
    const { headers: received, body } = await end(tokenOf(other.url), 'self', headers);
    assert.deepEqual([body.id, received.get('idempotent-replayed')], [other.id, null]);
    assert.equal((await api.pool.query('select from idempotency_keys')).rowCount, 0);
  });

  it('are named self by nobody else', async () => {
    await make();
    const owner = await signIn(api);
    const refused = { code: 'unauthorized', reason: 'not_permitted' } as const;
    assertRefused(await end(api.test_key), { code: 'not_found' });
    assertRefused(await owner.post(`${PATH}/self/revoke`), { code: 'not_found' });
    assertRefused(await (await signInAs(api, owner, 'viewer')).post(`${PATH}/self/revoke`), refused);
    assertRefused(await end(newPortalToken()), UNAUTHORIZED);
    assert.equal((await running()).length, 1);
  });

  it('that were over a day ago are deleted by the next one', async () => {
    const { id } = await make();
    await api.pool.query(
      `update portal_sessions set created_at = now() - interval '3 days', expires_at = now() - interval '25 hours'`,
    );
    await make();
    assertRefused(await api.post(`${PATH}/${id}/revoke`, {}), { code: 'not_found' });
  });

  it('of a redacted customer are revoked, and those of a deleted one go with it', async () => {
    const { id, url } = await make();
    assert.equal((await read(tokenOf(url))).status, 200);
    assert.equal((await api.post('/v1/customers/c1/redact', {})).status, 200);
    assertRefused(await read(tokenOf(url)), UNAUTHORIZED);
    const { rows } = await api.pool.query(`select revoked_at from portal_sessions where id = $1`, [id]);
    assert.notEqual(rows[0].revoked_at, null);
    const later = await make();
    assert.equal((await read(tokenOf(later.url))).status, 200);
    assert.equal((await api.request('/v1/customers/c1', { method: 'DELETE' })).status, 200);
    assertRefused(await read(tokenOf(later.url)), UNAUTHORIZED);
    await api.post('/v1/customers', { external_id: 'c1' });
    assertRefused(await read(tokenOf(later.url)), UNAUTHORIZED);
    const { rowCount } = await api.pool.query('select from portal_sessions');
    assert.equal(rowCount, 0);
  });

  it('are acts of who makes and revokes them, without the token', async () => {
    const { id, url, created_by } = await make();
    await api.post(`${PATH}/${id}/revoke`, {});
    const { body } = await api.request(`/v1/audit-log?object_id=${id}`);
    assert.deepEqual(
      body.data.map(({ action, object_type, customer_id, actor }: Json) => [
        action,
        object_type,
        customer_id,
        actor.id,
      ]),
      [
        ['portal_session.revoked', 'portal_session', 'c1', created_by],
        ['portal_session.created', 'portal_session', 'c1', created_by],
      ],
    );
    assert.deepEqual(Object.keys(body.data[1].after), ['expires_at']);
    assert.equal(JSON.stringify(body).includes(tokenOf(url)), false);
    assert.equal((await api.request(`/v1/audit-log?action=portal_session.created`)).body.data.length, 1);
  });

  it('have tokens of 256 bits with a checksum', () => {
    for (let i = 0; i < 100; i++) {
      const token = newPortalToken();
      assert.ok(isPortalToken(token));
      assert.equal(
        isPortalToken(`${token.slice(0, 20)}${token[20] === 'a' ? 'b' : 'a'}${token.slice(21)}`),
        false,
      );
    }
  });
});

describe('the rate of portal links', () => {
  it('is limited by link, and wrong ones count as failures of their address', async () => {
    const api = await startApi({ settings: { RATE_LIMIT: '3' }, processes: 1 });
    await api.post('/v1/customers', { external_id: 'c1' });
    const { body } = await api.post(PATH, { customer_id: 'c1' });
    const read = (key: string) => api.request('/v1/customers/self', { key });
    const answers = [];
    for (let i = 0; i < 8; i++) answers.push(await read(tokenOf(body.url)));
    assert.ok(answers.some(({ status }) => status === 429));
    assert.equal(answers[0]!.headers.get('ratelimit-policy'), '"default";q=3;w=1');
    const failures = await Promise.all(Array.from({ length: 120 }, () => read(newPortalToken())));
    const refused = failures.filter(({ status }) => status === 429);
    assert.deepEqual([failures.filter(({ status }) => status === 401).length, refused.length], [100, 20]);
    await api.close();
  });
});
