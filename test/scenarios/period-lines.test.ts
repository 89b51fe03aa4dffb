import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { useStack } from '../support/servers/stack.ts';
import { discountsOf, UNITS } from '../support/ledger/discounts.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { periodLinesOf } from '../support/ledger/period-lines.ts';
import { SEATS_IN_ADVANCE } from '../support/ledger/quantities.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** billing.md 13: its figures of discounts of an amount. */
describe('period lines of an amount', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done, plan, read, subscribe } = customers;
  const { invoicesOf, untilOpened } = feeLivesOn(customers);
  const { aCustomer, aLife, go, units } = discountsOf(customers);

  const { amount, billsOf, creditedOn, cut, linesOf } = periodLinesOf(customers);

  it('usage of 7.00: -7.00; then 5.00 late: -3.00, also where the discount has ended', async () => {
    const { id } = await aLife([UNITS]);
    const { id: discount_id } = await amount(id, '10');
    await units(id, 7, '04-10');
    await go(id, '05-01');
    const [april] = await invoicesOf(id);
    const { charge_id, discounts, quantity, ...line } = april!.line_items[1];
    const description = line.description.replace(/ \d{4}/, '');
    assert.deepEqual(
      { charge_id, discounts, description, quantity },
      {
        charge_id: null,
        discounts: [{ discount_id, name: 'Loyalty', percent: null }],
        description: 'Loyalty, from 1 to 30 April',
        quantity: '1',
      },
    );
    await done(`/v1/discounts/${discount_id}/end`, { until: at('04-01') });
    await units(id, 5, '04-11');
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), [
      'usage 7.00, discount -7.00 = 0.00',
      'usage 0.00, discount -3.00, late_usage 5.00 = 2.00',
    ]);
  });

  it('from 10 April on, boundary 1 May: -7.00 of 10.00', async () => {
    const id = await aCustomer();
    const dates = { start_date: at('04-10'), billing_anchor: at('05-01') };
    await subscribe(id, await plan([UNITS]), dates);
    await amount(id, '10');
    await units(id, 20, '04-15');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 20.00, discount -7.00 = 13.00']);
  });

  it('25.00, cut twice, 12.00, 12.00 and 30.00: -12.00, -12.00 and -1.00', async () => {
    const { id, subscription_id } = await aLife([UNITS]);
    await amount(id, '25');
    for (const [day, n] of [
      ['04-05', 12],
      ['04-15', 12],
    ] as const) {
      await units(id, n, day);
      await go(id, `${day}T12:00`);
      await cut(subscription_id);
    }
    await units(id, 30, '04-20');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      'usage 12.00, discount -12.00 = 0.00',
      'usage 12.00, discount -12.00 = 0.00',
      'usage 30.00, discount -1.00 = 29.00',
    ]);
  });

  it('a fee of 49.00 in advance: 39.00 on each invoice', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    await subscribe(id, await plan([fee('49.00')]));
    await untilOpened(id);
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), Array(3).fill('flat 49.00, discount -10.00 = 39.00'));
  });

  it('80.00 and -10.00, 5 of 10 seats from the 16th: a note of 20.00, the amount stays', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    const quantities = { seat: '10' };
    const subscription = await subscribe(id, await plan([SEATS_IN_ADVANCE]), { quantities });
    await untilOpened(id);
    const fewer = { quantities: { seat: '5' }, at: at('04-16') };
    await done(`/v1/subscriptions/${subscription.id}/quantities`, fewer);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      'flat 80.00, discount -10.00 = 70.00',
      'flat 40.00, discount -10.00 = 30.00',
    ]);
    assert.deepEqual(await creditedOn(id), ['20.00 = 20.00']);
  });

  it('49.00 and -10.00, canceled on the 16th: a note of 24.50 - 5.00 = 19.50', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    const { id: subscription_id } = await subscribe(id, await plan([fee('49.00')]));
    await untilOpened(id);
    await go(id, '04-16');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await go(id, '04-17');
    assert.deepEqual(await creditedOn(id), ['24.50, -5.00 = 19.50']);
  });

  it('the same beside a held draft, which has nothing of it', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    const { id: subscription_id } = await subscribe(id, await plan([fee('49.00'), UNITS]));
    await untilOpened(id);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-16') });
    await go(id, '04-17', { hold_drafts: true });
    assert.deepEqual(await creditedOn(id), ['24.50, -5.00 = 19.50']);
    assert.deepEqual((await billsOf(id)).at(-1), 'usage 0.00 = 0.00');
  });

  it('are previewed beside the notes that their issue makes', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    const { id: subscription_id } = await subscribe(id, await plan([fee('49.00'), UNITS]));
    await untilOpened(id);
    await go(id, '04-10');
    const end = { at: at('04-16') };
    const path = `/v1/subscriptions/${subscription_id}/cancel`;
    const { closing, credit_notes, due } = await done(path, { ...end, dry_run: true });
    assert.deepEqual(
      [linesOf(closing), credit_notes.map(({ subtotal }: Json) => subtotal), due],
      ['usage 0.00 = 0.00', ['19.50'], '-19.50'],
    );
    await done(path, end);
    await go(id, '04-17');
    assert.deepEqual((await billsOf(id)).at(-1), 'usage 0.00 = 0.00');
    assert.deepEqual(await creditedOn(id), ['24.50, -5.00 = 19.50']);
  });

  it('10.00 and -10.00, canceled on the 16th: a note of 5.00 - 5.00', async () => {
    const id = await aCustomer();
    await amount(id, '10');
    const { id: subscription_id } = await subscribe(id, await plan([fee('10.00')]));
    await untilOpened(id);
    await go(id, '04-16');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await go(id, '04-17');
    assert.deepEqual(await creditedOn(id), ['5.00, -5.00 = 0.00']);
  });

  it('50.00 and -10.00, then -50 late: a note of 40.00', async () => {
    const { id } = await aLife([UNITS]);
    await amount(id, '10');
    await units(id, 50, '04-10');
    await go(id, '05-01');
    await units(id, -50, '04-10');
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), [
      'usage 50.00, discount -10.00 = 40.00',
      'usage 0.00, late_usage 0.00 = 0.00',
    ]);
    assert.deepEqual(await creditedOn(id), ['50.00, -10.00 = 40.00']);
  });

  it('the same beside 45.00: 45.00, 10.00 and -50.00 = 5.00', async () => {
    const { id } = await aLife([UNITS]);
    await amount(id, '10', { from: at('04-01'), until: at('05-01') });
    await units(id, 50, '04-10');
    await go(id, '05-01');
    await units(id, -50, '04-10');
    await units(id, 45, '05-10');
    await go(id, '06-01');
    assert.deepEqual((await billsOf(id))[1], 'usage 45.00, discount 10.00, late_usage -50.00 = 5.00');
    assert.deepEqual(await creditedOn(id), []);
  });

  it('are on a held draft, follow its discount, and lose the name with the customer', async () => {
    const { id } = await aLife([UNITS]);
    await units(id, 20, '04-10');
    await go(id, '05-01', { hold_drafts: true });
    const { id: discount_id } = await amount(id, '10', { from: at('04-01') });
    assert.deepEqual(await billsOf(id), ['usage 20.00, discount -10.00 = 10.00']);
    await done(`/v1/discounts/${discount_id}/end`, { until: at('04-01') });
    assert.deepEqual(await billsOf(id), ['usage 20.00 = 20.00']);
    await amount(id, '5', { from: at('04-01'), name: 'For Ada' });
    await done(`/v1/customers/${id}/redact`);
    const [draft] = await invoicesOf(id);
    assert.doesNotMatch(JSON.stringify(draft), /Ada/);
    const { line_items } = await done(`/v1/invoices/${draft!.id}/finalize`);
    assert.match(line_items[1].description, /^Discount, from 1 to 30 April/);
  });

  it('are in a preview of the regeneration, in the upcoming invoice and its comparison', async () => {
    const { id, subscription_id } = await aLife([UNITS]);
    await units(id, 20, '04-10');
    await go(id, '05-01');
    await amount(id, '10', { from: at('04-01') });
    const [april] = await invoicesOf(id);
    const preview = await done(`/v1/invoices/${april!.id}/regenerate`, { dry_run: true });
    assert.equal(linesOf(preview.proposed), 'usage 20.00, discount -10.00 = 10.00');
    await units(id, 7, '05-02');
    const upcoming = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    assert.equal(linesOf(upcoming), 'usage 7.00, discount -7.00 = 0.00');
    const { lines } = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice/comparison`);
    assert.deepEqual(
      lines.map(({ title, kind, difference }: Json) => `${title} ${kind} ${difference}`),
      ['Call usage -13.00', 'Loyalty discount -7.00', 'Tax tax 0.00'],
    );
  });

  it('of two the older takes first, the next what is left', async () => {
    const { id } = await aLife([UNITS]);
    await amount(id, '10', { name: 'Older' });
    await amount(id, '25', { name: 'Newer' });
    await units(id, 30, '04-10');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 30.00, discount -10.00, discount -20.00 = 0.00']);
  });
});
