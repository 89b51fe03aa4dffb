import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { changesTo, copySubscription, planMigrationsOn, runsOf } from '../support/ledger/plan-migrations.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const PATH = '/v1/plan-migrations';
const DEAR = { ...FLAT, flat_amount: '199.00' };

describe('the workflow of a plan migration', function () {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe, read, done, advance } = lives;
  const { path, finished } = planMigrationsOn(lives);

  /** Subscriptions of as many new customers, in real time. */
  async function subscribers(plan_id: string, count: number): Promise<void> {
    const { id } = await subscribe(await customer({}, null), plan_id);
    await copySubscription(stack().pool, id, count);
  }

  it('a stop in the middle leaves what is changed, and nothing changes after the response', async function () {
    this.timeout(200_000);
    const [from, to] = [await plan([FLAT]), await plan([DEAR])];
    await subscribers(from, 400);
    const { id } = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'period_end' });
    await eventually(
      () => read(path(id)),
      ({ changed }: Json) => changed > 0,
    );
    const stopped = await done(`${path(id)}/stop`);
    const changes = await changesTo(stack().pool, to);
    assert.equal(stopped.changed, changes);
    assert.ok(changes > 0 && changes < 400, `${changes} are changed`);
    await eventually(
      () => runsOf(stack(), id),
      (names) => !names.includes('RUNNING'),
    );
    assert.equal(await changesTo(stack().pool, to), changes);
    assert.deepEqual(await read(path(id)), stopped);
  });

  it('wakes the workflows of what it changes: the change is billed', async () => {
    const [from, to] = [await plan([FLAT]), await plan([DEAR])];
    const customer_id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(customer_id, from);
    await advance(customer_id, at('04-16'));
    const { id } = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'now' });
    await finished(id);
    const { data } = await eventually(
      () => read(`/v1/invoices?subscription_id=${subscription_id}`),
      (list: Json) => list.data.length === 1,
    );
    assert.deepEqual([data[0].plan_id, data[0].period_end, data[0].subtotal], [from, at('04-16'), '24.50']);
  });
});
