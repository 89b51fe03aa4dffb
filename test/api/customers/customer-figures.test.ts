import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/dashboard/api/customer-figures';

describe('figures of customers, for their list', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(request);
  let me: SignedIn;
  before(async () => {
    const { pool, api_url: url } = stack();
    me = await signIn({
      ...{ pool, url, request },
      post: (path, body, sent) => request(path, { method: 'POST', body, ...sent }),
    });
  });

  const asked = (ids: readonly string[], environment = 'test') =>
    me.request(PATH, { method: 'POST', body: { ids }, headers: { 'Tidemark-Environment': environment } });
  const idOf = async (external_id: string): Promise<string> =>
    (await read(`/v1/customers/${external_id}`)).id;

  it('are what each owes, what of it is overdue, and the plans of now', async () => {
    const fee = await plan([FLAT]);
    const owing = await customer({ net_days: 10 });
    await subscribe(owing, fee);
    await advance(owing, at('03-05')); // 49.00 of January, due on 11 February, and of February, due on 11 March
    const free = await customer();
    const other = await plan([{ ...FLAT, event_name: 'other' }]);
    const [first, second] = [await subscribe(free, fee), await subscribe(free, other)];
    await done(`/v1/subscriptions/${second.id}/change`, { plan_id: fee, at: 'period_end' });
    const ended = await customer();
    const { id } = await subscribe(ended, fee, { start_date: at('02-01') });
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
    await advance(ended, at('01-02'));
    const ids = await Promise.all([owing, free, ended].map(idOf));
    const { status, body } = await asked([...ids, 'cus_none']);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.data, [
      { id: ids[0], owed: { currency: 'USD', total: '98.00', overdue: '49.00' }, plan_ids: [fee] },
      { id: ids[1], owed: null, plan_ids: [first.plan_id, other] },
      { id: ids[2], owed: null, plan_ids: [] },
      { id: 'cus_none', owed: null, plan_ids: [] },
    ]);
    const { data } = (await asked(ids, 'live')).body as Json;
    assert.deepEqual(
      data.map(({ owed, plan_ids }: Json) => [owed, plan_ids]),
      Array(3).fill([null, []]),
    );
  });

  it('are of 200 customers at most', async () => {
    const many = Array.from({ length: 201 }, (_, place) => `cus_${place}`);
    assertRefused(await asked(many), { code: 'invalid_request', param: 'ids', reason: 'too_many' });
  });
});
