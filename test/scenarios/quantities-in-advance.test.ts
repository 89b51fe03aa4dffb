import assert from 'node:assert/strict';
import { quantitiesOn, SEATS_IN_ADVANCE } from '../support/ledger/quantities.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** billing.md 14: the figures of quantities of fees in advance. */
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

  it('5 at the very start of the period: a note of 40.00, whatever `settle`', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '5', 'now', { settle: 'none' });
    const [note] = await notesOf(id);
    assert.deepEqual([note!.total, note!.reason.slice(0, 31)], ['40.00', 'Lower quantity from 1 to 30 Apr']);
    await seats(subscription_id, '12', 'now', { bill: 'now' });
    await go(id, '05-01');
    assert.deepEqual((await billsOf(id)).slice(1), [
      'opening 56.00 (96.00 less 40.00)',
      'period 96.00 (96.00)',
    ]);
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
