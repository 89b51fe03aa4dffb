import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { planChangesOn } from '../../support/ledger/plan-changes.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  later,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
  times,
} from '../../support/ledger/test-customer.ts';

/** contract.md 3: a trial is extended, shortened, added and ended until billing begins. */
describe('a trial', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe, use, advance, read, post, done } = customers;
  const { onPlan, change, billedOf, calls } = planChangesOn(customers);

  const path = (id: string) => `/v1/subscriptions/${id}/trial`;
  const until = (id: string, ends_at: string): Promise<Json> => done(path(id), { ends_at });
  const shown = ({ status, trial_end_date, current_period_start, current_period_end }: Json) => [
    ...[status, trial_end_date, current_period_start, current_period_end],
  ];

  it('is extended and shortened; billing begins at its end, with the periods anchored there', async () => {
    const { customer_id, id } = await onPlan(FLAT, {}, { trial_end_date: at('04-11') });
    assert.deepEqual(shown(await until(id, at('04-21'))), [
      ...['trialing', at('04-21'), at('04-01'), at('04-21')],
    ]);
    assert.deepEqual(await advance(customer_id, at('04-20')), []);
    assert.deepEqual(shown(await until(id, at('04-20'))), [
      ...['active', at('04-20'), at('04-20'), at('05-20')],
    ]);
    await advance(customer_id, at('05-20'));
    assert.deepEqual(await billedOf(id), [['flat 1 49.00']]);
    assert.equal((await read(`/v1/subscriptions/${id}`))['current_period_end'], at('06-20'));
  });

  it('ends now, and is added before the start', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT, {}, { trial_end_date: at('04-11') });
    await use(customer_id, calls(at('04-01'), 3));
    await advance(customer_id, at('04-05'));
    await use(customer_id, calls(at('04-05'), 2));
    assert.equal((await until(id, 'now'))['trial_end_date'], at('04-05'));
    await advance(customer_id, at('05-05'));
    assert.deepEqual(await billedOf(id), [['usage 2 2.00']]);
    const pending = await onPlan(FLAT, {}, { start_date: at('04-10') });
    assert.deepEqual(shown(await until(pending.id, at('04-20'))), [
      ...['pending', at('04-20'), at('04-10'), at('04-20')],
    ]);
    assert.deepEqual(await advance(pending.customer_id, at('05-10')), []);
    assert.equal((await advance(pending.customer_id, at('05-20'))).length, 1);
  });

  it('ends where a day begins in the zone of the subscription, which the periods keep', async () => {
    const customer_id = await customer({ timezone: 'Europe/Berlin' }, at('03-01'));
    const { id } = await subscribe(customer_id, await plan([FLAT]), { trial_end_date: at('03-10') });
    const { trial_end_date } = await until(id, at('03-20').slice(0, 10));
    assert.equal(trial_end_date, later(at('03-20'), -3_600_000));
    await advance(customer_id, at('04-01'));
    const { current_period_end } = await read(`/v1/subscriptions/${id}`);
    assert.equal(current_period_end, later(at('04-20'), -2 * 3_600_000));
  });

  it('leaves a billing anchor, a cancellation and a change of plan as they are', async () => {
    const dates = { trial_end_date: at('04-11'), billing_anchor: at('04-01') };
    const { customer_id, id } = await onPlan(FLAT, {}, dates);
    const large = await plan([{ ...FLAT, flat_amount: '60.00' }]);
    await change(id, large, at('04-16'));
    await done(`/v1/subscriptions/${id}/cancel`, { at: at('04-26') });
    const kept = ({ billing_anchor, cancel_at, pending_change }: Json) => [
      ...[billing_anchor, cancel_at, pending_change?.at],
    ];
    const as_set = [at('04-01'), at('04-26'), at('04-16')];
    const longer = await until(id, at('05-05'));
    assert.deepEqual([kept(longer), longer['current_period_end']], [as_set, at('04-26')]);
    assert.deepEqual(kept(await until(id, at('04-06'))), as_set);
    await advance(customer_id, at('05-01'));
    // 10 of 30 days by each plan.
    assert.deepEqual(await billedOf(id), [['flat 1 16.33'], ['flat 1 20.00']]);
  });

  it('is refused with the reason', async () => {
    const { customer_id, id } = await onPlan(FLAT, {}, { trial_end_date: at('04-11') });
    const refused = async (
      of: string,
      ends_at: unknown,
      [code, reason]: ['conflict' | 'invalid_request', 'invalid_state' | 'out_of_order'],
    ) => assertRefused(await post(path(of), { ends_at }), { code, reason, param: 'ends_at' });
    const malformed: [unknown, 'malformed' | 'wrong_type' | 'missing'][] = [
      ['period_end', 'malformed'],
      ['2026-02-30', 'malformed'],
      ['', 'malformed'],
      [1, 'wrong_type'],
      [undefined, 'missing'],
    ];
    for (const [ends_at, reason] of malformed)
      assertRefused(await post(path(id), { ends_at }), { code: 'invalid_request', reason, param: 'ends_at' });
    await refused(id, at('04-01'), ['invalid_request', 'out_of_order']);
    await advance(customer_id, at('04-05'));
    for (const ends_at of [at('04-04'), later(at('04-01', 100), 1)])
      assertRefused(await post(path(id), { ends_at }), {
        ...{ code: 'invalid_request', reason: 'out_of_range', param: 'ends_at' },
      });
    assert.equal((await until(id, at('04-01', 100)))['trial_end_date'], at('04-01', 100));
    assert.equal((await done(`/v1/subscriptions/${id}/cancel`))['cancel_at'], at('04-01', 100));
    const pending = await onPlan(FLAT, {}, { start_date: at('04-10') });
    await refused(pending.id, 'now', ['conflict', 'invalid_state']);
    await refused(pending.id, at('04-10'), ['invalid_request', 'out_of_order']);
    const active = await onPlan(FLAT);
    await refused(active.id, at('04-10'), ['conflict', 'invalid_state']);
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
    await refused(id, at('04-10'), ['conflict', 'invalid_state']);
    assert.equal((await post(path('sub_unknown'), { ends_at: 'now' })).status, 404);
  });

  it('of ten requests at once ends once', async () => {
    const { customer_id, id } = await onPlan(FLAT, {}, { trial_end_date: at('04-11') });
    await advance(customer_id, at('04-05'));
    const answers = await Promise.all(times(10, {}).map(() => post(path(id), { ends_at: 'now' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(409)]);
  });
});
