import assert from 'node:assert/strict';
import { startApi, type Sent, type TestApi } from '../../support/servers/api.ts';
import { linkToken, signIn, type SignedIn } from '../../support/servers/signed-in.ts';

const UNAUTHORIZED = 'unauthorized';

describe('signing in to the dashboard', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const open = (token: unknown, headers: Sent['headers'] = {}) =>
    api.post('/dashboard/api/session', { token }, { key: null, headers });

  it('a link opens one session, whose cookie no script can read and no other site can use', async () => {
    const token = await linkToken(api);
    const first = await open(token);
    assert.equal(first.status, 201);
    const twelve_hours = Date.parse(first.body.expires_at) - Date.parse(first.body.created_at);
    assert.equal(twelve_hours, 12 * 3_600_000);
    assert.match(
      first.headers.get('set-cookie')!,
      /^tidemark_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    assert.ok(!JSON.stringify(first.body).includes('token'));
    const second = await open(token);
    assert.deepEqual([second.status, second.body.error.code], [401, UNAUTHORIZED]);
  });

  it('concurrent uses of one link open one session', async () => {
    const token = await linkToken(api);
    const before = await sessions();
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(token)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal((await sessions()) - before, 1);
  });

  const sessions = async () => (await api.pool.query('select from sessions')).rowCount!;

  it('with https, the cookie is Secure', async () => {
    const { host } = new URL(api.url);
    const answer = await open(await linkToken(api), { Origin: `https://${host}` });
    assert.match(answer.headers.get('set-cookie')!, /; Secure$/);
  });

  const REFUSED: [what: string, token: string | null, status: number, headers?: Sent['headers']][] = [
    ['of another format', 'abc', 401],
    ['that does not exist', 'A'.repeat(43), 401],
    ['that is missing', null, 400],
    ['that another site sends', '', 401, { 'Sec-Fetch-Site': 'cross-site' }],
    ['that a page of a sibling site sends', '', 401, { 'Sec-Fetch-Site': 'same-site' }],
    ['with an Origin of another site, from an old browser', '', 401, { Origin: 'https://evil.example' }],
  ];
  for (const [what, token, status, headers] of REFUSED) {
    it(`refuses a token ${what}`, async () => {
      const sent = token === '' ? await linkToken(api) : token;
      const answer = await open(sent ?? undefined, headers);
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('set-cookie'), null);
    });
  }

  it('refuses an expired link', async () => {
    const token = await linkToken(api);
    await api.pool.query('update sign_in_links set expires_at = now() where used_at is null');
    assert.equal((await open(token)).status, 401);
  });

  it('an address that tries too many links is limited, except for a valid link', async () => {
    const own = await startApi({ database_url: api.deps.config.database_url!, processes: 1 });
    const tries = Array.from({ length: 101 }, () =>
      own.post('/dashboard/api/session', { token: 'B'.repeat(43) }, { key: null }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)].sort(), [401, 429]);
    const answer = await own.post('/dashboard/api/session', { token: await linkToken(api) }, { key: null });
    assert.equal(answer.status, 201);
    await own.close();
  });
});

describe('a session of the dashboard', () => {
  let api: TestApi;
  let me: SignedIn;
  before(async () => {
    api = await startApi();
    me = await signIn(api);
  });
  after(() => api.close());

  it('reads and writes /v1 in the environment that the request names', async () => {
    assert.equal((await me.post('/v1/customers', { external_id: 'acme' })).status, 201);
    const live = { 'Tidemark-Environment': 'live' };
    assert.equal((await me.request('/v1/customers/acme')).body.livemode, false);
    assert.equal((await me.request('/v1/customers/acme', { headers: live })).status, 404);
    assert.equal((await api.request('/v1/customers/acme')).status, 200);
    const event = { event_name: 'call', customer_id: 'acme', idempotency_key: 'by hand' };
    assert.equal((await me.post('/v1/events', event)).status, 201);
  });

  const UNTRUSTED: [what: string, headers: Record<string, string>][] = [
    ['without the header that names the environment', { 'Tidemark-Environment': '' }],
    ['with a header that names no environment', { 'Tidemark-Environment': 'prod' }],
    ['of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['of a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
    ['that was typed in the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['of another origin', { Origin: 'https://evil.example' }],
    ['with a session that does not exist', { Cookie: `tidemark_session=${'A'.repeat(43)}` }],
  ];
  for (const [what, headers] of UNTRUSTED) {
    it(`a request ${what} is 401, on every route`, async () => {
      for (const path of ['/v1/customers', '/dashboard/api/home']) {
        const read = await me.request(path, { headers });
        assert.deepEqual([read.status, read.body.error.code], [401, UNAUTHORIZED], path);
      }
      const body = { external_id: 'forged' };
      assert.equal((await me.request('/v1/customers', { method: 'POST', body, headers })).status, 401);
      assert.equal((await api.request('/v1/customers/forged')).status, 404);
    });
  }

  it('a request with two session cookies is 401, also if one of them is valid', async () => {
    const planted = `tidemark_session=${'B'.repeat(43)}`;
    for (const Cookie of [`${me.cookie}; ${planted}`, `${planted}; ${me.cookie}`])
      assert.equal((await me.request('/v1/customers', { headers: { Cookie } })).status, 401, Cookie);
  });

  it('returns the session and its account', async () => {
    const { status, body } = await me.request('/dashboard/api/session');
    assert.equal(status, 200);
    assert.equal(body.session_id, me.session_id);
    assert.deepEqual(body.account, { name: 'Tidemark', currency: 'USD', timezone: 'UTC' });
  });

  it('an API key is refused on the dashboard’s own routes', async () => {
    for (const path of ['session', 'sessions', 'keys', 'home'])
      assert.equal((await api.request(`/dashboard/api/${path}`)).status, 401, path);
    const prices = await api.post('/dashboard/api/prices', {});
    assert.equal(prices.status, 401);
  });

  it('ends when its user signs out, or when another session revokes it', async () => {
    const [one, other] = [await signIn(api), await signIn(api)];
    const ended = await one.post('/dashboard/api/session/end');
    assert.equal(ended.status, 200);
    assert.match(ended.headers.get('set-cookie')!, /^tidemark_session=; Path=\/; Max-Age=0;/);
    assert.equal((await one.request('/dashboard/api/session')).status, 401);
    const listed = (await me.request('/dashboard/api/sessions')).body.data;
    const current = listed.filter(({ is_current }: { is_current: boolean }) => is_current);
    assert.deepEqual(
      current.map(({ id }: { id: string }) => id),
      [me.session_id],
    );
    assert.ok(!listed.some(({ id }: { id: string }) => id === one.session_id));
    assert.equal((await me.post(`/dashboard/api/sessions/${other.session_id}/revoke`)).status, 200);
    assert.equal((await other.request('/v1/customers')).status, 401);
    assert.equal((await me.post(`/dashboard/api/sessions/${other.session_id}/revoke`)).status, 404);
  });

  it('ends when it expires', async () => {
    const late = await signIn(api);
    await api.pool.query('update sessions set expires_at = now() where id = $1', [late.session_id]);
    assert.equal((await late.request('/dashboard/api/session')).status, 401);
  });

  it('of another account reads nothing of this one', async () => {
    await api.pool.query(
      `update sessions set account_id = (select distinct account_id from environments where name = 'Other') where id = $1`,
      [me.session_id],
    );
    const { body } = await me.request('/dashboard/api/session');
    assert.equal(body.account.name, 'Other');
    assert.equal((await me.request('/v1/customers/acme')).status, 404);
    assert.deepEqual((await me.request('/dashboard/api/keys')).body.data.length, 1);
  });
});
