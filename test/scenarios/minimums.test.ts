import assert from 'node:assert/strict';
import { useStack } from '../support/servers/stack.ts';
import { CALLS_ON_T as T, discountsOf, UNITS } from '../support/ledger/discounts.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { periodLinesOf } from '../support/ledger/period-lines.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const MINIMUM = { minimum_amount: '100' };

/** billing.md 13: its figures of minimums. */
describe('period lines of a minimum of 100.00', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done, plan, read, subscribe } = customers;
  const { change, invoicesOf, notesOf, untilOpened } = feeLivesOn(customers);
  const { aCustomer, aLife, discount, go, units } = discountsOf(customers);

  const { amount, billsOf, creditedOn, cut } = periodLinesOf(customers);

  const withFee = () => aLife([UNITS, fee('50.00')], {}, MINIMUM);

  async function aBilledApril() {
    const life = await withFee();
    await untilOpened(life.id);
    await units(life.id, 30, '04-10');
    await go(life.id, '05-01');
    return life;
  }

  it('fee 50.00, 3 x 10.00: 20.00', async () => {
    const { id } = await aBilledApril();
    assert.deepEqual(await billsOf(id), [
      'flat 50.00 = 50.00',
      'usage 30.00, flat 50.00, minimum 20.00 = 100.00',
    ]);
    const [, april] = await invoicesOf(id);
    const { description, period_start, period_end } = april!.line_items[2];
    assert.deepEqual(
      [description.replace(/ \d{4}/, ''), period_start, period_end],
      ['Minimum, from 1 to 30 April', at('04-01'), at('05-01')],
    );
  });

  it('then 25.00 late: 25.00 and -20.00, and an item of -25.00 takes 5.00 beside a fee', async () => {
    const { id } = await aLife([UNITS], {}, MINIMUM);
    await units(id, 80, '04-10');
    await go(id, '05-01');
    await units(id, 25, '04-11');
    await done('/v1/invoice-items', { customer_id: id, description: 'Rebate', unit_amount: '-125' });
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), [
      'usage 80.00, minimum 20.00 = 100.00',
      'usage 0.00, minimum -20.00, minimum 100.00, item -105.00, late_usage 25.00 = 0.00',
    ]);
  });

  it('-10.00 late instead: -10.00 and 10.00', async () => {
    const { id } = await aBilledApril();
    await units(id, -10, '04-11');
    await go(id, '06-01');
    assert.deepEqual(
      (await billsOf(id))[2],
      'usage 0.00, flat 50.00, minimum 10.00, minimum 50.00, late_usage -10.00 = 100.00',
    );
  });

  it('no usage: 100.00; canceled after 11 days 36.67; changed on the 16th 50.00', async () => {
    const [none, canceled, changed] = await Promise.all([0, 1, 2].map(() => aLife([UNITS], {}, MINIMUM)));
    await done(`/v1/subscriptions/${canceled!.subscription_id}/cancel`, { at: at('04-12') });
    await change(changed!.subscription_id, { plan_id: await plan([UNITS]), at: at('04-16') });
    for (const { id } of [none!, canceled!, changed!]) await go(id, '05-01');
    assert.deepEqual(await billsOf(none!.id), ['usage 0.00, minimum 100.00 = 100.00']);
    assert.deepEqual(await billsOf(canceled!.id), ['usage 0.00, minimum 36.67 = 36.67']);
    assert.deepEqual(await billsOf(changed!.id), ['usage 0.00, minimum 50.00 = 50.00', 'usage 0.00 = 0.00']);
  });

  it('T, 900, cut: 90.00; nothing after: 10.00', async () => {
    const { id, subscription_id } = await aLife([T], {}, MINIMUM);
    await units(id, 900, '04-10');
    await go(id, '04-11');
    await cut(subscription_id);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 90.00 = 90.00', 'usage 0.00, minimum 10.00 = 10.00']);
  });

  it('80.00 at 10 percent: 72.00 and 28.00; with an amount of 10.00: -10.00 and 30.00', async () => {
    const [percent, of_amount] = await Promise.all([0, 1].map(() => aLife([UNITS], {}, MINIMUM)));
    await discount(percent!.id);
    await amount(of_amount!.id, '10');
    for (const { id } of [percent!, of_amount!]) {
      await units(id, 80, '04-10');
      await go(id, '05-01');
    }
    assert.deepEqual(await billsOf(percent!.id), ['usage 72.00, minimum 28.00 = 100.00']);
    assert.deepEqual(await billsOf(of_amount!.id), ['usage 80.00, discount -10.00, minimum 30.00 = 100.00']);
  });

  it('cut at an instant that becomes the end by a change: the next invoice has it', async () => {
    const { id, subscription_id } = await aLife([UNITS], {}, MINIMUM);
    await go(id, '04-16');
    await cut(subscription_id);
    await change(subscription_id, { plan_id: await plan([UNITS]), at: at('04-16') });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 0.00 = 0.00', 'usage 0.00, minimum 50.00 = 50.00']);
  });

  it('ended on the 16th of a month that is billed: a note of the minimum at once', async () => {
    const { id, subscription_id } = await aLife([UNITS], {}, MINIMUM);
    await units(id, 30, '04-10');
    await go(id, '06-05');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-16') });
    assert.deepEqual(
      (await notesOf(id)).map(({ reason, subtotal }) => [reason.replace(/ \d{4}/, ''), subtotal]),
      [
        ['Minimum of April corrected', '50.00'],
        ['Minimum of May corrected', '100.00'],
      ],
    );
    await go(id, '07-10');
    assert.equal((await read(`/v1/customers/${id}`)).balance, '0.00');
  });

  it('cut and canceled at one instant: the last invoice has it', async () => {
    const { id, subscription_id } = await aLife([UNITS], {}, MINIMUM);
    await go(id, '04-16');
    await cut(subscription_id);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await go(id, '05-30');
    assert.deepEqual(await billsOf(id), ['usage 0.00 = 0.00', 'minimum 50.00 = 50.00']);
  });

  it('counts the note of its own issue: 100.00 of 80.00, then -50.00 late: a note, and 30.00', async () => {
    const { id } = await aLife([UNITS], {}, { minimum_amount: '80' });
    await units(id, 100, '04-10');
    await go(id, '05-01');
    await units(id, -50, '04-11');
    await change((await read(`/v1/subscriptions?customer_id=${id}`)).data[0].id, {
      ...{ plan_id: await plan([UNITS]), at: at('05-01') },
    });
    await go(id, '06-01');
    assert.deepEqual((await billsOf(id))[1], 'usage 0.00, minimum 30.00, late_usage 0.00 = 30.00');
    assert.deepEqual(await creditedOn(id), ['50.00 = 50.00']);
  });

  it('of a trial is none, and a regenerated invoice has it again', async () => {
    const id = await aCustomer();
    await subscribe(id, await plan([UNITS], MINIMUM), { trial_end_date: at('04-11') });
    await go(id, '05-11');
    const [first] = await invoicesOf(id);
    await done(`/v1/invoices/${first!.id}/regenerate`);
    assert.deepEqual(await billsOf(id), ['usage 0.00, minimum 100.00 = 100.00']);
  });
});
