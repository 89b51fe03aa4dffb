import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { newRequestId } from '../../src/keys/ids.ts';
import { useStack } from '../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/ledger/subscriptions.ts';

const DAYS_MS = 10 * 86_400_000;

/** billing.md 1, Change of plan, by the real clock. */
describe('a change of plan of a live customer', function () {
  this.timeout(180_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });
  const { invoicesOf } = subscriptionsOf(stack);
  const post = (path: string, body: object) => stack().done<Json>(stack().live_key, 'POST', path, body);

  /** On a plan of 10.00 a day for ten days, so that the fractions of a period are easy to read; 2.50 is a quarter of a day. */
  async function onDays() {
    const customer_id = newRequestId();
    await post('/v1/customers', { external_id: customer_id });
    const planOf = async (flat_amount: string) => {
      const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount }];
      return (
        await post('/v1/pricing-plans', { name: 'Plan', interval_count: 10, interval: 'day', charges })
      )['id'] as string;
    };
    const [small, large] = [await planOf('100'), await planOf('1000')];
    const { id } = await post('/v1/subscriptions', {
      ...{ customer_id, plan_id: small },
      start_date: daysAgo(5),
    });
    const change = (body: object) => post(`/v1/subscriptions/${id}/change`, { plan_id: large, ...body });
    return { id: id as string, customer_id, small, large, change };
  }

  it('is previewed without a trace', async () => {
    const { id, customer_id, small, change } = await onDays();
    const { closing, upcoming } = await change({ at: 'now', dry_run: true });
    const share = (Date.parse(closing.period_end) - Date.parse(closing.period_start)) / DAYS_MS;
    assert.ok(Math.abs(Number(closing.total) - 100 * share) < 0.02, closing.total);
    assert.ok(Math.abs(Number(upcoming.total) - 1000 * (1 - share)) < 0.02, upcoming.total);
    const { rows } = await stack().pool.query(
      `select c.test_clock, (select count(*)::integer from invoices i where i.customer_id = c.id) as invoices,
         (select count(*)::integer from plan_changes x where x.subscription_id = $2) as changes
       from customers c where c.external_id = $1`,
      [customer_id, id],
    );
    assert.deepEqual(rows, [{ test_clock: null, invoices: 0, changes: 0 }]);
    const subscription = await stack().done<Json>(stack().live_key, 'GET', `/v1/subscriptions/${id}`);
    assert.deepEqual([subscription['plan_id'], subscription['pending_change']], [small, null]);
  });

  it('ends the period when its time comes, and the workflow bills it', async () => {
    const { id, small, large, change } = await onDays();
    const at = new Date(Date.now() + 5000).toISOString();
    const scheduled = await change({ at });
    assert.deepEqual(scheduled['pending_change'], { plan_id: large, at });
    const [invoice] = await invoicesOf(id, ([first]) => typeof first?.number === 'string');
    assert.deepEqual([invoice!.plan_id, invoice!.period_end], [small, at]);
    const subscription = await stack().done<Json>(stack().live_key, 'GET', `/v1/subscriptions/${id}`);
    assert.deepEqual(
      [subscription['plan_id'], subscription['pending_change'], subscription['current_period_start']],
      [large, null, at],
    );
  });
});
