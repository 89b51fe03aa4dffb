import assert from 'node:assert/strict';
import { discountsOf, UNITS } from '../support/ledger/discounts.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { periodLinesOf } from '../support/ledger/period-lines.ts';
import { quantitiesOn, SEATS_IN_ADVANCE } from '../support/ledger/quantities.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';
import { useStack } from '../support/servers/stack.ts';

/** Failures of other engines that are public, each by its name (billing.md 11 to 15). */
describe('prices of one customer do not have the public failure', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, done, plan, subscribe } = customers;
  const { notesOf, untilOpened } = feeLivesOn(customers);
  const { aCustomer, aLife, discount, go, units } = discountsOf(customers);
  const { amount, billsOf, creditedOn, cut } = periodLinesOf(customers);
  const quantities = quantitiesOn(customers);
  const { seats } = quantities;

  it('seats a year late: 5 more of a yearly fee are billed on the day on which they come', async () => {
    const id = await aCustomer();
    const yearly = await plan([{ ...SEATS_IN_ADVANCE, flat_amount: '365.00' }], { interval: 'year' });
    const { id: subscription_id } = await subscribe(id, yearly, { quantities: { seat: '10' } });
    await untilOpened(id);
    // 73 days of 365 before the end of the year.
    await seats(subscription_id, '15', at('01-18', 1), { bill: 'now' });
    await go(id, '12-31');
    assert.deepEqual(await billsOf(id), ['flat 3650.00 = 3650.00']);
    await advance(id, at('01-18', 1));
    assert.deepEqual((await billsOf(id)).slice(1), ['flat 365.00 = 365.00']);
  });

  it('an invoice a seat: three that come one by one are on the next invoice, in one line', async () => {
    const { id, subscription_id } = await quantities.aLife([SEATS_IN_ADVANCE]);
    for (const [seat, day] of [
      ['11', '04-11'],
      ['12', '04-16'],
      ['13', '04-21'],
    ] as const)
      await seats(subscription_id, seat, day);
    await go(id, '05-01');
    // 8.00 x (20 + 15 + 10) / 30.
    assert.deepEqual(await billsOf(id), ['flat 80.00 = 80.00', 'flat 104.00, flat 12.00 = 116.00']);
  });

  it('no minimum at zero usage: a month without any usage is 100.00', async () => {
    const { id } = await aLife([UNITS], {}, { minimum_amount: '100.00' });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 0.00, minimum 100.00 = 100.00']);
  });

  it('fees left out of the minimum: a fee of 50.00 and 30.00 of usage lack 20.00', async () => {
    const { id } = await aLife([fee('50.00'), UNITS], {}, { minimum_amount: '100.00' });
    await units(id, 30, '04-10');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      'flat 50.00 = 50.00',
      'usage 30.00, flat 50.00, minimum 20.00 = 100.00',
    ]);
  });

  it('coupons lost in credit notes: half of what was paid comes back, not half of the price', async () => {
    const id = await aCustomer();
    await discount(id);
    await amount(id, '30');
    const { id: subscription_id } = await subscribe(id, await plan([fee('200.00')]));
    await untilOpened(id);
    await go(id, '04-16');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await go(id, '04-17');
    assert.deepEqual((await billsOf(id)).slice(0, 1), ['flat 180.00, discount -30.00 = 150.00']);
    assert.deepEqual(await creditedOn(id), ['90.00, -15.00 = 75.00']);
    assert.equal((await notesOf(id)).length, 1);
  });

  it('twice on progressive invoices: an amount is off once, and a minimum there once', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    const progressive = { bill_at: '100.00' };
    await subscribe(id, await plan([UNITS], { minimum_amount: '200.00' }), progressive);
    await units(id, 100, '04-10');
    await go(id, '04-11');
    await units(id, 50, '04-20');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      'usage 100.00, discount -10.00 = 90.00',
      'usage 50.00, minimum 60.00 = 110.00',
    ]);
  });

  it('counted by invoice: a discount of two months is on every invoice of both, and on no later one', async () => {
    const { id, subscription_id } = await aLife([UNITS]);
    await discount(id, { from: at('04-01'), until: at('06-01') });
    for (const day of ['04-05', '04-15', '05-05', '05-15']) {
      await units(id, 100, day);
      await go(id, `${day}T12:00`);
      await cut(subscription_id);
    }
    await units(id, 100, '06-10');
    await go(id, '07-01');
    const bills = await billsOf(id);
    assert.deepEqual(bills, [
      ...['usage 90.00 = 90.00', 'usage 90.00 = 90.00', 'usage 0.00 = 0.00'],
      ...['usage 90.00 = 90.00', 'usage 90.00 = 90.00', 'usage 0.00 = 0.00'],
      'usage 100.00 = 100.00',
    ]);
  });

  it('too late for the next: what is made an hour before the end of the month is on its invoice', async () => {
    const { id } = await aLife([UNITS]);
    await units(id, 100, '04-10');
    await go(id, '04-30T23:00');
    await discount(id);
    await amount(id, '5');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 90.00, discount -5.00 = 85.00']);
  });
});
