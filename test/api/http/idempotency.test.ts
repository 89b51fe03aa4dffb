import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { route } from '../../../api/routing/route.ts';
import { createApiServer } from '../../../api/server.ts';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/credit-grants';
const HEADER = 'Idempotency-Key';

describe('Idempotency-Key', () => {
  let api: TestApi;
  let second: TestApi;
  before(async () => {
    api = await startApi();
    second = await startApi({ database_url: api.deps.config.database_url! });
    for (const key of [api.test_key, api.live_key])
      await api.post('/v1/customers', { external_id: 'c' }, { key });
  });
  after(() => Promise.all([api.close(), second.close()]));

  const grant = (key: string, amount = 1, through = api): Promise<Received> =>
    through.post(PATH, { customer_id: 'c', amount }, { headers: { [HEADER]: key } });
  const countGrants = async () => (await api.pool.query('select from credit_grants')).rowCount;
  const age = (key: string, interval: string) =>
    api.pool.query('update idempotency_keys set claimed_at = now() - $2::interval where key = $1', [
      key,
      interval,
    ]);

  it('a retry through any process gets the same response and has no second effect', async () => {
    const first = await grant('again');
    const count = await countGrants();
    assert.equal(first.headers.get('idempotent-replayed'), null);
    for (const through of [api, second]) {
      const answer = await grant('again', 1, through);
      assert.equal(answer.status, 201);
      assert.deepEqual(answer.body, first.body);
      assert.equal(answer.headers.get('location'), first.headers.get('location'));
      assert.equal(answer.headers.get('idempotent-replayed'), 'true');
      assert.notEqual(answer.headers.get('x-request-id'), first.headers.get('x-request-id'));
    }
    assert.equal(await countGrants(), count);
  });

  it('with another body or path is a conflict', async () => {
    await grant('other');
    const expected = { code: 'conflict', param: HEADER, reason: 'idempotency_mismatch' } as const;
    assertRefused(await grant('other', 2), expected);
    const headers = { [HEADER]: 'other' };
    assertRefused(await api.post('/v1/customers', { external_id: 'x' }, { headers }), expected);
  });

  it('of the other environment is another key', async () => {
    await grant('modes');
    const body = { customer_id: 'c', amount: 1 };
    const { status, headers } = await api.post(PATH, body, {
      key: api.live_key,
      headers: { [HEADER]: 'modes' },
    });
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null]);
  });

  it('a refused request does not use its key up', async () => {
    assert.equal((await grant('refused', -1)).status, 400);
    const headers = { [HEADER]: 'refused' };
    assert.equal((await api.post(PATH, { customer_id: 'nobody', amount: 1 }, { headers })).status, 404);
    assert.equal((await grant('refused')).status, 201);
  });

  it('32 concurrent requests have one effect; early retries get 409 with Retry-After', async () => {
    const count = (await countGrants())!;
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => grant('race', 1, index % 2 ? api : second)),
    );
    assert.equal(await countGrants(), count + 1);
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
    assert.equal(ids.size, 1);
    for (const answer of answers) {
      if (answer.status === 201) continue;
      assertRefused(answer, { code: 'conflict', param: HEADER, reason: 'request_in_progress' });
      assert.equal(answer.headers.get('retry-after'), '1');
    }
  });

  it('the mark of a request that never finished lapses after 60 s', async () => {
    await grant('crashed');
    await api.pool.query(`update idempotency_keys set status = null, body = null where key = 'crashed'`);
    await age('crashed', '59 s');
    assertRefused(await grant('crashed'), { code: 'conflict', reason: 'request_in_progress' });
    await age('crashed', '61 s');
    assert.equal((await grant('crashed')).headers.get('idempotent-replayed'), null);
  });

  it('a response is kept for 24 hours', async () => {
    const { body } = await grant('old');
    await age('old', '23 h 59 min');
    assert.equal((await grant('old')).body.id, body.id);
    await age('old', '24 h 1 min');
    assert.notEqual((await grant('old')).body.id, body.id);
  });

  for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
    it(`malformed: ${key.slice(0, 10)}`, async () => {
      assertRefused(await grant(key), { code: 'invalid_request', param: HEADER, reason: 'malformed' });
    });
  }

  it('of a DELETE, sent again, gets the first response and not a 404', async () => {
    let deleted = 0;
    const deletion = route({
      method: 'delete',
      path: '/v1/things/{id}',
      operation_id: 'deleteCustomer',
      tag: 'Test',
      summary: 'Test',
      responses: { 200: Type.Object({ deleted: Type.Number() }) },
      handle: () => Promise.resolve({ status: 200, body: { deleted: ++deleted } }),
    });
    const server = createApiServer(api, [deletion]);
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}/v1/things/a`;
    const send = async (key?: string) => {
      const headers = {
        Authorization: `Bearer ${api.test_key}`,
        ...(key === undefined ? {} : { [HEADER]: key }),
      };
      const answer = await fetch(url, { method: 'DELETE', headers });
      return [answer.status, await answer.json(), answer.headers.get('idempotent-replayed')];
    };
    assert.deepEqual(await send('deletion'), [200, { deleted: 1 }, null]);
    assert.deepEqual(await send('deletion'), [200, { deleted: 1 }, 'true']);
    assert.deepEqual(await send(), [200, { deleted: 2 }, null]);
    await server.close();
  });

  it('is ignored by GET and PATCH', async () => {
    const headers = { [HEADER]: 'not a key' };
    assert.equal((await api.request('/v1/customers', { headers })).status, 200);
    assert.equal((await api.request('/v1/customers/c', { method: 'PATCH', body: {}, headers })).status, 200);
  });
});
