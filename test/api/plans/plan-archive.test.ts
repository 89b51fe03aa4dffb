import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { plansOn } from '../../support/ledger/plan-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/pricing-plans';

describe('archived plans', () => {
  let api: TestApi;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, get, post, done, subscribe } = lives;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  const { body, version, idsOf, archive, archived } = plansOn(lives, (path, sent) => api.request(path, sent));

  const ARCHIVED = { code: 'conflict', param: 'plan_id', reason: 'archived' } as const;
  const INVALID_STATE = { code: 'conflict', param: null, reason: 'invalid_state' } as const;

  it('a plan shows since when, is archived once, and is taken back once', async () => {
    const plan = await done(PATH, body(null));
    const { archived_at, ...rest } = await archived(plan.id);
    assert.match(archived_at, /Z$/);
    assert.deepEqual({ ...rest, archived_at: null }, plan);
    assertRefused(await archive(plan.id), INVALID_STATE);
    const back = await archive(plan.id, 'DELETE');
    assert.deepEqual([back.status, back.body], [200, plan]);
    assertRefused(await archive(plan.id, 'DELETE'), INVALID_STATE);
    for (const method of ['POST', 'DELETE'])
      assertRefused(await archive('plan_unknown', method), { code: 'not_found' });
  });

  it('ten at once: one 200, nine 409', async () => {
    const { id } = await done(PATH, body(null));
    for (const method of ['POST', 'DELETE']) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => archive(id, method)));
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, ...Array.from({ length: 9 }, () => 409)],
      );
    }
  });

  it('a retry with the Idempotency-Key gets the same answer, also of a DELETE', async () => {
    const { id } = await done(PATH, body(null));
    for (const method of ['POST', 'DELETE']) {
      const headers = { 'Idempotency-Key': `${method}-archive` };
      const first = await archive(id, method, headers);
      const again = await archive(id, method, headers);
      assert.deepEqual([again.status, again.body], [200, first.body]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
  });

  it('are in the list by the filter', async () => {
    const [old, newest] = [await version('listed'), await version('listed')];
    await archived(old.id);
    assert.deepEqual(await idsOf('key=listed&archived=true'), [old.id]);
    assert.deepEqual(await idsOf('key=listed&archived=false'), [newest.id]);
    assert.deepEqual(await idsOf('key=listed'), [newest.id, old.id]);
    assertRefused(await get(`${PATH}?archived=yes`), { code: 'invalid_request', param: 'archived' });
  });

  it('no subscription begins with it or changes to it, whichever version of the key is older', async () => {
    const [old, newest] = [await version('refused'), await version('refused')];
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, old.id);
    await archived(newest.id);
    for (const plan_id of ['refused', newest.id]) {
      assertRefused(await post('/v1/subscriptions', { customer_id, plan_id }), ARCHIVED);
      for (const dry_run of [true, false])
        assertRefused(
          await post(`/v1/subscriptions/${id}/change`, { plan_id, at: 'period_end', dry_run }),
          ARCHIVED,
        );
    }
    // An older version that is not archived is chosen by its id alone.
    assert.equal((await subscribe(await customer(), old.id)).plan_id, old.id);
    const third = await version('refused');
    assert.equal((await subscribe(await customer(), 'refused')).plan_id, third.id);
    assert.equal((await archive(newest.id, 'DELETE')).status, 200);
    assert.equal((await subscribe(await customer(), newest.id)).plan_id, newest.id);
  });

  it('what runs keeps it, and a change that is taken back goes on with it', async () => {
    const [old, other] = [await done(PATH, body(null)), await done(PATH, body(null))];
    const { id } = await subscribe(await customer(), old.id);
    const path = `/v1/subscriptions/${id}`;
    await done(`${path}/change`, { plan_id: other.id, at: 'period_end' });
    await archived(old.id);
    const back = await api.request(`${path}/change`, { method: 'DELETE' });
    assert.deepEqual([back.status, back.body.plan_id, back.body.pending_change], [200, old.id, null]);
  });
});
