import assert from 'node:assert/strict';
import { createClient, TidemarkError, type Client } from '../../sdk/typescript/src/index.ts';
import { startApi, type TestApi } from '../support/servers/api.ts';
import { testCustomersOn } from '../support/ledger/test-customer.ts';
import { aFront, type Front } from './front.ts';

const AT_ONCE = { 'Retry-After': '0' };

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read = [];
  for await (const item of items) read.push(item);
  return read;
}

describe('paginate', () => {
  let api: TestApi;
  let front: Front;
  let client: Client;
  before(async () => {
    api = await startApi();
    const customers = testCustomersOn((path, sent) => api.request(path, sent));
    for (let i = 0; i < 5; i++) await customers.customer({ name: `Name & ${i}` }, null);
    await customers.done('/v1/customers/customer-1/balance-adjustments', { amount: '5', reason: 'gift' });
  });
  after(() => api.close());
  beforeEach(async () => {
    front = await aFront(api.url);
    client = createClient({ baseUrl: front.url, apiKey: api.test_key });
  });

  it('reads a list to its end, page by page, newest first', async () => {
    const read = await all(client.paginate('/v1/customers', { limit: 2 }));
    assert.deepEqual(
      read.map(({ external_id }) => external_id),
      [5, 4, 3, 2, 1].map((n) => `customer-${n}`),
    );
    assert.equal(front.received.length, 3);
  });

  it('takes the filters of the list, or no query', async () => {
    const [found, ...others] = await all(client.paginate('/v1/customers', { search: 'customer-3' }));
    assert.deepEqual([found?.name, others.length], ['Name & 2', 0]);
    assert.equal((await all(client.paginate('/v1/customers'))).length, 5);
  });

  it('reads no page that the loop does not reach', async () => {
    for await (const _ of client.paginate('/v1/customers', { limit: 1 })) break;
    assert.equal(front.received.length, 1);
  });

  it('reads a list below an object, whose id may have any characters', async () => {
    const path = '/v1/customers/{id}/balance-entries';
    const [entry] = await all(client.paginate(path, {}, { id: 'customer-1' }));
    assert.equal(entry?.amount, '5.00');
    await assert.rejects(all(client.paginate(path, {}, { id: 'a/b?c' })), { status: 404 });
    assert.equal(front.received.at(-1)!.path, '/v1/customers/a%2Fb%3Fc/balance-entries?');
  });

  it('asks again after a lost connection, 429 and 500', async () => {
    front.faults.push('reset', { status: 429, headers: AT_ONCE }, { status: 500, headers: AT_ONCE });
    assert.equal((await all(client.paginate('/v1/customers', { limit: 200 }))).length, 5);
    assert.equal(front.received.length, 4);
  });

  it('gives up after five tries', async () => {
    front.standing = { status: 500, headers: AT_ONCE };
    await assert.rejects(all(client.paginate('/v1/customers')), { name: 'TidemarkError', status: 500 });
    assert.equal(front.received.length, 5);
  });

  it('throws the error of the API for a wrong request', async () => {
    const reading = all(client.paginate('/v1/invoices', { from: 'yesterday' }));
    await assert.rejects(reading, (error) => {
      assert.ok(error instanceof TidemarkError);
      assert.deepEqual([error.status, error.code, error.param], [400, 'invalid_request', 'from']);
      assert.match(error.requestId ?? '', /^req_/);
      return true;
    });
  });

  it('throws where something else than Tidemark answers', async () => {
    front.standing = { status: 200, body: '<html>' };
    await assert.rejects(all(client.paginate('/v1/customers')), { status: 200, code: null });
  });
});
