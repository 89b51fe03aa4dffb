import assert from 'node:assert/strict';
import { createClient, type FeedChange } from '../../sdk/typescript/src/index.ts';
import { useStack } from '../support/servers/stack.ts';
import { requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** changes.follow against the API itself; its faults are in changes.test.ts. */
describe('changes.follow on a running API', function () {
  const stack = useStack();
  const { customer, done } = testCustomersOn(requestsTo(stack));

  it('gets each change of a customer as it happens, and ends with its signal', async () => {
    const { api_url, test_key } = stack();
    const client = createClient({ baseUrl: api_url, apiKey: test_key });
    const { data: page } = await client.GET('/v1/changes', { params: { query: { limit: 1 } } });
    const customer_id = await customer({}, null);
    const ending = new AbortController();
    const read: FeedChange[] = [];
    const options = { customer_id, types: ['customer.created', 'payment.*'] as const, signal: ending.signal };
    for await (const change of client.changes.follow(page!.newest_sequence, options)) {
      read.push(change);
      if (change.type === 'customer.created')
        await done(`/v1/customers/${customer_id}/payments`, { amount: '7' });
      else ending.abort();
    }
    assert.deepEqual(
      read.map((change) => [change.type, change.object_type === 'payment' ? change.data?.amount : null]),
      [
        ['customer.created', null],
        ['payment.recorded', '7.00'],
      ],
    );
    await client.close();
  });
});
