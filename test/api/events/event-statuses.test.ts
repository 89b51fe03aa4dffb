import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const DAY_MS = 86_400_000;
const PER_CALL = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' };

describe('the counts of events by billing status, for Home', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { customer, plan, subscribe, use } = testCustomersOn(request);
  let me: SignedIn;
  before(async () => {
    const { pool, api_url: url } = stack();
    me = await signIn({
      ...{ pool, url, request },
      post: (path, body, sent) => request(path, { method: 'POST', body, ...sent }),
    });
  });

  const read = async (path: string, environment = 'test'): Promise<Json> => {
    const { status, body } = await me.request(`/dashboard/api/${path}`, {
      headers: { 'Tidemark-Environment': environment },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const NONE = { accepted: 0, pending: 0, billed: 0, late: 0, too_late: 0, trial: 0, unrated: 0 };

  it('are of 30 days, and of test data also of what lies ahead of real time', async () => {
    const per_call = await plan([PER_CALL]);
    const ahead = await customer();
    await subscribe(ahead, per_call);
    await use(ahead, [
      ...['01-01T06:00', '01-01T07:00', '01-02'].map((time) => ({ timestamp: at(time) })),
      { timestamp: at('01-02'), event_name: 'apicall' },
    ]);
    const now = await customer({}, null);
    await subscribe(now, per_call);
    await use(now, [{ timestamp: new Date().toISOString() }]);
    await use(now, [{ timestamp: new Date(Date.now() - 40 * DAY_MS).toISOString() }]);
    const { object, from, to, ...counts } = await read('event-statuses');
    assert.equal(object, 'event_statuses');
    assert.deepEqual(counts, { ...NONE, accepted: 5, pending: 4, unrated: 1 });
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(from, new Date(Date.parse(today) - 29 * DAY_MS).toISOString());
    // The clock is at the first of January, and an event may be a day ahead of it.
    assert.equal(to, at('01-03'));
    const { data } = await read(`unrated?from=${from}&to=${to}`);
    assert.deepEqual(data, [{ event_name: 'apicall', events: 1, customer_ids: [ahead] }]);
  });

  it('are of live data up to today', async () => {
    const { from, to, object: _, ...counts } = await read('event-statuses', 'live');
    assert.deepEqual(counts, NONE);
    assert.equal(Date.parse(to) - Date.parse(from), 30 * DAY_MS);
  });
});
