import assert from 'node:assert/strict';
import { quantitiesOn, SEATS, SEATS_IN_ADVANCE } from '../support/ledger/quantities.ts';
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

describe('quantities of fees in advance', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done } = customers;
  const { aLife, billsOf, go, invoicesOf, notesOf, seats, takeBack, totalsOf } = quantitiesOn(customers);
  const OPENING = 'opening 80.00 (80.00)';

  it('15 from the 16th: on 1 May 20.00 and 120.00', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      OPENING,
      'period 120.00 (120.00) and 20.00 (40.00, 60.00 less 80.00)',
    ]);
  });

  it('15 from the 16th, `now`: 20.00 on the 16th, then 120.00', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      OPENING,
      'opening 20.00 (40.00, 60.00 less 80.00)',
      'period 120.00 (120.00)',
    ]);
    const [first, further, closing] = await invoicesOf(id);
    assert.deepEqual(
      [first, further, closing].map((invoice) => invoice!.opening_number),
      [1, 2, null],
    );
    assert.deepEqual(
      [further!.issued_at, further!.period_start, further!.period_end],
      [at('04-16'), at('04-01'), at('05-01')],
    );
    const { data } = await customers.read(`/v1/subscriptions/${subscription_id}/periods`);
    assert.equal(data.at(-1).opening_invoice_id, first!.id);
  });

  it('5 from the 16th: a note of 20.00 then', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '5', '04-16');
    await go(id, '04-16');
    assert.deepEqual(await totalsOf(id), ['20.00']);
    const [note] = await notesOf(id);
    assert.match(note!.reason, /^Lower quantity from 16 to 30 April/);
    assert.deepEqual([note!.automatic, note!.to_invoice, note!.outside], [true, '20.00', '0.00']);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [OPENING, 'period 40.00 (40.00)']);
    assert.deepEqual(await totalsOf(id), ['20.00']);
  });

  it('5 by `none`: no note; then 12 from the 21st: 5.33', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '5', '04-16', { settle: 'none' });
    await seats(subscription_id, '12', '04-21');
    await go(id, '05-01');
    assert.deepEqual(await totalsOf(id), []);
    assert.deepEqual(await billsOf(id), [OPENING, 'period 96.00 (96.00) and 5.33 (53.33, 32.00 less 80.00)']);
  });

  it('15 from the 16th, canceled on the 21st: worth 60.00, a note of 20.00', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16');
    await go(id, '04-17');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-21') });
    await go(id, '06-01');
    assert.deepEqual(await totalsOf(id), ['20.00']);
    assert.deepEqual(await billsOf(id), [OPENING, 'period ']);
  });

  it('5 scheduled for 16 May: on 1 May 59.35', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '5', '05-16');
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), [OPENING, 'period 59.35 (38.71, 20.64)', 'period 40.00 (40.00)']);
    assert.deepEqual(await totalsOf(id), []);
  });

  it('5 from the 16th and 3 from the 21st: notes of 20.00 and 5.33, each in its time', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '5', '04-16', { settle: 'outside' });
    await seats(subscription_id, '3', '04-21');
    await done(`/v1/invoices/${(await invoicesOf(id))[0]!.id}/pay`);
    await go(id, '04-17');
    assert.deepEqual(await totalsOf(id), ['20.00']);
    await go(id, '05-01');
    const notes = await notesOf(id);
    assert.deepEqual(
      notes.map(({ outside, to_balance }) => [outside, to_balance]),
      [
        ['20.00', '0.00'],
        ['0.00', '5.33'],
      ],
    );
  });

  it('15 from the 16th, `now`, then 10 from the 21st: an opening of 20.00, a note of 13.33 on it', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await go(id, '04-17');
    await seats(subscription_id, '10', '04-21');
    await go(id, '05-01');
    const [, further] = await invoicesOf(id);
    const [note] = await notesOf(id);
    assert.deepEqual([note!.invoice_id, note!.total], [further!.id, '13.33']);
  });

  it('both scheduled before: an opening of 6.67, no note', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await seats(subscription_id, '10', '04-21');
    await go(id, '05-01');
    assert.deepEqual((await billsOf(id)).slice(1), [
      'opening 6.67 (40.00, 20.00, 26.67 less 80.00)',
      'period 80.00 (80.00)',
    ]);
    assert.deepEqual(await totalsOf(id), []);
  });

  it('a higher one that was billed ahead and is taken back is credited at once', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '05-16');
    await go(id, '05-02');
    assert.deepEqual(await billsOf(id), [OPENING, 'period 100.65 (38.71, 61.94)']);
    assert.equal((await takeBack(subscription_id, '05-16')).status, 200);
    const [note] = await notesOf(id);
    assert.deepEqual(
      [note!.total, note!.reason],
      ['20.65', `Quantity of May ${at('05-01').slice(0, 4)} corrected`],
    );
  });

  it('a lower one that was scheduled and is taken back is billed on the closing invoice', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '5', '05-16');
    await go(id, '05-02');
    await takeBack(subscription_id, '05-16');
    await go(id, '06-01');
    assert.deepEqual((await billsOf(id)).slice(1), [
      'period 59.35 (38.71, 20.64)',
      'period 80.00 (80.00) and 20.65 (80.00 less 59.35)',
    ]);
  });

  it('a void further opening is the rest of the closing invoice', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await go(id, '04-20');
    await done(`/v1/invoices/${(await invoicesOf(id))[1]!.id}/void`);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      OPENING,
      'period 120.00 (120.00) and 20.00 (40.00, 60.00 less 80.00)',
    ]);
    const { data: made } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(made, []);
  });

  it('a void further opening is made again by generate, with its number, and regenerated', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await go(id, '04-20');
    const old = (await invoicesOf(id))[1]!;
    await done(`/v1/invoices/${old.id}/void`);
    const { data: made } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(
      made.map(({ replaces, opening_number, total }: Record<string, unknown>) => [
        replaces,
        opening_number,
        total,
      ]),
      [[old.id, 2, '20.00']],
    );
    await done(`/v1/invoices/${made[0].id}/regenerate`);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      OPENING,
      'opening 20.00 (40.00, 60.00 less 80.00)',
      'period 120.00 (120.00)',
    ]);
  });

  it('two higher ones by `now` are openings with the numbers 2 and 3', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await go(id, '04-21');
    await seats(subscription_id, '18', 'now', { bill: 'now' });
    assert.deepEqual(
      (await invoicesOf(id)).map(({ opening_number, total }) => [opening_number, total]),
      [
        [1, '80.00'],
        [2, '20.00'],
        [3, '8.00'],
      ],
    );
  });

  it('a preview says what comes, and stores nothing', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    const more = await seats(subscription_id, '15', '04-16', { bill: 'now', dry_run: true });
    assert.deepEqual([more.opening.total, more.upcoming.total, more.credit_notes], ['20.00', '120.00', []]);
    const less = await seats(subscription_id, '5', '04-16', { dry_run: true });
    assert.deepEqual([less.opening, less.upcoming.total], [null, '40.00']);
    assert.deepEqual(
      less.credit_notes.map(({ total }: { total: string }) => total),
      ['20.00'],
    );
    assert.deepEqual(await billsOf(id), [OPENING]);
    const { quantities, pending_quantities } = await customers.read(`/v1/subscriptions/${subscription_id}`);
    assert.deepEqual([quantities, pending_quantities], [{ seat: '10' }, []]);
  });

  it('a held home has what is asked for meanwhile', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await go(id, '05-02', { hold_drafts: true });
    await seats(subscription_id, '15', '05-16', { bill: 'now' });
    assert.deepEqual(await billsOf(id), [OPENING, 'period 100.65 (38.71, 61.94)']);
  });

  it('with proration `none` the old fee runs on, and follows the quantity', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    const dearer = await customers.plan([{ ...SEATS_IN_ADVANCE, flat_amount: '12.00' }]);
    await done(`/v1/subscriptions/${subscription_id}/change`, {
      plan_id: dearer,
      at: at('04-11'),
      proration: 'none',
    });
    await seats(subscription_id, '15', '04-16', { bill: 'now' });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      OPENING,
      'period ',
      'opening 20.00 (40.00, 60.00 less 80.00)',
      'period 180.00 (180.00)',
    ]);
  });
});
