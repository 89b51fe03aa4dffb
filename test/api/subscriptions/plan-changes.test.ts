import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { planChangesOn } from '../../support/ledger/plan-changes.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const ON_T = { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS };
const LARGE = { ...FLAT, flat_amount: '199.00' };
const CALLS = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '0.01' };
const WITH_FREE = {
  event_name: 'api_call',
  pricing_model: 'graduated',
  tiers: [
    { up_to: '1000', unit_amount: '0' },
    { up_to: null, unit_amount: '0.01' },
  ],
};

/** billing.md 1, Change of plan. */
describe('a change of plan', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { plan, use, grant, advance, read, done } = customers;
  const { onPlan, change, lines, lineSets, billedOf, calls } = planChangesOn(customers);

  it('bills flat amounts by exact time on both sides, and keeps boundaries where the intervals are equal', async () => {
    const { customer_id, plan_id, id } = await onPlan(FLAT);
    const large = await plan([LARGE]);
    const scheduled = await change(id, large, at('04-16').slice(0, 10));
    assert.deepEqual(
      [scheduled['plan_id'], scheduled['pending_change'], scheduled['current_period_end']],
      [plan_id, { plan_id: large, at: at('04-16') }, at('04-16')],
    );
    const invoices = await advance(customer_id, at('06-01'));
    assert.deepEqual(lineSets(invoices), [['flat 1 24.50'], ['flat 1 99.50'], ['flat 1 199.00']]);
    assert.deepEqual(
      invoices.map((invoice) => [invoice['plan_id'], invoice['period_start'], invoice['period_end']]),
      [
        [plan_id, at('04-01'), at('04-16')],
        [large, at('04-16'), at('05-01')],
        [large, at('05-01'), at('06-01')],
      ],
    );
    const { data } = await read(`/v1/subscriptions/${id}/periods`);
    assert.deepEqual(
      data.map((period: Json) => [period['plan_id'], period['period_start'], period['invoice_id']]),
      [
        [large, at('06-01'), null],
        ...invoices.map((invoice) => [invoice['plan_id'], invoice['period_start'], invoice['id']]).reverse(),
      ],
    );
    const listed = await read(`/v1/subscriptions?plan_id=${large}&customer_id=${customer_id}`);
    assert.deepEqual(
      listed['data'].map((one: Json) => [one['id'], one['plan_id'], one['pending_change']]),
      [[id, large, null]],
    );
    assert.deepEqual((await read(`/v1/subscriptions?plan_id=${plan_id}`))['data'], []);
  });

  it('begins tiers and free units anew, and bills late usage by the plan of its time', async () => {
    const { customer_id, id } = await onPlan(ON_T);
    await use(customer_id, calls(at('04-01'), 900));
    await change(id, await plan([ON_T]), at('04-16'));
    const [first] = await advance(customer_id, at('04-20'));
    assert.deepEqual(lines(first!), ['usage 900 90.00']);
    await use(customer_id, [...calls(at('04-17'), 300), ...calls(at('04-02'), 300)]);
    const [second] = await advance(customer_id, at('05-01'));
    assert.deepEqual(lines(second!), ['usage 300 30.00', 'late_usage 300 25.00']);
    const replaced = await done(`/v1/invoices/${first!['id']}/regenerate`);
    assert.deepEqual(lines(replaced), ['usage 900 90.00']);
  });

  it('rates each side by its own plan', async () => {
    const { customer_id, id } = await onPlan(CALLS);
    await use(customer_id, calls(at('04-01'), 700));
    await advance(customer_id, at('04-16'));
    const changed = await change(id, await plan([WITH_FREE]), 'now');
    assert.equal(changed['pending_change'], null);
    await use(customer_id, calls(at('04-16'), 700));
    await advance(customer_id, at('05-01'));
    assert.deepEqual(await billedOf(id), [['usage 700 7.00'], ['usage 700 0.00']]);
    const { data } = await read(`/v1/customers/${customer_id}/usage?from=${at('04-01')}&to=${at('05-01')}`);
    assert.deepEqual(
      data.map(({ quantity }: Json) => quantity),
      ['700', '700'],
    );
  });

  it('to another interval is the new anchor', async () => {
    const { customer_id, id } = await onPlan(FLAT);
    const yearly = await plan([LARGE], { interval: 'year' });
    await change(id, yearly, at('04-16'));
    await advance(customer_id, at('04-17'));
    const { current_period_start, current_period_end, billing_anchor } = await read(
      `/v1/subscriptions/${id}`,
    );
    assert.deepEqual(
      [current_period_start, current_period_end, billing_anchor],
      [at('04-16'), at('04-16', 1), at('04-16')],
    );
    const back = await change(id, await plan([FLAT]), at('04-30'));
    assert.equal(back['current_period_end'], at('04-30'));
    await advance(customer_id, at('05-01'));
    assert.equal((await read(`/v1/subscriptions/${id}`))['current_period_end'], at('05-30'));
  });

  it('at the start of a period, in a trial and before the start exchanges the plan', async () => {
    const large = await plan([LARGE]);
    const now = await onPlan(FLAT);
    await change(now.id, large, 'now');
    assert.deepEqual(lineSets(await advance(now.customer_id, at('05-01'))), [['flat 1 199.00']]);
    await change(now.id, now.plan_id, 'now');
    await done('/v1/invoices/generate', { subscription_id: now.id, close_now: true });
    assert.deepEqual(lineSets(await advance(now.customer_id, at('06-01'))), [['flat 1 49.00']]);
    const trying = await onPlan(FLAT, {}, { trial_end_date: at('04-11') });
    await advance(trying.customer_id, at('04-05'));
    const tried = await change(trying.id, large, 'now');
    assert.deepEqual(
      [tried['status'], tried['plan_id'], tried['current_period_end'], tried['billing_anchor']],
      ['trialing', large, at('04-11'), null],
    );
    assert.deepEqual(lineSets(await advance(trying.customer_id, at('05-11'))), [['flat 1 199.00']]);
    const pending = await onPlan(FLAT, {}, { start_date: at('04-10') });
    await change(pending.id, await plan([LARGE], { interval: 'year' }), 'period_end');
    const { current_period_end, plan_id } = await read(`/v1/subscriptions/${pending.id}`);
    assert.deepEqual([current_period_end, plan_id], [at('04-10', 1), pending.plan_id]);
  });

  it('at the start of what close_now left makes a period of its own of it', async () => {
    const { customer_id, id } = await onPlan(ON_T);
    await use(customer_id, calls(at('04-01'), 900));
    await advance(customer_id, at('04-16'));
    await done('/v1/invoices/generate', { subscription_id: id, close_now: true });
    await change(id, await plan([ON_T]), 'now');
    await use(customer_id, calls(at('04-16'), 300));
    assert.deepEqual(lineSets(await advance(customer_id, at('05-01'))), [['usage 300 30.00']]);
  });

  it('in the past corrects the open period: usage goes by the plan of its timestamp', async () => {
    const { customer_id, id } = await onPlan(CALLS);
    await advance(customer_id, at('04-20'));
    await use(customer_id, [...calls(at('04-02'), 100), ...calls(at('04-12'), 200)]);
    await change(id, await plan([PER_UNIT]), at('04-10'));
    await advance(customer_id, at('05-01'));
    assert.deepEqual(await billedOf(id), [['usage 100 1.00'], ['usage 200 200.00']]);
  });

  it('is an end for credit: a grant that is made at it never covers the old part', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT);
    await use(customer_id, calls(at('04-01'), 5));
    await advance(customer_id, at('04-16'));
    await change(id, await plan([PER_UNIT]), 'now');
    await grant(customer_id, 8);
    await use(customer_id, calls(at('04-16'), 5));
    await advance(customer_id, at('05-01'));
    assert.deepEqual(await billedOf(id), [['usage 5 5.00'], ['usage 5 0.00']]);
  });

  it('that is scheduled is replaced by the next one, and dropped by a cancellation at or before it', async () => {
    const { customer_id, plan_id, id } = await onPlan(FLAT);
    const [large, other] = [await plan([LARGE]), await plan([{ ...FLAT, flat_amount: '10' }])];
    await change(id, large, at('04-16'));
    const moved = await change(id, large, at('05-06'));
    assert.deepEqual(
      [moved['pending_change'], moved['current_period_end']],
      [{ plan_id: large, at: at('05-06') }, at('05-01')],
    );
    assert.deepEqual((await change(id, other, at('05-06')))['pending_change'], {
      plan_id: other,
      at: at('05-06'),
    });
    const canceled = await done(`/v1/subscriptions/${id}/cancel`);
    assert.deepEqual(
      [canceled['pending_change'], canceled['cancel_at'], canceled['plan_id']],
      [null, at('05-01'), plan_id],
    );
    assert.deepEqual((await change(id, large, at('04-16')))['pending_change'], {
      plan_id: large,
      at: at('04-16'),
    });
    assert.deepEqual(lineSets(await advance(customer_id, at('05-02'))), [['flat 1 24.50'], ['flat 1 99.50']]);
  });

  it('is previewed by the code that bills, and nothing is stored', async () => {
    const { customer_id, plan_id, id } = await onPlan(ON_T);
    await use(customer_id, calls(at('04-01'), 900));
    await advance(customer_id, at('04-10'));
    const flat = await plan([LARGE]);
    const before = await read(`/v1/subscriptions/${id}`);
    const preview = await change(id, flat, at('04-16'), { dry_run: true });
    assert.deepEqual(
      [preview['object'], lines(preview['closing']), lines(preview['upcoming'])],
      ['plan_change_preview', ['usage 900 90.00'], ['flat 1 99.50']],
    );
    assert.equal(preview['due'], preview['closing'].total);
    assert.deepEqual([preview['closing'].plan_id, preview['upcoming'].plan_id], [plan_id, flat]);
    assert.deepEqual(await read(`/v1/subscriptions/${id}`), before);
    const later_one = await change(id, flat, at('06-11'), { dry_run: true });
    assert.deepEqual(
      [later_one['closing'].period_start, lines(later_one['upcoming'])],
      [at('06-01'), ['flat 1 132.67']],
    );
    await grant(customer_id, 1000);
    const more = await change(id, await plan([ON_T]), at('04-16'), { dry_run: true });
    const item = { customer_id, description: 'Setup', unit_amount: '10' };
    await done('/v1/invoice-items', item);
    const covered = await change(id, await plan([FLAT, PER_UNIT]), 'now', { dry_run: true });
    assert.deepEqual(
      [lines(more['closing']), lines(more['upcoming'])],
      [['usage 900 0.00'], ['usage 0 0.00']],
    );
    assert.deepEqual(
      [lines(covered['closing']), lines(covered['upcoming'])],
      [
        // Made at the instant of the change, the grant does not cover what was before.
        ['usage 900 90.00', 'item 1 10.00'],
        ['flat 1 34.30', 'usage 0 0.00'],
      ],
    );
    const [untouched] = (await read(`/v1/credit-grants?customer_id=${customer_id}`))['data'];
    assert.equal(untouched.remaining, 1000);
    const exchanged = await onPlan(FLAT);
    const { closing, upcoming } = await change(exchanged.id, flat, 'now', { dry_run: true });
    assert.deepEqual([closing, lines(upcoming)], [null, ['flat 1 199.00']]);
  });
});
