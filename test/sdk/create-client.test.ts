import assert from 'node:assert/strict';
import { createClient } from '../../sdk/typescript/src/index.ts';

describe('createClient', () => {
  const GOOD = { baseUrl: 'http://127.0.0.1:1/', apiKey: 'tm_sk_test_1' };
  const BAD: [what: string, options: object][] = [
    ['an address without a scheme', { baseUrl: 'billing.example.com' }],
    ['an address with a query', { baseUrl: 'https://billing.example.com/?a' }],
    ['a blank key', { apiKey: '' }],
    ['a key with a line end', { apiKey: 'tm_sk_test_1\n' }],
    ['a key that is not set', { apiKey: undefined }],
    ['batches above the limit of the API', { events: { maxSize: 1001 } }],
    ['batches of nothing', { events: { maxSize: 0 } }],
    ['a wait above a minute', { events: { maxWaitMs: 60_001 } }],
    ['half a millisecond', { events: { maxWaitMs: 0.5 } }],
  ];
  for (const [what, options] of BAD)
    it(`refuses ${what}`, () => assert.throws(() => createClient({ ...GOOD, ...options }), TypeError));

  it('throws for an event that JSON cannot say, and keeps the others', async () => {
    const client = createClient(GOOD);
    const event = { event_name: 'a', customer_id: 'b', properties: { n: 1n } };
    assert.throws(() => client.events.track(event), TypeError);
    await client.close();
  });
});
