import assert from 'node:assert/strict';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import type { Json } from '../support/servers/api.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn, times } from '../support/ledger/test-customer.ts';

const SUM = { pricing_model: 'per_unit', unit_amount: '1', aggregation: { type: 'sum', property: 'n' } };
const FEE = { event_name: 'fee', name: 'Fee', pricing_model: 'flat', flat_amount: '50' };

/** The items and late lines below zero that an invoice takes, and those that wait (billing.md 5 and 7). */
describe('items and late lines below zero', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, post, read, subscribe, use } = testCustomersOn(request);

  async function aLife(charges: object[]): Promise<{ id: string; subscription_id: string }> {
    const id = await customer();
    return { id, subscription_id: (await subscribe(id, await plan(charges))).id };
  }
  const amountsOf = (event_name: string, month: string, ...values: number[]) =>
    values.map((n) => ({ event_name, timestamp: at(`${month}-05`), properties: { n } }));
  const add = async (customer_id: string, unit_amount: string): Promise<Json> => {
    const { status, body } = await post('/v1/invoice-items', {
      customer_id,
      description: 'Goodwill',
      unit_amount,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const itemsOf = async (customer_id: string): Promise<Json[]> =>
    (await read(`/v1/invoice-items?customer_id=${customer_id}`)).data.toReversed();
  const totalsOf = (invoices: Json[]) => invoices.map(({ total }) => total).join(', ');
  const linesOf = ({ line_items }: Json) =>
    line_items.map(({ type, amount }: Json) => `${type} ${amount}`).join(', ');

  it('late -30.00 and +40.00: 10.00, whatever their order', async () => {
    const charges = ['a', 'b'].map((event_name) => ({ ...SUM, event_name }));
    const { id } = await aLife(charges);
    await advance(id, at('01-06'));
    await use(id, amountsOf('a', '01', 30));
    await advance(id, at('02-01'));
    await use(id, [...amountsOf('a', '01', -30), ...amountsOf('b', '01', 40)]);
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february), 'usage 0.00, usage 0.00, late_usage -30.00, late_usage 40.00');
    assert.equal(february.total, '10.00');
  });

  it('fee 50.00, item -60.00, late +20.00: 10.00', async () => {
    const { id } = await aLife([FEE, { ...SUM, event_name: 'a' }]);
    await advance(id, at('02-01'));
    await use(id, amountsOf('a', '01', 20));
    await add(id, '-60');
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february), 'flat 50.00, usage 0.00, item -60.00, late_usage 20.00');
    assert.equal(february.total, '10.00');
  });

  it('an item of -60.00 beside a fee of 50.00: 0.00, 40.00, 50.00', async () => {
    const { id, subscription_id } = await aLife([FEE]);
    const item = await add(id, '-30');
    const whole = { customer_id: id, description: 'Goodwill', quantity: '2', unit_amount: '-15' };
    assert.equal((await post('/v1/invoice-items', whole)).status, 201);
    const upcoming = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    assert.equal(linesOf(upcoming), 'flat 50.00, item -30.00, item -20.00');
    assert.deepEqual(upcoming.line_items[2].invoice_item.unit_amount, '-20');
    const invoices = await advance(id, at('04-01'));
    assert.equal(totalsOf(invoices), '0.00, 40.00, 50.00');
    const items = await itemsOf(id);
    const shown = items.map(
      ({ quantity, unit_amount, amount, status, invoice_id, split_from, description }) => [
        ...[quantity, unit_amount, amount, status, description],
        invoices.findIndex(({ id: of }) => of === invoice_id),
        items.findIndex(({ id: of }) => of === split_from),
      ],
    );
    assert.deepEqual(shown, [
      ['1', '-30', '-30.00', 'invoiced', 'Goodwill', 0, -1],
      ['1', '-20', '-20.00', 'invoiced', 'Goodwill', 0, -1],
      ['1', '-10', '-10.00', 'invoiced', 'Goodwill', 1, 1],
    ]);
    assert.ok(items.every(({ created_by }) => created_by === item.created_by));
  });

  it('what a void gives back is pending, and a regenerated invoice takes its part and not the rest', async () => {
    const { id } = await aLife([FEE]);
    await add(id, '-60');
    const [january] = await advance(id, at('02-01'));
    const again = await done(`/v1/invoices/${january.id}/regenerate`);
    assert.equal(linesOf(again), 'flat 50.00, item -50.00');
    await done(`/v1/invoices/${again.id}/void`);
    const [part, rest] = await itemsOf(id);
    assert.deepEqual(
      [part!.status, part!.amount, rest!.status, rest!.amount],
      ['pending', '-50.00', 'pending', '-10.00'],
    );
    assert.equal((await request(`/v1/invoice-items/${part!.id}`, { method: 'DELETE' })).status, 200);
    const [february] = await advance(id, at('03-01'));
    assert.equal(february.total, '40.00');
    assert.equal((await itemsOf(id))[0]!.split_from, part!.id);
    const printed = await read(`/v1/invoices/${january.id}`);
    assert.equal(printed.line_items[1].invoice_item.unit_amount, '-50');
  });

  it('a draft shows the part and splits nothing', async () => {
    const { id } = await aLife([FEE]);
    await advance(id, at('02-01'), { hold_drafts: true });
    const item = await add(id, '-60');
    const draft = (await read(`/v1/invoices?customer_id=${id}`)).data[0];
    assert.equal(linesOf(draft), 'flat 50.00, item -50.00');
    assert.deepEqual([(await itemsOf(id)).length, (await itemsOf(id))[0]!.amount], [1, '-60.00']);
    await add(id, '25');
    const more = await read(`/v1/invoices/${draft.id}`);
    assert.equal(linesOf(more), 'flat 50.00, item 25.00, item -60.00');
    assert.equal((await request(`/v1/invoice-items/${item.id}`, { method: 'DELETE' })).status, 200);
    assert.equal((await done(`/v1/invoices/${draft.id}/finalize`)).total, '75.00');
  });

  it('a draft shows a late line that did not fit at its count as soon as an item leaves room, and nothing stored since', async () => {
    const { id } = await aLife([FEE, { ...SUM, event_name: 'a' }]);
    await advance(id, at('01-06'));
    await use(id, amountsOf('a', '01', 70));
    await advance(id, at('02-06'));
    await use(id, amountsOf('a', '01', -30));
    const discount = await add(id, '-30');
    await advance(id, at('03-01'), { hold_drafts: true });
    const draft = (await read(`/v1/invoices?customer_id=${id}`)).data[0];
    const shown = async () => linesOf(await read(`/v1/invoices/${draft.id}`));
    assert.equal(await shown(), 'flat 50.00, usage 0.00, item -30.00, late_usage 0.00');
    await use(id, amountsOf('a', '01', 5));
    const fee = await add(id, '10');
    assert.equal(await shown(), 'flat 50.00, usage 0.00, item 10.00, item -30.00, late_usage -30.00');
    assert.equal((await request(`/v1/invoice-items/${fee.id}`, { method: 'DELETE' })).status, 200);
    assert.equal(await shown(), 'flat 50.00, usage 0.00, item -30.00, late_usage 0.00');
    assert.equal((await request(`/v1/invoice-items/${discount.id}`, { method: 'DELETE' })).status, 200);
    assert.equal(await shown(), 'flat 50.00, usage 0.00, late_usage -30.00');
    await add(id, '-30');
    assert.equal(await shown(), 'flat 50.00, usage 0.00, item -30.00, late_usage 0.00');
    // The issue counts again: -25.00 of late usage does not fit beside 20.00.
    const { line_items } = await done(`/v1/invoices/${draft.id}/finalize`);
    assert.deepEqual([line_items.at(-1).quantity, line_items.at(-1).amount], ['-25', '0.00']);
    const [note] = (await read(`/v1/credit-notes?customer_id=${id}`)).data;
    assert.equal(note.total, '25.00');
  });

  it('a draft of items alone shows a late line that did not fit at its count', async () => {
    const { id, subscription_id } = await aLife([{ ...SUM, event_name: 'a' }]);
    await advance(id, at('01-06'));
    await use(id, amountsOf('a', '01', 70));
    await advance(id, at('02-01'));
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await use(id, amountsOf('a', '01', -30));
    await add(id, '10');
    await advance(id, at('03-08'), { hold_drafts: true });
    const draft = (await read(`/v1/invoices?customer_id=${id}`)).data[0];
    assert.equal(linesOf(draft), 'item 10.00, late_usage 0.00');
    await add(id, '40');
    assert.equal(
      linesOf(await read(`/v1/invoices/${draft.id}`)),
      'item 10.00, item 40.00, late_usage -30.00',
    );
  });

  it('a late line that does not fit beside that of another group is credited: 5.00, 0.00, 25.00', async () => {
    const { id } = await aLife([{ ...SUM, event_name: 'call', group_by: ['team'] }]);
    const calls = (month: string, team: string, n: number) =>
      use(id, [{ event_name: 'call', timestamp: at(`${month}-05`), properties: { team, n } }]);
    await advance(id, at('01-06'));
    await calls('01', 'a', 10);
    await advance(id, at('02-10'));
    await calls('01', 'a', -10);
    await calls('01', 'b', 5);
    const [february, march] = await advance(id, at('04-06'));
    assert.equal(totalsOf([february!, march!]), '5.00, 0.00');
    await calls('04', 'a', 25);
    const [april] = await advance(id, at('05-01'));
    assert.equal(april.total, '25.00');
  });

  it('groups of a void invoice are billed again by generate, also beside a late line of another group', async () => {
    const charge = { event_name: 'call', pricing_model: 'per_unit', unit_amount: '1', group_by: ['team'] };
    const { id, subscription_id } = await aLife([charge]);
    const call = (team: string) => ({ event_name: 'call', timestamp: at('01-05'), properties: { team } });
    await advance(id, at('01-06'));
    await use(id, [call('a'), call('b'), call('b')]);
    const [january] = await advance(id, at('02-02'));
    await use(id, [call('c')]);
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february), 'late_usage 1.00');
    await done(`/v1/invoices/${january!.id}/void`);
    while (await rollUp(stack().pool));
    const { data } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(data.map(linesOf), ['usage 1.00, usage 2.00']);
  });

  it('a late line on a held draft keeps the days for late usage open until it is issued', async () => {
    const tiers = [
      { up_to: 10, unit_amount: '1' },
      { up_to: null, unit_amount: '0.1' },
    ];
    const id = await customer();
    await subscribe(id, await plan([{ event_name: 'call', pricing_model: 'volume', tiers }]), {
      start_date: at('02-01'),
    });
    const calls = (month: string, count: number) =>
      use(id, times(count, { event_name: 'call', timestamp: at(`${month}-05`) }));
    await advance(id, at('02-06'));
    await calls('02', 10);
    const [february, march] = await advance(id, at('04-02'));
    assert.equal(totalsOf([february!, march!]), '10.00, 0.00');
    await calls('02', 1);
    await advance(id, at('04-06'));
    await calls('04', 10);
    await advance(id, at('05-01'), { hold_drafts: true });
    const draft = (await read(`/v1/invoices?customer_id=${id}`)).data[0];
    assert.equal(linesOf(draft), 'usage 10.00, late_usage -8.90');
    await calls('04', 1);
    await done(`/v1/invoices/${march!.id}/regenerate`);
    assert.equal((await done(`/v1/invoices/${draft.id}/finalize`)).total, '1.10');
    const [note] = (await read(`/v1/credit-notes?customer_id=${id}`)).data;
    assert.deepEqual([note.invoice_id, note.total], [february!.id, '8.90']);
  });
});
