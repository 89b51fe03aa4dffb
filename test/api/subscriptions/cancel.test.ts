import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import {
  at,
  FLAT,
  later,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
} from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';

describe('canceling', () => {
  const stack = useStack();
  const { advance, customer, done, get, plan, post, read, subscribe, use } = testCustomersOn(
    requestsTo(stack),
  );

  /** A subscription from 1 January: 49.00 flat, and 1.00 per call. */
  async function subscriber(dates: object = {}): Promise<{ customer_id: string; subscription: Json }> {
    const customer_id = await customer();
    return { customer_id, subscription: await subscribe(customer_id, await plan([FLAT, PER_UNIT]), dates) };
  }

  const cancel = (subscription: Json, at_?: string): Promise<Json> =>
    done(`/v1/subscriptions/${subscription.id}/cancel`, at_ === undefined ? undefined : { at: at_ });
  const ends = ({ status, cancel_at, canceled_at }: Json) => [status, cancel_at, canceled_at];
  const saidOf = (invoices: Json[]) =>
    invoices.map(({ period_start, period_end, total }) => [period_start, period_end, total]);

  it('now: the period ends here, flat amounts by exact time, usage as it is; later events are unrated', async () => {
    const { customer_id, subscription } = await subscriber();
    await use(customer_id, times(3, {}));
    await advance(customer_id, at('01-12'));
    assert.deepEqual(ends(await cancel(subscription, 'now')), ['canceled', null, at('01-12')]);
    await use(customer_id, [{ timestamp: at('01-12') }]);
    await advance(customer_id, at('02-15'));
    const { data } = await read(`/v1/invoices?subscription_id=${subscription.id}`);
    // 49.00 x 11 / 31 days, and 3 calls at 1.00.
    assert.deepEqual(saidOf(data), [[at('01-01'), at('01-12'), '20.39']]);
    const { data: events } = await read(`/v1/events?customer_id=${customer_id}&limit=1`);
    const { billing } = await read(`/v1/events/${events[0].id}`);
    assert.deepEqual([billing[0].status, billing[0].reason], ['unrated', 'after_cancellation']);
  });

  it('at the end of the period, the default: repeating it changes nothing', async () => {
    const { customer_id, subscription } = await subscriber();
    for (const how of [undefined, 'period_end'])
      assert.deepEqual(ends(await cancel(subscription, how)), ['active', at('02-01'), null]);
    const made = await advance(customer_id, at('06-01'));
    assert.deepEqual(saidOf(made), [[at('01-01'), at('02-01'), '49.00']]);
    const after = await read(`/v1/subscriptions/${subscription.id}`);
    assert.deepEqual(ends(after), ['canceled', null, at('02-01')]);
    assert.deepEqual([after.current_period_start, after.current_period_end], [at('01-01'), at('02-01')]);
  });

  it('now replaces a scheduled end; a canceled subscription is refused', async () => {
    const { customer_id, subscription } = await subscriber();
    await cancel(subscription, 'period_end');
    await advance(customer_id, at('01-11'));
    assert.deepEqual(ends(await cancel(subscription, 'now')), ['canceled', null, at('01-11')]);
    for (const how of ['now', 'period_end']) {
      const answer = await post(`/v1/subscriptions/${subscription.id}/cancel`, { at: how });
      assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
    }
    const made = await advance(customer_id, at('06-01'));
    assert.deepEqual(made, []);
  });

  it('exactly at the start of a period: that period is not billed', async () => {
    const { customer_id, subscription } = await subscriber();
    await advance(customer_id, at('02-01'));
    assert.deepEqual(ends(await cancel(subscription, 'now')), ['canceled', null, at('02-01')]);
    assert.deepEqual(await advance(customer_id, at('06-01')), []);
    const { data } = await read(`/v1/invoices?subscription_id=${subscription.id}`);
    assert.deepEqual(saidOf(data), [[at('01-01'), at('02-01'), '49.00']]);
  });

  const early: [
    what: string,
    dates: object,
    how: string,
    expected: [string, string | null, string | null],
  ][] = [
    ['pending, now', { start_date: at('02-01') }, 'now', ['canceled', null, at('01-01')]],
    ['pending, at the end', { start_date: at('02-01') }, 'period_end', ['pending', at('02-01'), null]],
    ['in trial, now', { trial_end_date: at('02-01') }, 'now', ['canceled', null, at('01-01')]],
    ['in trial, at the end', { trial_end_date: at('02-01') }, 'period_end', ['trialing', at('02-01'), null]],
  ];
  for (const [what, dates, how, expected] of early) {
    it(`${what}: ends without an invoice`, async () => {
      const { customer_id, subscription } = await subscriber(dates);
      await use(customer_id, times(3, {}));
      assert.deepEqual(ends(await cancel(subscription, how)), expected);
      assert.deepEqual(await advance(customer_id, at('06-01')), []);
      const after = await read(`/v1/subscriptions/${subscription.id}`);
      assert.deepEqual([after.status, after.cancel_at], ['canceled', null]);
      const finished = () =>
        stack().pool.query('select from subscriptions where id = $1 and finished_at is not null', [
          subscription.id,
        ]);
      await eventually(finished, ({ rowCount }) => rowCount === 1);
    });
  }

  it('frees the event name for another subscription from that instant on', async () => {
    const { customer_id, subscription } = await subscriber();
    await advance(customer_id, at('01-12'));
    const plan_id = await plan([PER_UNIT]);
    const refused = await post('/v1/subscriptions', { customer_id, plan_id });
    assertRefused(refused, { code: 'conflict', reason: 'overlapping_subscription' });
    await cancel(subscription, 'now');
    const before = { customer_id, plan_id, start_date: later(at('01-12'), -1) };
    assertRefused(await post('/v1/subscriptions', before), {
      code: 'conflict',
      reason: 'overlapping_subscription',
    });
    assert.equal((await subscribe(customer_id, plan_id)).status, 'active');
  });

  it('in a cut period: its last part is billed up to the cancellation', async () => {
    const { customer_id, subscription } = await subscriber();
    await use(customer_id, times(3, {}));
    await advance(customer_id, at('01-11'));
    await done('/v1/invoices/generate', { subscription_id: subscription.id, close_now: true });
    await use(customer_id, times(2, {}));
    await advance(customer_id, at('01-21'));
    await cancel(subscription, 'now');
    await advance(customer_id, at('01-22'));
    const { data } = await read(`/v1/invoices?subscription_id=${subscription.id}`);
    // Flat: 10 of 31 days are 15.81; 20 of 31 days are 31.61, less 15.81. Calls: 2.00 and 3.00.
    assert.deepEqual(saidOf(data), [
      [at('01-11'), at('01-21'), '17.80'],
      [at('01-01'), at('01-11'), '18.81'],
    ]);
  });

  it('now, before the start: the subscription is finished, so that the currency of its customer can change', async () => {
    const { customer_id, subscription } = await subscriber({ start_date: at('02-01') });
    await cancel(subscription, 'now');
    const currency = { method: 'PATCH', body: { currency: 'EUR' } };
    const changed = await get(`/v1/customers/${customer_id}`, currency);
    assert.deepEqual([changed.status, changed.body.currency], [200, 'EUR']);
    assert.deepEqual(ends(await read(`/v1/subscriptions/${subscription.id}`)), [
      ...['canceled', null, at('01-01')],
    ]);
  });

  for (const what of ['canceled', 'pending', 'in trial']) {
    it(`close_now is refused for a subscription that is ${what}`, async () => {
      const dates = {
        canceled: {},
        pending: { start_date: at('02-01') },
        'in trial': { trial_end_date: at('02-01') },
      }[what];
      const { subscription } = await subscriber(dates);
      if (what === 'canceled') await cancel(subscription, 'now');
      const answer = await post('/v1/invoices/generate', {
        subscription_id: subscription.id,
        close_now: true,
      });
      assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
    });
  }
});
