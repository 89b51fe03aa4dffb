import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../src/settings/config.ts';
import { connectTemporal } from '../../../src/temporal/temporal.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { at, FLAT, testCustomersOn, PER_UNIT } from '../../support/ledger/test-customer.ts';

const INVOICES = '/v1/invoices';
const LONGEST_WAIT_MS = 20_000;

/** These requests need only the database. The signal is a nudge, and here nothing receives it. */
describe('while Temporal is down', () => {
  let api: TestApi;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, done, plan, post, read, subscribe, use } = lives;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  async function subscription(start: string, interval: string, charge: object = PER_UNIT): Promise<Json> {
    const customer_id = await customer({}, at('04-01'));
    const made = await subscribe(customer_id, await plan([charge], { interval }), { start_date: start });
    await use(customer_id, [{ timestamp: start }]);
    return made;
  }

  it('generate bills every ended period, void and pay work, and cancel ends the next period', async () => {
    const { id: subscription_id } = await subscription(at('01-01'), 'month');
    const { data } = await done(`${INVOICES}/generate`, { subscription_id });
    assert.deepEqual(
      data.map(({ period_start, status, total }: Json) => [period_start, status, total]),
      [
        [at('01-01'), 'open', '1.00'],
        [at('02-01'), 'paid', '0.00'],
        [at('03-01'), 'paid', '0.00'],
      ],
    );
    assert.equal((await done(`${INVOICES}/${data[0].id}/void`)).status, 'void');
    const again = await done(`${INVOICES}/generate`, { subscription_id });
    assert.equal((await done(`${INVOICES}/${again.data[0].id}/pay`)).status, 'paid');
    const canceled = await done(`/v1/subscriptions/${subscription_id}/cancel`);
    assert.deepEqual([canceled.status, canceled.cancel_at], ['active', at('05-01')]);
  });

  it('more than 50 periods are generated in several calls, each of which says whether there are more', async () => {
    const { id: subscription_id } = await subscription(at('01-31'), 'day', FLAT);
    const made: Json[] = [];
    for (const [length, has_more] of [
      [50, true],
      [10, false],
    ] as const) {
      const answer = await done(`${INVOICES}/generate`, { subscription_id });
      assert.deepEqual([answer.data.length, answer.has_more], [length, has_more]);
      made.push(...answer.data);
    }
    for (const [place, { period_start }] of made.slice(1).entries())
      assert.equal(period_start, made[place].period_end);
  });

  it('regenerate is stored: 202, with a Location', async () => {
    const { id: subscription_id } = await subscription(at('03-01'), 'month');
    const { data } = await done(`${INVOICES}/generate`, { subscription_id });
    const answer = await post(`${INVOICES}/${data[0].id}/regenerate`, { reason: 'it must be' });
    assert.equal(answer.status, 202);
    const { id, status, invoice_id, new_invoice_id, reason, finished_at } = answer.body;
    assert.deepEqual(
      [status, invoice_id, new_invoice_id, reason, finished_at],
      ['pending', data[0].id, null, 'it must be', null],
    );
    const location = answer.headers.get('location')!;
    assert.equal(location, `/v1/regenerations/${id}`);
    assert.deepEqual(await read(location), answer.body);
    assert.deepEqual(await read(`${INVOICES}/${invoice_id}`), data[0]);
  }).timeout(LONGEST_WAIT_MS);

  it('a channel closes after its last call, and no call throws an uncaught error', async () => {
    const subscriptions = ['a', 'b', 'c', 'd'].map((subscription_id) => ({
      environment_id: 1,
      subscription_id,
    }));
    const closings = Array.from({ length: 20 }, async () => {
      const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: '127.0.0.1:1' }));
      const reached = temporal.nudge(subscriptions, 'wake');
      await temporal.close();
      assert.equal(await reached, 0);
    });
    await Promise.all(closings);
    // Long enough for a call that was not cancelled to retry.
    await pause(1000);
  }).timeout(LONGEST_WAIT_MS);
});
