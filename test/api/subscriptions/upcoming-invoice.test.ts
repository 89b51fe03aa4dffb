import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  at,
  FLAT,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
} from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';

const T = { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS };

describe('the upcoming invoice', () => {
  const stack = useStack();
  const { advance, customer, done, get, grant, plan, read, subscribe, use } = testCustomersOn(
    requestsTo(stack),
  );
  const upcoming = ({ id }: Json): Promise<Json> => read(`/v1/subscriptions/${id}/upcoming-invoice`);

  async function refused({ id }: Json, message: string): Promise<void> {
    const answer = await get(`/v1/subscriptions/${id}/upcoming-invoice`);
    assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
    assert.equal(answer.body.error.message, message);
  }

  /** The contents of an invoice, without its ids, status and times. */
  function said(invoice: Json): Json {
    const { customer_id, subscription_id, plan_id, currency, period_start, period_end } = invoice;
    const { subtotal, tax, total, credits_applied } = invoice;
    const line_items = invoice.line_items.map(({ id: _, ...line }: Json) => line);
    const names = { customer_id, subscription_id, plan_id, currency, period_start, period_end };
    return { ...names, line_items, subtotal, tax, total, credits_applied };
  }

  it('equals the invoice that follows: with late lines, credit that expires, tax, and a cut', async () => {
    const customer_id = await customer({ tax_rate: '8.25' });
    const plan_id = await plan([FLAT, T, { ...PER_UNIT, event_name: 'other' }]);
    const subscription = await subscribe(customer_id, plan_id);
    const january = (count: number) => times(count, { timestamp: at('01-01T10:00') });
    await use(customer_id, january(900));
    await advance(customer_id, at('02-01'));
    await grant(customer_id, 50, { expires_in_days: 10, rollover: true });
    await grant(customer_id, 40, { rollover: true });
    await use(customer_id, [...january(300), ...times(60, { timestamp: at('02-01T02:00') })]);
    await advance(customer_id, at('02-15'));
    await use(customer_id, [...times(30, {}), ...times(7, { event_name: 'other' })]);
    const next = await upcoming(subscription);
    assert.equal(next.object, 'upcoming_invoice');
    assert.deepEqual(
      next.line_items.map(({ type, quantity, credits_applied }: Json) => [type, quantity, credits_applied]),
      [
        ['flat', '1', '0'],
        ['usage', '90', '90'],
        ['usage', '7', '0'],
        ['late_usage', '300', '0'],
      ],
    );
    const before = await stack().pool.query('select count(*) from cut_offs');
    assert.deepEqual(await upcoming(subscription), next);
    assert.deepEqual((await stack().pool.query('select count(*) from cut_offs')).rows, before.rows);
    const [invoice] = await advance(customer_id, at('03-01'));
    assert.deepEqual(said(next), said(invoice));
    await advance(customer_id, at('03-10'));
    await use(customer_id, times(5, {}));
    await done('/v1/invoices/generate', { subscription_id: subscription.id, close_now: true });
    await use(customer_id, times(4, {}));
    const rest = await upcoming(subscription);
    const [last] = await advance(customer_id, at('04-01'));
    assert.deepEqual(said(rest), said(last));
    assert.equal(rest.period_start, at('03-10'));
  });

  it('in a trial is the invoice of the first billing period, and before the start the one of the first period', async () => {
    for (const dates of [{ trial_end_date: at('02-01') }, { start_date: at('02-01') }]) {
      const customer_id = await customer();
      const next = await upcoming(await subscribe(customer_id, await plan([FLAT]), dates));
      assert.deepEqual([next.period_start, next.period_end, next.total], [at('02-01'), at('03-01'), '49.00']);
    }
  });

  it('after a cancellation is the invoice of late usage, and then there is none', async () => {
    const customer_id = await customer();
    const subscription = await subscribe(customer_id, await plan([FLAT]));
    await advance(customer_id, at('01-11'));
    await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'now' });
    await advance(customer_id, at('01-12'));
    const next = await upcoming(subscription);
    assert.deepEqual([next.period_start, next.line_items, next.total], [at('01-11'), [], '0.00']);
    await advance(customer_id, at('04-01'));
    await refused(
      subscription,
      `the subscription ended at ${at('01-11')} and its late usage is billed: no invoice will follow`,
    );
  });

  it('U2: does not exist if a trial ends with the subscription, and the error gives the reason', async () => {
    const customer_id = await customer();
    const dates = { trial_end_date: at('01-15') };
    const subscription = await subscribe(customer_id, await plan([FLAT]), dates);
    await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'period_end' });
    await refused(
      subscription,
      `the subscription ends at ${at('01-15')}, before its first billing period: no invoice will follow`,
    );
    await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'now' });
    await refused(
      subscription,
      `the subscription ended at ${at('01-01')}, before its first billing period: no invoice will follow`,
    );
  });

  it('does not exist if a subscription ends before it begins', async () => {
    const subscription = await subscribe(await customer(), await plan([FLAT]), { start_date: at('02-01') });
    await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'period_end' });
    await refused(
      subscription,
      `the subscription ends at ${at('02-01')}, before its first billing period: no invoice will follow`,
    );
  });

  it('with a scheduled end is still the invoice of the current period', async () => {
    const subscription = await subscribe(await customer(), await plan([FLAT]));
    await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'period_end' });
    const next = await upcoming(subscription);
    assert.deepEqual([next.period_end, next.total], [at('02-01'), '49.00']);
  });
});
