import assert from 'node:assert/strict';
import { planChangesOn } from '../../support/ledger/plan-changes.ts';
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

const DAY_MS = 86_400_000;
const LARGE = { ...FLAT, flat_amount: '199.00' };

/** contract.md 3: what a change of plan meets. */
describe('a change of plan, beside others', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { plan, subscribe, use, advance, get, post, done } = customers;
  const { onPlan, change, refused, lines, billedOf, calls } = planChangesOn(customers);

  it('is refused with the reason', async () => {
    const { customer_id, plan_id, id } = await onPlan(PER_UNIT);
    const large = await plan([LARGE]);
    const yen = await plan([{ ...FLAT, flat_amount: '1' }], { currency: 'JPY' });
    assert.deepEqual(await refused(id, 'plan_unknown', 'now'), [404, 'unknown_plan', 'plan_id']);
    assert.deepEqual(await refused(id, yen, 'now'), [400, 'currency_mismatch', 'plan_id']);
    assert.deepEqual(await refused(id, large, 'tomorrow'), [400, 'malformed', 'at']);
    assert.deepEqual(await refused(id, large, at('04-02', 1)), [400, 'out_of_range', 'at']);
    assert.deepEqual(await refused(id, large, later(at('04-01'), -35 * DAY_MS - 1)), [
      400,
      'out_of_range',
      'at',
    ]);
    assert.deepEqual(await refused(id, plan_id, 'now'), [409, 'invalid_state', 'at']);
    await advance(customer_id, at('05-02'));
    assert.deepEqual(await refused(id, large, at('04-30')), [409, 'invalid_state', 'at']);
    const other = await plan([{ ...PER_UNIT, event_name: 'other' }]);
    await subscribe(customer_id, other, { start_date: at('05-20') });
    const both = await plan([PER_UNIT, { ...PER_UNIT, event_name: 'other' }]);
    assert.deepEqual(await refused(id, both, 'now'), [409, 'overlapping_subscription', 'plan_id']);
    await done(`/v1/subscriptions/${id}/cancel`);
    assert.deepEqual(await refused(id, large, at('06-01')), [409, 'invalid_state', 'at']);
    await advance(customer_id, at('06-02'));
    assert.deepEqual(await refused(id, large, 'now'), [409, 'invalid_state', 'at']);
    assert.equal((await post('/v1/subscriptions/sub_unknown/change', { plan_id, at: 'now' })).status, 404);
  });

  it('of ten equal requests at once happens once', async () => {
    const { customer_id, id } = await onPlan(FLAT);
    await advance(customer_id, at('04-16'));
    const large = await plan([LARGE]);
    const answers = await Promise.all(
      times(10, {}).map(() => post(`/v1/subscriptions/${id}/change`, { plan_id: large, at: 'now' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(409)]);
    await advance(customer_id, at('05-01'));
    assert.deepEqual(await billedOf(id), [['flat 1 24.50'], ['flat 1 99.50']]);
  });

  it('lets another subscription bill the events that its plan leaves', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT);
    const [large, calling] = [await plan([LARGE]), await plan([PER_UNIT])];
    await change(id, large, at('04-16'));
    await subscribe(customer_id, calling, { start_date: at('04-16') });
    // The old plan would go on where the other subscription bills its events.
    assert.deepEqual(await refused(id, large, at('04-20')), [409, 'overlapping_subscription', 'plan_id']);
    await use(customer_id, calls(at('04-01'), 3));
    await advance(customer_id, at('04-17'));
    await use(customer_id, calls(at('04-17'), 4));
    const invoices = await advance(customer_id, at('05-17'));
    assert.deepEqual(
      invoices.flatMap((invoice) => lines(invoice)),
      ['flat 1 99.50', 'usage 4 4.00'],
    );
  });

  it('that is scheduled can be taken back, unless another subscription bills the events by then', async () => {
    const { customer_id, plan_id, id } = await onPlan(PER_UNIT);
    const path = `/v1/subscriptions/${id}/change`;
    const takeBack = () => get(path, { method: 'DELETE' });
    const none = await takeBack();
    assert.deepEqual([none.status, none.body.error.details[0].reason], [409, 'invalid_state']);
    await change(id, await plan([LARGE]), at('04-16'));
    const taken = await takeBack();
    assert.deepEqual(
      [taken.status, taken.body.plan_id, taken.body.pending_change, taken.body.current_period_end],
      [200, plan_id, null, at('05-01')],
    );
    await change(id, await plan([LARGE]), at('04-16'));
    await subscribe(customer_id, await plan([PER_UNIT]), { start_date: at('04-20') });
    const overlapping = await takeBack();
    assert.deepEqual(
      [overlapping.status, overlapping.body.error.details[0].reason],
      [409, 'overlapping_subscription'],
    );
    await advance(customer_id, at('04-16'));
    assert.equal((await takeBack()).status, 409);
    assert.equal((await get('/v1/subscriptions/sub_unknown/change', { method: 'DELETE' })).status, 404);
  });
});
