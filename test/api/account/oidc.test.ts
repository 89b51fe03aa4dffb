import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { ELSEWHERE } from '../../support/servers/elsewhere.ts';
import { startProvider, type TestProvider } from '../../support/servers/provider.ts';
import { signIn, signInAs, tokenOf, type SignedIn } from '../../support/servers/signed-in.ts';

const CLIENT = { OIDC_CLIENT_ID: 'tidemark', OIDC_CLIENT_SECRET: 'a secret of the client' };
const ADA = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' };

type Settings = Readonly<Record<string, string>>;

describe('signing in with a provider', () => {
  let provider: TestProvider;
  let api: TestApi;
  let owner: SignedIn;
  beforeEach(async () => {
    provider = await startProvider(CLIENT.OIDC_CLIENT_ID);
    provider.claims = ADA;
  });
  afterEach(() => api.close());

  async function start(settings: Settings = {}): Promise<void> {
    api = await startApi({ settings: { ...CLIENT, OIDC_ISSUER: provider.issuer, ...settings } });
    owner = await signIn(api);
  }

  const get = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { Cookie: cookie } });
  const cookiesOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0]!)
      .filter((pair) => !pair.endsWith('='))
      .join('; ');

  /** The way to the provider and back, as far as the address to which the provider sends the browser. */
  async function sentBack(return_to = '/'): Promise<{ back: string; cookie: string }> {
    const query = new URLSearchParams({ return_to });
    const begun = await get(`${api.url}/dashboard/api/oidc/start?${query.toString()}`);
    assert.equal(begun.status, 303);
    const at_provider = await get(begun.headers.get('location')!);
    const { pathname, search } = new URL(at_provider.headers.get('location')!);
    return { back: api.url + pathname + search, cookie: cookiesOf(begun) };
  }

  /** Signs in. Returns where that leads, and the user, if there is a session. */
  async function arrive(return_to?: string): Promise<{ to: string; user: Json | null }> {
    const { back, cookie } = await sentBack(return_to);
    const answer = await get(back, cookie);
    const to = answer.headers.get('location')!;
    const headers = { Cookie: cookiesOf(answer), 'Tidemark-Environment': 'test' };
    const { status, body } = await api.request('/dashboard/api/session', { key: null, headers });
    return { to, user: status === 200 ? body.user : null };
  }

  const invited = async (role: string, email = 'Ada@example.com'): Promise<Json> =>
    (await owner.post('/dashboard/api/users', { email, name: 'Invited', role })).body;

  it('signs in an invited user by the email; name and email follow the provider, and the link is void', async () => {
    await start();
    const { id, invite_url } = await invited('finance');
    const { to, user } = await arrive('/invoices?status=open');
    assert.equal(to, '/invoices?status=open');
    assert.deepEqual(user, { id, email: 'ada@example.com', name: 'Ada', role: 'finance' });
    const used = await api.post('/dashboard/api/session', { token: tokenOf(invite_url) }, { key: null });
    assert.equal(used.status, 401);
    provider.claims = { ...ADA, email: 'ada.l@example.com', name: 'Ada L' };
    assert.deepEqual((await arrive()).user, {
      id,
      email: 'ada.l@example.com',
      name: 'Ada L',
      role: 'finance',
    });
    const { rows } = await api.pool.query(
      `select extract(epoch from expires_at - created_at)::integer / 3600 as hours from sessions order by id desc limit 1`,
    );
    assert.equal(rows[0].hours, 24);
    assert.equal(provider.wrong_verifiers, 0);
  });

  const REFUSED: [what: string, claims: Json, error: string, settings?: Settings][] = [
    ['nobody has invited', ADA, 'not_invited'],
    ['has no address', { ...ADA, email: undefined }, 'email_missing'],
    ['has an address that is not verified', { ...ADA, email_verified: false }, 'email_not_verified'],
    [
      'comes from a provider that does not verify',
      { ...ADA, email_verified: undefined },
      'email_not_verified',
    ],
    ['has an address of another domain', ADA, 'not_invited', { OIDC_ALLOWED_DOMAINS: 'sub.example.com' }],
    ['has no role there', ADA, 'no_role', { OIDC_ALLOWED_DOMAINS: 'example.com', OIDC_ROLE_CLAIM: 'groups' }],
    [
      'says that the address is not verified, where it is trusted',
      { ...ADA, email_verified: false },
      'email_not_verified',
      { OIDC_TRUST_EMAIL: '1' },
    ],
  ];
  for (const [what, claims, error, settings] of REFUSED)
    it(`refuses who ${what}`, async () => {
      await start(settings);
      provider.claims = claims;
      assert.deepEqual(await arrive(), { to: `/sign-in?error=${error}`, user: null });
      const { rowCount } = await api.pool.query('select from users where not is_owner');
      assert.equal(rowCount, 0);
    });

  it('lets an allowed domain in as a viewer, also from a provider that is trusted to verify, as Entra ID is', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'example.org, Example.com', OIDC_TRUST_EMAIL: '1' });
    const { sub, email, name } = ADA;
    provider.claims = { sub, email, preferred_username: name, tid: 'tenant', oid: 'object', ver: '2.0' };
    const { user } = await arrive();
    assert.deepEqual([user.name, user.role], ['Ada', 'viewer']);
  });

  it('takes the highest role that the claim names, at each sign-in, and not by hand', async () => {
    await start({
      OIDC_ALLOWED_DOMAINS: 'example.com',
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLES: 'billing-admins=admin, fin=finance',
    });
    provider.claims = { ...ADA, groups: ['everyone', 'fin', 'billing-admins'] };
    const { user } = await arrive();
    assert.equal(user.role, 'admin');
    const { invite_url } = await invited('viewer', 'bob@example.com');
    await api.pool.query('update sign_in_links set created_by = $1 where used_at is null', [user.id]);
    const open = async () =>
      (await api.post('/dashboard/api/session', { token: tokenOf(invite_url) }, { key: null })).status;
    provider.claims = { ...ADA, groups: 'fin' };
    assert.equal((await arrive()).user.role, 'finance');
    assert.equal(await open(), 401);
    const body = { role: 'admin' };
    const changed = await owner.request(`/dashboard/api/users/${user.id}`, { method: 'PATCH', body });
    assert.deepEqual([changed.status, changed.body.error.details[0].reason], [409, 'invalid_state']);
    provider.claims = { ...ADA, groups: ['finance'] };
    assert.equal((await arrive()).to, '/sign-in?error=no_role');
  });

  it('keeps a removed user out under every subject, and gives nobody the address of another user', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'example.com' });
    const { user } = await arrive();
    await owner.post(`/dashboard/api/users/${user.id}/remove`);
    assert.equal((await arrive()).to, '/sign-in?error=removed');
    provider.claims = { ...ADA, sub: 'ada-2' };
    assert.equal((await arrive()).to, '/sign-in?error=removed');
    provider.claims = { ...ADA, sub: 'bob', email: 'bob@example.com' };
    assert.notEqual((await arrive()).user, null);
    provider.claims = { ...ADA, sub: 'eve', email: 'BOB@example.com' };
    assert.equal((await arrive()).to, '/sign-in?error=not_invited');
  });

  const BAD_TOKENS: [what: string, claims: Json][] = [
    ['another audience', { aud: 'somebody else' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another nonce', { nonce: 'x' }],
    ['no nonce', { nonce: undefined }],
    ['a past', { exp: 1_000_000_000 }],
  ];
  it('refuses a token that is not for this sign-in, or not signed by the provider', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'example.com' });
    for (const [what, claims] of BAD_TOKENS) {
      provider.claims = { ...ADA, ...claims };
      assert.deepEqual(await arrive(), { to: '/sign-in?error=failed', user: null }, what);
    }
    provider.claims = ADA;
    provider.fault = 'signature';
    assert.equal((await arrive()).to, '/sign-in?error=failed');
    provider.fault = 'none';
    assert.equal((await arrive()).to, '/');
  });

  it('is good once, in the browser that began', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'example.com' });
    const { back, cookie } = await sentBack();
    const to = async (address: string, brought?: string) =>
      (await get(address, brought)).headers.get('location');
    assert.equal(await to(back), '/sign-in?error=expired');
    const other = await sentBack();
    assert.equal(await to(back, other.cookie), '/sign-in?error=failed');
    assert.equal(await to(back, cookie), '/');
    assert.equal(await to(back, cookie), '/sign-in?error=expired');
    const declined = await sentBack();
    const path = `${api.url}/dashboard/api/oidc/callback`;
    assert.equal(await to(`${path}?error=access_denied`, declined.cookie), '/sign-in?error=declined');
  });

  it('leads only to our own pages, however an address elsewhere is spelled', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'example.com' });
    for (const elsewhere of ELSEWHERE) assert.equal((await arrive(elsewhere)).to, '/', elsewhere);
  });

  it('says that a provider does not answer, and works once it does', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'example.com' });
    provider.fault = 'silent';
    const begun = await get(`${api.url}/dashboard/api/oidc/start`);
    assert.deepEqual([begun.status, begun.headers.get('location')], [303, '/sign-in?error=failed']);
    provider.fault = 'none';
    assert.notEqual((await arrive()).user, null);
  });

  it('the cookie of the way there is Lax, for no script, and ten minutes', async () => {
    await start();
    const begun = await get(`${api.url}/dashboard/api/oidc/start`);
    assert.match(
      begun.headers.get('set-cookie')!,
      /^tidemark_oidc=[\w-]+; Path=\/dashboard\/api\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const { searchParams } = new URL(begun.headers.get('location')!);
    assert.deepEqual(
      ['scope', 'response_type', 'code_challenge_method'].map((name) => searchParams.get(name)),
      ['openid email profile', 'code', 'S256'],
    );
  });

  it('is not there without the settings', async () => {
    api = await startApi();
    const methods = await api.request('/dashboard/api/sign-in-methods', { key: null });
    assert.deepEqual(methods.body, { object: 'sign_in_methods', passkey: true, oidc: false });
    for (const path of ['start', 'callback'])
      assert.equal((await get(`${api.url}/dashboard/api/oidc/${path}`)).status, 404);
    const admin = await signInAs(api, await signIn(api), 'admin');
    assert.equal((await admin.request('/dashboard/api/session')).status, 200);
  });
});
