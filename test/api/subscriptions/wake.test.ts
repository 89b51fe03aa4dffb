import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { at, FLAT, testCustomersOn, PER_UNIT } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/subscriptions';
const REASON = 'No tier of the charge covers the quantity 1, because its last tier has an upper limit.';

describe('a subscription that needs a person', () => {
  let api: TestApi;
  const { customer, get, plan, post, read, subscribe } = testCustomersOn((path, sent) =>
    api.request(path, sent),
  );
  let customer_id: string;
  let parked: Json;
  let well: Json;
  const park = (id: string) =>
    api.pool.query('update subscriptions set attention = $2 where id = $1', [id, REASON]);
  const idsOf = async (query: string): Promise<string[]> =>
    (await read(`${PATH}?customer_id=${customer_id}&${query}`)).data.map(({ id }: Json) => id);
  before(async () => {
    api = await startApi();
    customer_id = await customer();
    parked = await subscribe(customer_id, await plan([PER_UNIT]), { start_date: at('01-01') });
    well = await subscribe(customer_id, await plan([FLAT]));
    await park(parked.id);
    await api.pool.query('update customers set test_clock = $2 where external_id = $1', [
      customer_id,
      at('02-10'),
    ]);
  });

  after(() => api.close());

  it('is found by attention=true, and left out by attention=false', async () => {
    assert.deepEqual(await idsOf('attention=true'), [parked.id]);
    assert.deepEqual(await idsOf('attention=false'), [well.id]);
    assert.deepEqual(await idsOf('attention=true&status=canceled'), []);
    const answer = await get(`${PATH}?attention=yes`);
    assertRefused(answer, { code: 'invalid_request', param: 'attention' });
  });

  it('says since when it is not billed: the end of its first period that is due', async () => {
    assert.equal((await read(`${PATH}/${parked.id}`)).unbilled_since, at('02-01'));
    assert.equal((await read(`${PATH}/${well.id}`)).unbilled_since, null);
  });

  it('is retried by wake, also while Temporal is down; wake changes no other subscription', async () => {
    const retried = await post(`${PATH}/${parked.id}/wake`);
    assert.deepEqual(
      [retried.status, retried.body.attention, retried.body.unbilled_since],
      [200, null, null],
    );
    const again = await post(`${PATH}/${parked.id}/wake`);
    assert.deepEqual([again.status, again.body], [200, retried.body]);
    await post(`${PATH}/${well.id}/cancel`, { at: 'now' });
    assert.equal((await post(`${PATH}/${well.id}/wake`)).status, 200);
    assert.equal((await post(`${PATH}/sub_1/wake`)).status, 404);
    assert.equal((await post(`${PATH}/${parked.id}/wake`, {}, { key: api.live_key })).status, 404);
  });
});
