import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';

const STATEMENTS_MAX = 12;

/**
 * Counted are the statements of the request's transaction, with its begin and its commit. Those of an Idempotency-Key are
 * not, because none is sent, and neither is the one that looks up the API key now and then.
 */
describe('POST /v1/subscriptions', () => {
  let api: TestApi;
  let sent: string[] = [];
  const { customer, plan, subscribe } = testCustomersOn((path, request) => api.request(path, request));
  before(async () => {
    api = await startApi({ processes: 1, before_statement: async (text) => void sent.push(text) });
  });
  after(() => api.close());

  it(`sends at most ${STATEMENTS_MAX} statements, begin and commit included`, async () => {
    const plan_id = await plan([PER_UNIT]);
    for (const clock of [null, undefined]) {
      const customer_id = await customer({}, clock);
      sent = [];
      await subscribe(customer_id, plan_id);
      const begin = sent.findIndex((text) => text.startsWith('begin'));
      const counted = sent.slice(begin, sent.indexOf('commit') + 1);
      assert.deepEqual([begin >= 0, counted.at(-1)], [true, 'commit']);
      assert.ok(counted.length <= STATEMENTS_MAX, `${counted.length}:\n${counted.join('\n')}`);
    }
  });
});
