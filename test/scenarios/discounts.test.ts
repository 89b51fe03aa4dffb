import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { useStack } from '../support/servers/stack.ts';
import { CALLS_ON_T as T, discountsOf, SUMMED, UNITS } from '../support/ledger/discounts.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const VOLUME = { ...T, pricing_model: 'volume' };

/** billing.md 11: the figures of percents. */
describe('percents on bills', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done, grant, plan, read, subscribe } = customers;
  const { invoicesOf, notesOf, untilOpened } = feeLivesOn(customers);
  const { aCustomer, aLife, billsOf, discount, go, linesOf, units } = discountsOf(customers);

  const ROWS: [what: string, charge: object, n: number, percents: string[], line: string][] = [
    ['T, 900', T, 900, ['10'], 'usage 81.00 of 90.00'],
    ['T by volume, 1,001', VOLUME, 1001, ['10'], 'usage 49.55 of 55.05'],
    ['T, 900, with another of 20', T, 900, ['10', '20'], 'usage 64.80 of 90.00'],
    ['T, 900, all off', T, 900, ['100'], 'usage 0.00 of 90.00'],
    ...(
      [
        ['a maximum of 90.00', { rate: '10', maximum_amount: '90' }, 5000, ['10'], 'usage 81.00 of 90.00'],
        ['a minimum of 10.00', { rate: '1', minimum_amount: '10' }, 100, ['10'], 'usage 9.00 of 10.00'],
      ] as const
    ).map(([what, rates, n, percents, line]): [string, object, number, string[], string] => [
      `a percentage charge with ${what}`,
      { ...SUMMED, pricing_model: 'percentage', ...rates },
      n,
      [...percents],
      line,
    ]),
  ];
  for (const [what, charge, n, percents, line] of ROWS)
    it(`${what}: ${line}`, async () => {
      const { id } = await aLife([charge]);
      for (const percent of percents) await discount(id, { percent });
      await units(id, n, '04-10');
      await go(id, '05-01');
      assert.deepEqual(await billsOf(id), [line]);
    });

  it('T, 900 and a grant of 100: 72.00', async () => {
    const { id } = await aLife([T]);
    await grant(id, 100, { rollover: true });
    await discount(id);
    await units(id, 900, '04-10');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 72.00 of 80.00']);
  });

  it('are named on the line; tiers sum to the amount without them, and the invoice to the amounts', async () => {
    const { id, subscription_id } = await aLife([T], { tax_rate: '20' });
    const { id: discount_id } = await discount(id);
    await units(id, 900, '04-10');
    const upcoming = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    await go(id, '05-01');
    const [invoice] = await invoicesOf(id);
    const [line] = invoice!.line_items;
    assert.deepEqual(line.discounts, [{ discount_id, name: 'Loyalty', percent: '10' }]);
    assert.deepEqual(
      line.tiers.map(({ amount }: Json) => amount),
      ['90.00'],
    );
    assert.deepEqual([invoice!.subtotal, invoice!.total], ['81.00', '97.20']);
    assert.deepEqual([linesOf(upcoming), upcoming.total], [linesOf(invoice!), '97.20']);
  });

  it('300 late are 22.50, also once the discount has ended', async () => {
    const { id } = await aLife([T]);
    const { id: discount_id } = await discount(id);
    await units(id, 900, '04-10');
    await go(id, '05-01');
    await done(`/v1/discounts/${discount_id}/end`);
    await units(id, 300, '04-20');
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), [
      'usage 81.00 of 90.00',
      'usage 0.00 of null, late_usage 22.50 of 25.00',
    ]);
  });

  it('300 after a cut are 22.50', async () => {
    const { id, subscription_id } = await aLife([T]);
    await discount(id);
    await units(id, 900, '04-05');
    await go(id, '04-10');
    await done('/v1/invoices/generate', { subscription_id, close_now: true });
    await units(id, 300, '04-20');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 81.00 of 90.00', 'usage 22.50 of 25.00']);
  });

  it('made after a cut are not on the rest of what the cut has billed', async () => {
    const { id, subscription_id } = await aLife([T, { ...fee('30.00'), billed: 'in_arrears' }]);
    await units(id, 900, '04-05');
    await go(id, '04-11');
    await done('/v1/invoices/generate', { subscription_id, close_now: true });
    await discount(id);
    await units(id, 300, '04-20');
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), [
      'usage 90.00 of null, flat 10.00 of null',
      'usage 25.00 of null, flat 20.00 of null',
      'usage 0.00 of 0.00, flat 27.00 of 30.00',
    ]);
  });

  it('made on the 16th, fee 100.00 in advance and 50.00 of usage: on 1 May 45.00 and 90.00', async () => {
    const { id } = await aLife([UNITS, fee('100.00')]);
    await untilOpened(id);
    await units(id, 50, '04-10');
    await go(id, '04-16');
    await discount(id);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      'flat 100.00 of null',
      'usage 45.00 of 50.00, flat 90.00 of 100.00',
    ]);
  });

  it('199.00 in advance, half kept: 179.10, and a note of 89.55', async () => {
    const id = await aCustomer();
    await discount(id);
    const { id: subscription_id } = await subscribe(id, await plan([fee('199.00')]));
    await untilOpened(id);
    await go(id, '04-16');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await go(id, '04-17');
    const [opening] = await invoicesOf(id);
    assert.equal(linesOf(opening!), 'flat 179.10 of 199.00');
    assert.match(opening!.line_items[0].description, /^Fixed fee for platform, from 1 to 30 April/);
    const notes = await notesOf(id);
    assert.deepEqual(
      notes.map(({ subtotal, automatic }) => [subtotal, automatic]),
      [['89.55', true]],
    );
  });

  it('10.00 in arrears in thirds: 3.00 each', async () => {
    const { id, subscription_id } = await aLife([{ ...fee('10.00'), billed: 'in_arrears' }]);
    await discount(id);
    for (const day of ['04-11', '04-21']) {
      await go(id, day);
      await done('/v1/invoices/generate', { subscription_id, close_now: true });
    }
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['flat 3.00 of 3.33', 'flat 3.00 of 3.34', 'flat 3.00 of 3.33']);
  });

  it('-30 late beside nothing are a note of 27.00; then 5 late are 4.50, before percents 5.00', async () => {
    const { id } = await aLife([UNITS]);
    await discount(id);
    await units(id, 50, '04-10');
    await go(id, '05-01');
    await units(id, -30, '04-10');
    await go(id, '06-01');
    assert.equal((await notesOf(id))[0]!.subtotal, '27.00');
    await units(id, 5, '04-11');
    await go(id, '07-01');
    assert.deepEqual(await billsOf(id), [
      'usage 45.00 of 50.00',
      'usage 0.00 of 0.00, late_usage 0.00 of 0.00',
      'usage 0.00 of 0.00, late_usage 4.50 of 5.00',
    ]);
  });

  it('hold for whole full periods, by event name and subscription', async () => {
    const { id, subscription_id } = await aLife([UNITS, { ...UNITS, event_name: 'other' }]);
    const other = await subscribe(id, await plan([{ ...UNITS, event_name: 'third' }]));
    await discount(id, { event_names: ['call'], from: at('04-16'), until: at('04-17') });
    await discount(id, { subscription_id: other.id, percent: '50' });
    for (const day of ['04-01', '05-01T12:00'])
      for (const event_name of ['call', 'other', 'third']) await units(id, 100, day, event_name);
    await go(id, '06-01');
    const bills = (await invoicesOf(id)).map((invoice) => [
      invoice.subscription_id === subscription_id ? 'first' : 'second',
      linesOf(invoice),
    ]);
    assert.deepEqual(
      bills.toSorted(([one], [two]) => (one! < two! ? -1 : 1)),
      [
        ['first', 'usage 90.00 of 100.00, usage 100.00 of null'],
        ['first', 'usage 100.00 of null, usage 100.00 of null'],
        ['second', 'usage 50.00 of 100.00'],
        ['second', 'usage 50.00 of 100.00'],
      ],
    );
  });
});
