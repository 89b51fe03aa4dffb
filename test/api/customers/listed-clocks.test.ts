import assert from 'node:assert/strict';
import { assertRefused } from '../../support/ledger/refused.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/dashboard/api/test-clocks';

describe('test clocks of customers, for the list of their subscriptions', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done } = testCustomersOn(request);
  let me: SignedIn;
  before(async () => {
    const { pool, api_url: url } = stack();
    me = await signIn({
      ...{ pool, url, request },
      post: (path, body, sent) => request(path, { method: 'POST', body, ...sent }),
    });
  });

  const asked = (customer_ids: readonly string[], environment = 'test') =>
    me.request(PATH, {
      method: 'POST',
      body: { customer_ids },
      headers: { 'Tidemark-Environment': environment },
    });

  it('are by external id, of the environment alone, without the customers that have none', async () => {
    const ahead = await customer();
    await advance(ahead, at('03-05'));
    await done('/v1/customers', { external_id: 'in real time' });
    const ids = [ahead, 'in real time', 'nobody'];
    const { status, body } = await asked(ids);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, { object: 'test_clocks', clocks: { [ahead]: at('03-05') } });
    assert.deepEqual((await asked(ids, 'live')).body.clocks, {});
  });

  it('are of 200 customers at most', async () => {
    const many = Array.from({ length: 201 }, (_, place) => `customer ${place}`);
    assertRefused(await asked(many), { code: 'invalid_request', param: 'customer_ids', reason: 'too_many' });
  });
});
