import assert from 'node:assert/strict';
import { eventually } from '../../support/servers/eventually.ts';
import { CALLS, fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 10: an exchange, an end at the start, and openings that are made again. */
describe('fees in advance of a period that begins otherwise', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { advance, done, plan, post } = customers;
  const { aLife, anEmptyLife, balanceOf, change, invoicesOf, linesOf, notesOf, pay, untilOpened } =
    feeLivesOn(customers);

  it('an end at the very start of a period takes the whole fee back', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00')]);
    await pay(opening);
    const [april] = await advance(id, at('05-01'));
    await pay(april!);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await advance(id, at('05-02'));
    assert.deepEqual(
      (await notesOf(id)).map(({ total }) => total),
      ['199.00'],
    );
    assert.equal(await balanceOf(id), '199.00');
  });

  it('an end at the start itself takes all back, and leaves no opening to make again', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00')]);
    await pay(opening);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    assert.deepEqual(
      [(await notesOf(id)).map(({ total }) => total), await balanceOf(id)],
      [['199.00'], '199.00'],
    );
    const unpaid = await aLife([fee('199.00')]);
    await done(`/v1/subscriptions/${unpaid.subscription_id}/cancel`, { at: 'now' });
    const refused = await post(`/v1/invoices/${unpaid.opening.id}/regenerate`);
    assertRefused(refused, { code: 'conflict', reason: 'invalid_state' });
    await done(`/v1/invoices/${unpaid.opening.id}/void`);
    const { data } = await done('/v1/invoices/generate', { subscription_id: unpaid.subscription_id });
    assert.deepEqual(data, []);
  });

  it('a plan that is exchanged in and out again at one instant is credited in full', async () => {
    const { id, subscription_id } = await anEmptyLife();
    await advance(id, at('04-02'));
    await change(subscription_id, { plan_id: await plan([fee('98.00')]), at: at('04-01') });
    await untilOpened(id);
    await change(subscription_id, { plan_id: await plan([CALLS]), at: at('04-01') });
    const notes = await eventually(
      () => notesOf(id),
      (all) => all.length > 0,
    );
    assert.deepEqual(
      notes.map(({ total }) => total),
      ['98.00'],
    );
  });

  it('each plan that is exchanged at one instant keeps its use of unused time', async () => {
    const { id, subscription_id } = await aLife([fee('49.00')]);
    for (const settle of ['none', 'balance'])
      await change(subscription_id, { plan_id: await plan([CALLS]), at: at('04-01'), settle });
    await advance(id, at('05-02'));
    assert.deepEqual(await notesOf(id), []);
  });

  it('an opening is regenerated with its fees where the home was voided since', async () => {
    const { id, subscription_id } = await anEmptyLife();
    await advance(id, at('05-02'));
    const [april] = await invoicesOf(id);
    await change(subscription_id, { plan_id: await plan([fee('49.00')]), at: at('05-01') });
    const [, opening] = await eventually(
      () => invoicesOf(id),
      (all) => all.length === 2,
    );
    await done(`/v1/invoices/${april!.id}/void`);
    const replacement = await done(`/v1/invoices/${opening!.id}/regenerate`);
    assert.deepEqual([replacement.kind, linesOf(replacement)], ['opening', 'flat 49.00 05-01']);
  });

  it('an opening that is made again after a cut has the whole period', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00')]);
    await advance(id, at('04-10'));
    await done('/v1/invoices/generate', { subscription_id, close_now: true });
    const again = await done(`/v1/invoices/${opening.id}/regenerate`);
    assert.deepEqual(
      [again.period_start, again.period_end, again.total],
      [at('04-01'), at('05-01'), '199.00'],
    );
  });
});
