import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

const SUM = { pricing_model: 'per_unit', unit_amount: '1', aggregation: { type: 'sum', property: 'n' } };
const VOLUME = [
  { up_to: 10, unit_amount: '1' },
  { up_to: null, unit_amount: '0.5' },
];

/** billing.md 5 and 7: a late line below zero that does not fit is credited where it was billed. */
describe('usage that was billed too high', () => {
  const stack = useStack();
  const { advance, customer, done, plan, post, read, subscribe, use } = testCustomersOn(requestsTo(stack));
  const units = (id: string, month: string, n: number, event_name = 'call') =>
    use(id, [{ event_name, timestamp: at(`${month}-05`), properties: { n } }]);
  const linesOf = ({ line_items }: Json): string =>
    line_items.map(({ type, quantity, amount }: Json) => `${type} ${quantity} ${amount}`).join(', ');
  const notesOf = async (id: string): Promise<Json[]> =>
    (await read(`/v1/credit-notes?customer_id=${id}`)).data;
  const balanceOf = async (id: string): Promise<string> => (await read(`/v1/customers/${id}`)).balance;

  /** January has 50 units for 50.00, then 30 fewer. */
  async function aCorrection(parts: object = {}): Promise<{ id: string; subscription: Json; january: Json }> {
    const id = await customer(parts);
    const subscription = await subscribe(id, await plan([{ ...SUM, event_name: 'call' }]));
    await advance(id, at('01-06'));
    await units(id, '01', 50);
    const [january] = await advance(id, at('02-06'));
    return { id, subscription, january: january! };
  }

  it('50 units, paid, 30 fewer late, then 20: a note of 30.00, of which the balance covers 20.00', async () => {
    const { id, january } = await aCorrection();
    await done(`/v1/invoices/${january.id}/pay`);
    await units(id, '01', -30);
    await units(id, '02', 20);
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february!), 'usage 20 20.00, late_usage -30 0.00');
    const { status, total, balance_applied, amount_due } = february!;
    assert.deepEqual([status, total, balance_applied, amount_due], ['paid', '20.00', '20.00', '0.00']);
    const [note] = await notesOf(id);
    assert.match(note!.reason, /^Usage of January \d+ corrected$/);
    assert.deepEqual(
      [note!.automatic, note!.created_by, note!.invoice_id, note!.total, note!.to_invoice, note!.to_balance],
      [true, null, january.id, '30.00', '0.00', '30.00'],
    );
    assert.equal(await balanceOf(id), '10.00');
  });

  it('what is due comes off first, at the tax rate of the invoice', async () => {
    const { id, january } = await aCorrection({ tax_rate: '20' });
    await units(id, '01', -30);
    await advance(id, at('03-01'));
    const { status, amount_due, credited } = await read(`/v1/invoices/${january.id}`);
    assert.deepEqual([status, amount_due, credited], ['open', '24.00', '36.00']);
    assert.equal(await balanceOf(id), '0.00');
  });

  it('at volume prices 12 units cost less than 10: a late line of 2 and 0.00, and a note of 4.00', async () => {
    const id = await customer();
    await subscribe(id, await plan([{ event_name: 'call', pricing_model: 'volume', tiers: VOLUME }]));
    await advance(id, at('01-06'));
    await use(id, times(10, { event_name: 'call', timestamp: at('01-05') }));
    await advance(id, at('02-06'));
    await use(id, times(2, { event_name: 'call', timestamp: at('01-05') }));
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february!), 'usage 0 0.00, late_usage 2 0.00');
    assert.deepEqual(
      (await notesOf(id)).map(({ total }) => total),
      ['4.00'],
    );
  });

  it('invoices that one call makes are answered as they are after the last, which credits the first', async () => {
    const id = await customer();
    const tiers = [
      { up_to: 10, unit_amount: '1' },
      { up_to: null, unit_amount: '0' },
    ];
    const { id: subscription_id } = await subscribe(
      id,
      await plan([{ event_name: 'call', pricing_model: 'volume', tiers }]),
    );
    await advance(id, at('01-12'));
    await use(id, times(10, { event_name: 'call', timestamp: at('01-05') }));
    const part = await done('/v1/invoices/generate', { subscription_id, close_now: true });
    await use(id, times(10, { event_name: 'call', timestamp: at('01-12') }));
    // The second part is 0.00, and February credits the 10.00 that 20 units of January do not cost.
    const later = await advance(id, at('03-01'));
    assert.equal((await read(`/v1/invoices/${part.data[0].id}`)).credited, '10.00');
    for (const invoice of [...later].reverse()) await done(`/v1/invoices/${invoice.id}/void`);
    await done(`/v1/invoices/${part.data[0].id}/void`);
    const { data } = await done('/v1/invoices/generate', { subscription_id });
    const said = ({ total, status, amount_due, credited, credit_notes }: Json) =>
      [total, status, amount_due, credited, credit_notes.length].join(' ');
    assert.deepEqual(data.map(said), [
      '10.00 paid 0.00 10.00 1',
      '0.00 paid 0.00 0.00 0',
      '0.00 paid 0.00 0.00 0',
    ]);
    for (const invoice of data) assert.deepEqual(await read(`/v1/invoices/${invoice.id}`), invoice);
  });

  it('after the end there is a last invoice of 0.00, and the note', async () => {
    const { id, subscription } = await aCorrection();
    await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'now' });
    await advance(id, at('02-07'));
    await units(id, '01', -30);
    const [last] = await advance(id, at('05-01'));
    assert.equal(linesOf(last!), 'late_usage -30 0.00');
    assert.deepEqual(
      (await notesOf(id)).map(({ total }) => total),
      ['30.00'],
    );
  });

  it('one that fits lowers the next invoice, and makes no note', async () => {
    const { id } = await aCorrection();
    await units(id, '01', -30);
    await units(id, '02', 40);
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february!), 'usage 40 40.00, late_usage -30 -30.00');
    assert.deepEqual(await notesOf(id), []);
  });

  it('a void of either invoice takes the note along, and a regeneration makes it anew', async () => {
    const { id, january } = await aCorrection();
    await units(id, '01', -30);
    await units(id, '02', 20);
    const [february] = await advance(id, at('03-01'));
    const again = await done(`/v1/invoices/${february!.id}/regenerate`);
    assert.equal(linesOf(again), 'usage 20 20.00, late_usage -30 0.00');
    assert.deepEqual(
      (await notesOf(id)).map(({ status, total }) => `${status} ${total}`),
      ['issued 30.00', 'void 30.00'],
    );
    const first = await done(`/v1/invoices/${january.id}/regenerate`);
    assert.equal(linesOf(first), 'usage 50 20.00');
    assert.ok((await notesOf(id)).every(({ status }) => status === 'void'));
    await done(`/v1/invoices/${again.id}/void`);
    const { data } = await done('/v1/invoices/generate', { subscription_id: first.subscription_id });
    assert.equal(data.map(linesOf).join(), 'usage 20 20.00, late_usage -30 0.00');
  });

  it('it is not void by hand, and where its money was paid out, no void takes it back', async () => {
    const { id, january } = await aCorrection();
    await done(`/v1/invoices/${january.id}/pay`);
    await units(id, '01', -30);
    const [february] = await advance(id, at('03-01'));
    const [note] = await notesOf(id);
    const voided = await post(`/v1/credit-notes/${note!.id}/void`);
    assertRefused(voided, { code: 'conflict', reason: 'invalid_state' });
    await done(`/v1/customers/${id}/balance-adjustments`, { amount: '-30', reason: 'Paid out' });
    const refused = await post(`/v1/invoices/${february!.id}/void`);
    assertRefused(refused, { code: 'conflict', reason: 'invalid_state' });
    assert.equal(refused.body.error.details[1].reason, 'paid_out');
    const again = await post(`/v1/invoices/${february!.id}/regenerate`);
    assertRefused(again, { code: 'conflict', reason: 'invalid_state' });
    assert.deepEqual(again.body.error.details, refused.body.error.details);
    assert.equal((await read(`/v1/credit-notes/${note!.id}`)).status, 'issued');
  });

  it('lines that have less left limit it, and the rest comes as a late line of quantity 0', async () => {
    const { id, january } = await aCorrection();
    await done(`/v1/invoices/${january.id}/credit-notes`, {
      lines: [{ line_item_id: january.line_items[0].id, amount: '40' }],
      reason: 'Goodwill',
    });
    await units(id, '01', -30);
    await advance(id, at('03-01'));
    assert.deepEqual(
      (await notesOf(id)).map(({ automatic, total }) => [automatic, total]),
      [
        [true, '10.00'],
        [false, '40.00'],
      ],
    );
    const [march] = await advance(id, at('04-01'));
    assert.equal(linesOf(march!), 'usage 0 0.00');
    await advance(id, at('04-06'));
    await units(id, '04', 25);
    const [april] = await advance(id, at('05-01'));
    assert.equal(linesOf(april!), 'usage 25 25.00, late_usage 0 -20.00');
  });
});
