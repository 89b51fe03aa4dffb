import assert from 'node:assert/strict';
import { quantitiesOn, SEATS } from '../support/ledger/quantities.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** billing.md 14: the figures of quantities. */
describe('quantities of fees in arrears', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done, plan } = customers;
  const { aLife, billsOf, go, invoicesOf, seats } = quantitiesOn(customers);

  it('10, from the 16th 15: 40.00 and 60.00', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await seats(subscription_id, '15', '04-16');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 100.00 (40.00, 60.00)']);
    const [invoice] = await invoicesOf(id);
    const [line] = invoice!.line_items;
    assert.deepEqual(line.stretches, [
      { period_start: at('04-01'), period_end: at('04-16'), quantity: '10', amount: '40.00' },
      { period_start: at('04-16'), period_end: at('05-01'), quantity: '15', amount: '60.00' },
    ]);
    assert.deepEqual([line.quantity, line.billable_quantity, line.billed_before], ['1', '1', '0.00']);
  });

  it('the same, cut on the 21st: 60.00, then 40.00', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await seats(subscription_id, '15', '04-16');
    await go(id, '04-21');
    await done('/v1/invoices/generate', { subscription_id, close_now: true });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      'period 60.00 (40.00, 20.00)',
      'period 40.00 (40.00, 60.00 less 60.00)',
    ]);
  });

  it('10, changed on the 16th to a plan of 12.00: 40.00 and 60.00', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    const dearer = await plan([{ ...SEATS, flat_amount: '12.00' }]);
    await done(`/v1/subscriptions/${subscription_id}/change`, { plan_id: dearer, at: at('04-16') });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 40.00 (40.00)', 'period 60.00 (60.00)']);
  });

  it('10.00 at 1, 2, 1 seats, ten days each: 3.33, 6.67, 3.33', async () => {
    const { id, subscription_id } = await aLife(
      [{ ...SEATS, flat_amount: '10.00' }],
      {},
      { quantities: { seat: 1 } },
    );
    await seats(subscription_id, '2', '04-11');
    await seats(subscription_id, '1', '04-21');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 13.33 (3.33, 6.67, 3.33)']);
  });

  it('with 10 percent off: 36.00 and 54.00', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await done('/v1/discounts', { customer_id: id, name: 'Loyalty', percent: '10' });
    await seats(subscription_id, '15', '04-16');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 90.00 (36.00, 54.00)']);
    const [invoice] = await invoicesOf(id);
    assert.equal(invoice!.line_items[0].amount_before, '100.00');
  });

  it('settle and bill mean nothing: fewer by `none` are fewer', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await seats(subscription_id, '5', '04-16', { settle: 'none', bill: 'now' });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 60.00 (40.00, 20.00)']);
  });

  it('a canceled subscription pays up to its end, and a regenerated invoice says the same', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await seats(subscription_id, '15', '04-16');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-21') });
    await go(id, '05-01');
    const [invoice] = await invoicesOf(id);
    await done(`/v1/invoices/${invoice!.id}/regenerate`);
    await go(id, '05-02');
    assert.deepEqual(await billsOf(id), ['period 60.00 (40.00, 20.00)']);
  });

  it('8.00 to 9.00 at 10 by a migration: the preview says 80.00 and 90.00', async () => {
    const id = await customers.customer({}, at('04-01'));
    const from_plan_id = await plan([SEATS]);
    const to_plan_id = await plan([{ ...SEATS, flat_amount: '9.00' }]);
    await customers.subscribe(id, from_plan_id, { quantities: { seat: '10' } });
    const migration = { from_plan_id, to_plan_id, at: 'period_end', customer_ids: [id] };
    const preview = await done('/v1/plan-migrations', { ...migration, dry_run: true });
    assert.deepEqual([preview.current, preview.proposed], ['80.00', '90.00']);
    await done('/v1/plan-migrations', migration);
  });
});

describe('quantities in recurring revenue', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { aLife, go, seats } = quantitiesOn(customers);

  it('are the fee times the quantity, and what they change by is a movement', async () => {
    const { id, subscription_id } = await aLife([SEATS, FLAT]);
    await seats(subscription_id, '15', '05-16');
    await seats(subscription_id, '5', '06-16');
    await seats(subscription_id, '50', '07-16');
    await go(id, '07-02');
    const range = `from=${at('04-01').slice(0, 10)}&to=${at('08-01').slice(0, 10)}`;
    const { data } = await customers.read(`/v1/recurring-revenue?customer_id=${id}&${range}`);
    assert.deepEqual(
      data.map((month: Record<string, string>) => [
        month['new'],
        month['expansion'],
        month['contraction'],
        month['recurring'],
      ]),
      [
        ['129.00', '0.00', '0.00', '129.00'],
        ['0.00', '40.00', '0.00', '169.00'],
        ['0.00', '0.00', '-80.00', '89.00'],
        ['0.00', '0.00', '0.00', '89.00'],
      ],
    );
  });
});
