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

const DAY_MS = 86_400_000;

/** contract.md 3: a cancellation at any time, which another one replaces, and which a person previews or takes back. */
describe('the end of a subscription', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { plan, subscribe, use, grant, advance, read, get, post, done } = customers;
  const { onPlan, change, lines, billedOf, calls } = planChangesOn(customers);

  const path = (id: string) => `/v1/subscriptions/${id}/cancel`;
  const cancel = (id: string, when: string, more: object = {}): Promise<Json> =>
    done(path(id), { at: when, ...more });
  const takeBack = (id: string) => get(path(id), { method: 'DELETE' });
  const ends = (subscription: Json) => [
    ...[subscription['status'], subscription['cancel_at'], subscription['canceled_at']],
    subscription['current_period_end'],
  ];
  const refusedFor = (id: string, when: string, reason: string) =>
    post(path(id), { at: when }).then((answer) => {
      const code = reason === 'out_of_range' || reason === 'malformed' ? 'invalid_request' : 'conflict';
      assertRefused(answer, { code, reason: reason as 'out_of_range', param: 'at' });
    });

  it('may be a day, and moves earlier and later with each call', async () => {
    const { customer_id, id } = await onPlan(FLAT);
    assert.deepEqual(ends(await cancel(id, at('04-16').slice(0, 10))), [
      ...['active', at('04-16'), null, at('04-16')],
    ]);
    assert.deepEqual(ends(await cancel(id, at('04-10'))), ['active', at('04-10'), null, at('04-10')]);
    assert.deepEqual(ends(await cancel(id, at('06-16'))), ['active', at('06-16'), null, at('05-01')]);
    assert.deepEqual(ends(await done(path(id))), ['active', at('05-01'), null, at('05-01')]);
    await cancel(id, at('05-16'));
    await advance(customer_id, at('06-01'));
    assert.deepEqual(await billedOf(id), [['flat 1 49.00'], ['flat 1 23.71']]);
    assert.deepEqual(ends(await read(`/v1/subscriptions/${id}`)), [
      ...['canceled', null, at('05-16'), at('05-16')],
    ]);
  });

  it('in the past of the open period corrects it: usage after it is unrated', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT);
    await advance(customer_id, at('04-20'));
    await use(customer_id, [...calls(at('04-02'), 2), ...calls(at('04-12'), 3)]);
    assert.deepEqual(ends(await cancel(id, at('04-10'))), ['canceled', null, at('04-10'), at('04-10')]);
    await advance(customer_id, at('05-20'));
    assert.deepEqual(await billedOf(id), [['usage 2 2.00']]);
    const { data: events } = await read(`/v1/events?customer_id=${customer_id}&limit=1`);
    const { billing } = await read(`/v1/events/${events[0].id}`);
    assert.deepEqual([billing[0].status, billing[0].reason], ['unrated', 'after_cancellation']);
  });

  it('at the very start of the open period, in its past, leaves that period out', async () => {
    const { customer_id, id } = await onPlan(FLAT);
    await advance(customer_id, at('05-10'));
    await cancel(id, at('05-01'));
    await advance(customer_id, at('07-01'));
    assert.deepEqual(await billedOf(id), [['flat 1 49.00']]);
  });

  it('is refused with the reason', async () => {
    const { customer_id, id } = await onPlan(FLAT);
    await refusedFor(id, 'tomorrow', 'malformed');
    await refusedFor(id, at('04-02', 1), 'out_of_range');
    await refusedFor(id, later(at('04-01'), -366 * DAY_MS - 1), 'out_of_range');
    await refusedFor(id, later(at('04-01'), -1), 'invalid_state');
    await advance(customer_id, at('05-02'));
    await refusedFor(id, at('04-01'), 'invalid_state');
    await cancel(id, at('05-01'));
    for (const when of ['now', 'period_end', at('06-01')]) await refusedFor(id, when, 'invalid_state');
    assert.equal((await post(path('sub_unknown'))).status, 404);
    assertRefused(await post(path(id), { at: 'now', settle: 'cash' }), {
      ...{ code: 'invalid_request', param: 'settle', reason: 'not_allowed' },
    });
    const long = await onPlan(FLAT, { interval: 'year', interval_count: 3 });
    assert.equal((await cancel(long.id, 'period_end'))['cancel_at'], at('04-01', 3));
  });

  it('drops changes of plan at it or after it for good, and leaves one before it', async () => {
    const { id } = await onPlan(FLAT);
    const large = await plan([{ ...FLAT, flat_amount: '199.00' }]);
    await change(id, large, at('04-16'));
    assert.notEqual((await cancel(id, at('04-20')))['pending_change'], null);
    assert.equal((await cancel(id, at('04-16')))['pending_change'], null);
    const { body } = await takeBack(id);
    assert.deepEqual([body.pending_change, ...ends(body)], [null, 'active', null, null, at('05-01')]);
  });

  it('is taken back while it is to come: the period has its boundary again', async () => {
    const { customer_id, id } = await onPlan(FLAT);
    const refused = async (reason: 'invalid_state' | 'overlapping_subscription') =>
      assertRefused(await takeBack(id), { code: 'conflict', reason, param: null });
    await refused('invalid_state');
    await cancel(id, at('04-16'));
    const taken = await takeBack(id);
    assert.deepEqual([taken.status, ...ends(taken.body)], [200, 'active', null, null, at('05-01')]);
    await advance(customer_id, at('05-10'));
    assert.deepEqual(await billedOf(id), [['flat 1 49.00']]);
    await cancel(id, 'now');
    await refused('invalid_state');
    assert.equal((await takeBack('sub_unknown')).status, 404);
  });

  it('moves later, or away, only where no other subscription bills the events by then', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT);
    await cancel(id, at('04-16'));
    const next = await subscribe(customer_id, await plan([PER_UNIT]), { start_date: at('04-16') });
    const later_one = await post(path(id), { at: at('04-20') });
    assertRefused(later_one, { code: 'conflict', reason: 'overlapping_subscription', param: 'at' });
    assertRefused(await takeBack(id), { code: 'conflict', reason: 'overlapping_subscription', param: null });
    // The other one ends before the start, and so never bills.
    await cancel(next['id'], at('04-10'));
    assert.equal((await takeBack(id)).status, 200);
    assertRefused(await takeBack(next['id']), { code: 'conflict', reason: 'overlapping_subscription' });
  });

  it('before the start is scheduled as well, and is taken back: the subscription then starts', async () => {
    const { customer_id, id } = await onPlan(FLAT, {}, { start_date: at('04-10') });
    assert.deepEqual(ends(await cancel(id, at('04-05'))), ['pending', at('04-05'), null, at('05-10')]);
    assert.deepEqual(ends(await cancel(id, 'period_end')), ['pending', at('04-10'), null, at('05-10')]);
    await cancel(id, at('04-07'));
    await advance(customer_id, at('04-06'));
    assert.deepEqual(ends((await takeBack(id)).body), ['pending', null, null, at('05-10')]);
    await advance(customer_id, at('05-10'));
    assert.deepEqual(await billedOf(id), [['flat 1 49.00']]);
  });

  it('in a trial is the end of the trial, or any time before and after it', async () => {
    const { customer_id, id } = await onPlan(FLAT, {}, { trial_end_date: at('04-11') });
    assert.deepEqual(ends(await cancel(id, at('04-05'))), ['trialing', at('04-05'), null, at('04-05')]);
    assert.deepEqual(ends(await cancel(id, 'period_end')), ['trialing', at('04-11'), null, at('04-11')]);
    assert.deepEqual(ends(await cancel(id, at('04-26'))), ['trialing', at('04-26'), null, at('04-11')]);
    await advance(customer_id, at('06-01'));
    // 15 of 30 days.
    assert.deepEqual(await billedOf(id), [['flat 1 24.50']]);
  });

  it('that is taken back lets a grant expire that waited for a first billing period', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT, {}, { trial_end_date: at('04-11') });
    await cancel(id, 'period_end');
    await grant(customer_id, 8);
    const expiry = async () =>
      (await read(`/v1/credit-grants?customer_id=${customer_id}`))['data'][0].expires_at;
    assert.equal(await expiry(), null);
    await takeBack(id);
    assert.equal(await expiry(), at('05-11'));
  });

  it('is previewed by the code that bills, and nothing is stored', async () => {
    const { customer_id, id } = await onPlan(PER_UNIT);
    await advance(customer_id, at('04-10'));
    await use(customer_id, [...calls(at('04-01'), 4), ...calls(at('04-08'), 5)]);
    const before = await read(`/v1/subscriptions/${id}`);
    const preview = await cancel(id, at('04-05'), { dry_run: true });
    assert.deepEqual(
      [preview['object'], lines(preview['closing']), preview['closing'].period_end, preview['upcoming']],
      ['plan_change_preview', ['usage 4 4.00'], at('04-05'), null],
    );
    assert.deepEqual(lines((await cancel(id, 'now', { dry_run: true }))['closing']), ['usage 9 9.00']);
    assert.equal((await cancel(id, at('06-16'), { dry_run: true }))['closing'].period_start, at('06-01'));
    assert.deepEqual(await read(`/v1/subscriptions/${id}`), before);
    const trying = await onPlan(FLAT, {}, { trial_end_date: at('04-11') });
    const none = { closing: null, opening: null, upcoming: null, credit_notes: [], due: '0.00' };
    const nothing = { object: 'plan_change_preview', ...none };
    assert.deepEqual(await cancel(trying.id, 'now', { dry_run: true }), nothing);
    assert.deepEqual(await cancel((await onPlan(FLAT)).id, 'now', { dry_run: true }), nothing);
    assert.equal((await post(path('sub_unknown'), { dry_run: true })).status, 404);
    await cancel(id, 'now');
    await refusedFor(id, 'now', 'invalid_state');
  });

  it('of ten equal requests now at once comes once; ten that take it back do so once', async () => {
    const { id } = await onPlan(FLAT);
    const all = async (send: () => Promise<{ status: number }>) =>
      (await Promise.all(times(10, {}).map(send))).map(({ status }) => status).sort();
    const once = [200, ...Array<number>(9).fill(409)];
    await cancel(id, at('04-16'));
    assert.deepEqual(await all(() => takeBack(id)), once);
    assert.deepEqual(await all(() => post(path(id), { at: 'now' })), once);
  });

  it('meets whatever goes first, and always comes', async () => {
    const large = await plan([{ ...FLAT, flat_amount: '199.00' }]);
    for (let round = 0; round < 3; round += 1) {
      const { customer_id, id } = await onPlan(FLAT);
      await advance(customer_id, at('05-10'));
      const [invoice] = (await read(`/v1/invoices?subscription_id=${id}`))['data'];
      const answers = await Promise.all([
        post(path(id), { at: 'now' }),
        post(path(id), { at: at('05-20') }),
        takeBack(id),
        post(`/v1/subscriptions/${id}/change`, { plan_id: large, at: 'now' }),
        post(`/v1/subscriptions/${id}/trial`, { ends_at: at('06-01') }),
        post('/v1/invoices/generate', { subscription_id: id, close_now: true }),
        post(`/v1/invoices/${invoice.id}/regenerate`),
        post('/v1/test-clock/advance', { customer_id, to: at('05-15') }),
      ]);
      assert.deepEqual(
        answers.filter(({ status }) => ![200, 201, 409].includes(status)),
        [],
      );
      assert.equal(answers[0].status, 200);
      assert.equal((await read(`/v1/subscriptions/${id}`))['status'], 'canceled');
    }
  });
});
