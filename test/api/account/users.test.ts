import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { untilSomebodyWaits } from '../../support/ledger/locks.ts';
import {
  linkToken,
  signIn,
  signInAs,
  signInWith,
  tokenOf,
  type SignedIn,
} from '../../support/servers/signed-in.ts';

const USERS = '/dashboard/api/users';

describe('users', () => {
  let api: TestApi;
  let owner: SignedIn;
  let owner_id: string;
  beforeEach(async () => {
    api = await startApi();
    owner = await signIn(api);
    owner_id = (await me(owner)).id;
  });
  afterEach(() => api.close());

  const me = async ({ request }: SignedIn): Promise<Json> =>
    (await request('/dashboard/api/session')).body.user;
  const invited = async (parts: object = {}): Promise<Json> => {
    const { status, body } = await owner.post(USERS, {
      ...{ email: 'ada@example.com', name: 'Ada', role: 'support' },
      ...parts,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const act = (id: string, verb: string, by = owner) => by.post(`${USERS}/${id}/${verb}`);
  const patched = (id: string, body: object, by = owner) =>
    by.request(`${USERS}/${id}`, { method: 'PATCH', body });
  const reasonOf = ({ status, body }: Json): [number, string] => [status, body.error.details[0].reason];
  const isIn = async (person: SignedIn): Promise<boolean> =>
    (await person.request('/dashboard/api/session')).status === 200;

  it('the first is the owner, an admin without an email', async () => {
    const { data } = (await owner.request(USERS)).body;
    assert.deepEqual(
      data.map(({ created_at: _, ...user }: Json) => user),
      [
        {
          ...{ id: owner_id, object: 'user', email: null, name: 'Owner', role: 'admin', role_from: 'admin' },
          status: 'active',
        },
      ],
    );
    await signIn(api);
    assert.equal((await owner.request(USERS)).body.data.length, 1);
  });

  it('a person is invited by a link of seven days, which works once', async () => {
    const { invite_url, invite_expires_at, ...user } = await invited();
    assert.equal(user.status, 'invited');
    const days = (Date.parse(invite_expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days < 7.1);
    assert.match(invite_url, /^http:\/\/localhost:\d+\/sign-in#[\w-]{43}$/);
    const ada = await signInWith(api, tokenOf(invite_url));
    assert.deepEqual(await me(ada), { id: user.id, email: 'ada@example.com', name: 'Ada', role: 'support' });
    const [listed] = (await owner.request(USERS)).body.data;
    assert.deepEqual(listed, { ...user, status: 'active' });
    const again = await api.post('/dashboard/api/session', { token: tokenOf(invite_url) }, { key: null });
    assert.equal(again.status, 401);
  });

  it('a session says what its user may do', async () => {
    const { may } = (await (await signInAs(api, owner, 'support')).request('/dashboard/api/session')).body;
    for (const name of ['listInvoices', 'voidInvoice', 'endSession']) assert.ok(may.includes(name), name);
    for (const name of ['createPayment', 'listKeys', 'inviteUser']) assert.ok(!may.includes(name), name);
  });

  it('an email is taken in any case, until its user is removed, who is then the same user', async () => {
    const { id } = await invited();
    const body = { email: 'ADA@Example.com', name: 'Ada L', role: 'viewer' };
    assert.deepEqual(reasonOf(await owner.post(USERS, body)), [409, 'email_taken']);
    assert.equal((await act(id, 'remove')).body.status, 'removed');
    const again = await invited(body);
    assert.deepEqual([again.id, again.role, again.status, again.name], [id, 'viewer', 'invited', 'Ada L']);
  });

  const FAULTS: [what: string, body: object, param: string][] = [
    ['without an email', { email: undefined }, 'email'],
    ['an email without an @', { email: 'ada' }, 'email'],
    ['an email with two', { email: 'a@b@c' }, 'email'],
    ['an email that is too long', { email: `${'a'.repeat(250)}@b.de` }, 'email'],
    ['a blank name', { name: ' ' }, 'name'],
    ['an unknown role', { role: 'owner' }, 'role'],
    ['an unknown member', { is_owner: true }, 'is_owner'],
  ];
  it('nobody is invited with a fault', async () => {
    for (const [what, parts, param] of FAULTS) {
      const body = { ...{ email: 'ada@example.com', name: 'Ada', role: 'support' }, ...parts };
      const answer = await owner.post(USERS, body);
      assert.deepEqual([answer.status, answer.body.error.param], [400, param], what);
    }
    assert.equal((await owner.request(USERS)).body.data.length, 1);
  });

  it('a new link makes the one before void, also of an active user', async () => {
    const { id, invite_url: first } = await invited();
    const { status, body } = await act(id, 'invite');
    assert.equal(status, 200);
    const open = (link: string) =>
      api.post('/dashboard/api/session', { token: tokenOf(link) }, { key: null });
    assert.equal((await open(first)).status, 401);
    assert.equal((await open(body.invite_url)).status, 201);
    const third = (await act(id, 'invite')).body;
    assert.equal(third.status, 'active');
    assert.equal((await open(third.invite_url)).status, 201);
  });

  it('a removed user is out at once, with sessions and links, and may not be removed or invited again', async () => {
    const ada = await signInAs(api, owner, 'finance');
    const { invite_url } = (await act(ada.user_id, 'invite')).body;
    assert.equal((await act(ada.user_id, 'remove')).status, 200);
    assert.equal(await isIn(ada), false);
    assert.equal(
      (await api.post('/dashboard/api/session', { token: tokenOf(invite_url) }, { key: null })).status,
      401,
    );
    for (const verb of ['remove', 'invite'])
      assert.deepEqual(reasonOf(await act(ada.user_id, verb)), [409, 'invalid_state'], verb);
  });

  const open = async (link: string): Promise<number> =>
    (await api.post('/dashboard/api/session', { token: tokenOf(link) }, { key: null })).status;
  const invitedBy = async (person: SignedIn, email: string): Promise<Json> =>
    (await person.post(USERS, { email, name: 'Ada', role: 'viewer' })).body;

  it('who is removed has invited nobody: the links are void for good, and a new one makes up for them', async () => {
    const admin = await signInAs(api, owner, 'admin');
    const first = await invitedBy(admin, 'ada@example.com');
    const second = (await act(owner_id, 'invite', admin)).body;
    const other = await invited({ email: 'bob@example.com' });
    await act(admin.user_id, 'remove');
    for (const { invite_url } of [first, second]) assert.equal(await open(invite_url), 401);
    const again = await invited({ email: (await userOf(admin.user_id)).email, role: 'admin' });
    assert.equal(await open(again.invite_url), 201);
    for (const { invite_url } of [first, second]) assert.equal(await open(invite_url), 401);
    assert.equal((await userOf(first.id)).status, 'invited');
    assert.equal(await open((await act(first.id, 'invite')).body.invite_url), 201);
    assert.equal(await open(other.invite_url), 201);
  });
  const userOf = async (id: string): Promise<Json> =>
    (await owner.request(USERS)).body.data.find((user: Json) => user.id === id);

  it('who loses the role to invite has invited nobody, also with the role back; another name changes nothing', async () => {
    const admin = await signInAs(api, owner, 'admin');
    const { invite_url: kept } = await invitedBy(admin, 'bob@example.com');
    await patched(admin.user_id, { name: 'Grace' });
    assert.equal(await open(kept), 201);
    const { id, invite_url } = await invitedBy(admin, 'ada@example.com');
    await patched(admin.user_id, { role: 'finance' });
    assert.equal(await open(invite_url), 401);
    await patched(admin.user_id, { role: 'admin' });
    assert.equal(await open(invite_url), 401);
    assert.equal(await open((await act(id, 'invite', admin)).body.invite_url), 201);
  });

  it('nobody invites who is demoted while the request is under way', async () => {
    const admin = await signInAs(api, owner, 'admin');
    const db = await api.pool.connect();
    await db.query('begin');
    await db.query('select from accounts for no key update');
    const inviting = invitedBy(admin, 'ada@example.com');
    await untilSomebodyWaits(api.pool);
    await db.query(`update users set role = 'viewer' where id = $1`, [admin.user_id]);
    await db.query('commit');
    db.release();
    const { error } = await inviting;
    assert.deepEqual([error.code, error.details[0].reason], ['unauthorized', 'not_permitted']);
    assert.equal((await owner.request(USERS)).body.data.length, 2);
  });

  it('a change of role counts at once', async () => {
    const ada = await signInAs(api, owner, 'viewer');
    const post = () => ada.post('/v1/customers', { external_id: 'c1' });
    assert.equal((await post()).status, 401);
    const changed = await patched(ada.user_id, { role: 'finance', name: 'Ada Lovelace' });
    assert.deepEqual([changed.body.role, changed.body.name], ['finance', 'Ada Lovelace']);
    assert.equal((await post()).status, 201);
    assert.equal((await patched(ada.user_id, { role: 'viewer' })).status, 200);
    assert.equal((await ada.post('/v1/customers', { external_id: 'c2' })).status, 401);
  });

  it('nobody removes or demotes oneself or the last active admin', async () => {
    assert.deepEqual(reasonOf(await patched(owner_id, { role: 'finance' })), [409, 'invalid_state']);
    assert.deepEqual(reasonOf(await act(owner_id, 'remove')), [409, 'invalid_state']);
    const second = await signInAs(api, owner, 'admin');
    // Both at once: one of them stays an admin.
    const answers = await Promise.all([
      patched(owner_id, { role: 'viewer' }, second),
      patched(second.user_id, { role: 'viewer' }, owner),
    ]);
    const { rows } = await api.pool.query(`select from users where role = 'admin' and status = 'active'`);
    assert.ok(rows.length >= 1, JSON.stringify(answers.map(({ status }) => status)));
  });

  it('the link of the command line makes the owner an active admin again', async () => {
    const second = await signInAs(api, owner, 'admin');
    assert.equal((await act(owner_id, 'remove', second)).status, 200);
    assert.equal(await isIn(owner), false);
    const back = await signInWith(api, await linkToken(api));
    const user = await me(back);
    assert.deepEqual([user.id, user.role], [owner_id, 'admin']);
  });

  it('the sessions of a user end together, and each sees and ends only its own', async () => {
    const ada = await signInAs(api, owner, 'support');
    const bob = await signInAs(api, owner, 'support');
    const listed = async (person: SignedIn): Promise<Json[]> =>
      (await person.request('/dashboard/api/sessions')).body.data;
    assert.deepEqual(
      (await listed(ada)).map(({ id }) => id),
      [ada.session_id],
    );
    assert.equal((await listed(owner)).length, 3);
    const [session] = await listed(bob);
    assert.deepEqual([session!.user.id, session!.is_current], [bob.user_id, true]);
    assert.equal((await ada.post(`/dashboard/api/sessions/${bob.session_id}/revoke`)).status, 404);
    assert.equal((await owner.post(`/dashboard/api/sessions/${bob.session_id}/revoke`)).status, 200);
    assert.equal(await isIn(bob), false);
    assert.equal((await act(ada.user_id, 'revoke-sessions')).status, 200);
    assert.equal(await isIn(ada), false);
    assert.equal(await isIn(owner), true);
  });

  it('a session ends after 12 hours without use, and after 30 days at the latest', async () => {
    const age = (column: string, by: string) =>
      api.pool.query(`update sessions set ${column} = ${column} - interval '${by}'`);
    await age('last_used_at', '11 hours 59 minutes');
    assert.equal(await isIn(owner), true);
    await age('last_used_at', '12 hours');
    assert.equal(await isIn(owner), false);
    const again = await signIn(api);
    await age('expires_at', '30 days');
    assert.equal(await isIn(again), false);
  });

  it('signing in ends the session that the browser brought', async () => {
    const token = await linkToken(api);
    const headers = { Cookie: owner.cookie };
    assert.equal((await api.post('/dashboard/api/session', { token }, { key: null, headers })).status, 201);
    assert.equal(await isIn(owner), false);
  });

  it('what a person does carries the user, and a key names who made it', async () => {
    const finance = await signInAs(api, owner, 'finance');
    await finance.post('/v1/customers', { external_id: 'c1' });
    const deposit = await finance.post('/v1/customers/c1/payments', { amount: '5.00' });
    assert.equal(deposit.body.created_by, finance.user_id);
    const admin = await signInAs(api, owner, 'admin');
    await admin.post('/dashboard/api/keys', { name: 'Reports', kind: 'read_only' });
    await act(admin.user_id, 'remove');
    const [key] = (await owner.request('/dashboard/api/keys')).body.data;
    assert.deepEqual([key.created_by.type, key.created_by.id], ['user', admin.user_id]);
    assert.deepEqual([key.kind, key.is_of_removed_user, key.revoked_at], ['read_only', true, null]);
  });

  it('a link and a session of a process without roles are refused', async () => {
    // Its hash is of the token alone.
    const token = 'A'.repeat(43);
    const plain = `sha256('${token}'::bytea)`;
    await api.pool.query(
      `insert into sign_in_links (token_hash, account_id, expires_at)
       select ${plain}, id, now() + interval '1 hour' from accounts limit 1`,
    );
    assert.equal((await api.post('/dashboard/api/session', { token }, { key: null })).status, 401);
    await api.pool.query(
      `insert into sessions (id, account_id, token_hash, expires_at)
       select 'ses_old', id, ${plain}, now() + interval '1 hour' from accounts limit 1`,
    );
    const headers = { Cookie: `tidemark_session=${token}`, 'Tidemark-Environment': 'test' };
    assert.equal((await api.request('/v1/customers', { key: null, headers })).status, 401);
  });
});
