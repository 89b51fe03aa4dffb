import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 10: unused time that lines and invoices had too little left for is owed. */
describe('unused time of fees beside credit notes of people', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { advance, customer, done, plan, post, read, subscribe, use } = customers;
  const { aLife, balanceOf, change, invoicesOf, notesOf, pay, untilOpened } = feeLivesOn(customers);

  const note = (invoice: Json, lines: unknown, parts: object = {}): Promise<Json> =>
    done(`/v1/invoices/${invoice['id']}/credit-notes`, { lines, reason: 'Goodwill', ...parts });
  const part = (invoice: Json, amount: string) => [
    { line_item_id: invoice['line_items'][0].id as string, amount },
  ];
  const voidNote = ({ id }: Json): Promise<Json> => done(`/v1/credit-notes/${id}/void`);
  const cancel = (subscription_id: string, when: string, parts: object = {}): Promise<Json> =>
    done(`/v1/subscriptions/${subscription_id}/cancel`, { at: when, ...parts });
  /** The net amounts of the automatic notes that stand, oldest first. */
  const creditedOf = async (id: string): Promise<string[]> =>
    (await notesOf(id))
      .filter(({ automatic, status }) => automatic && status === 'issued')
      .map(({ subtotal }) => subtotal);

  it('1,200.00 a year, credited in full by hand, ended on 1 February, the note void: a note of 1,098.08', async () => {
    const id = await customer({}, at('01-01'));
    const yearly = await plan([fee('1200.00')], { interval: 'year' });
    const { id: subscription_id } = await subscribe(id, yearly);
    const [opening] = await untilOpened(id);
    await pay(opening!);
    const by_hand = await note(opening!, 'all', { settle: 'outside' });
    await advance(id, at('02-01'));
    await cancel(subscription_id, 'now');
    await advance(id, at('06-01'));
    assert.deepEqual(await creditedOf(id), []);
    await voidNote(by_hand);
    assert.deepEqual([await creditedOf(id), await balanceOf(id)], [['1098.08'], '1098.08']);
    const [automatic] = (await notesOf(id)).filter((one) => one['automatic']);
    assert.match(automatic!['reason'], /^Unused time from 1 February to 31 December \d+$/);
    assertRefused(await post(`/v1/credit-notes/${by_hand['id']}/void`), {
      code: 'conflict',
      reason: 'invalid_state',
    });
    assert.deepEqual(await creditedOf(id), ['1098.08']);
  });

  it('30.00 a month, 20.00 credited by hand, ended on the 16th, the note void: notes of 10.00 and 5.00', async () => {
    const { id, subscription_id, opening } = await aLife([fee('30.00')]);
    await pay(opening);
    const by_hand = await note(opening, part(opening, '20.00'));
    await advance(id, at('04-16'));
    await cancel(subscription_id, 'now');
    await advance(id, at('04-17'));
    assert.deepEqual(await creditedOf(id), ['10.00']);
    await voidNote(by_hand);
    assert.deepEqual([await creditedOf(id), await balanceOf(id)], [['10.00', '5.00'], '15.00']);
  });

  it('30.00 changed to 60.00 on 16 April, a note of all void later: 105.00 net with May', async () => {
    const { id, subscription_id, opening } = await aLife([fee('30.00')]);
    await pay(opening);
    const by_hand = await note(opening, 'all');
    await advance(id, at('04-16'));
    await change(subscription_id, { plan_id: await plan([fee('60.00')]), at: 'now' });
    await advance(id, at('05-02'));
    assert.deepEqual(await creditedOf(id), []);
    await voidNote(by_hand);
    assert.deepEqual(await creditedOf(id), ['15.00']);
    const billed = (await invoicesOf(id)).map(({ subtotal }) => Number(subtotal));
    assert.equal(billed.reduce((a, b) => a + b) - 15, 105);
  });

  it('an unpaid fee is due again for the time that ran alone', async () => {
    const { id, subscription_id, opening } = await aLife([fee('30.00')], '04-01', { tax_rate: '20' });
    const by_hand = await note(opening, 'all');
    await advance(id, at('04-16'));
    await cancel(subscription_id, 'now');
    await voidNote(by_hand);
    assert.deepEqual(
      [(await read(`/v1/invoices/${opening.id}`)).amount_due, await balanceOf(id)],
      ['18.00', '0.00'],
    );
  });

  it('goes where the end said: paid back outside, or nowhere', async () => {
    const totals = [];
    for (const settle of ['outside', 'none']) {
      const { id, subscription_id, opening } = await aLife([fee('30.00')]);
      await pay(opening);
      const by_hand = await note(opening, 'all');
      await advance(id, at('04-16'));
      await cancel(subscription_id, 'now', { settle });
      await voidNote(by_hand);
      const notes = (await notesOf(id)).filter((one) => one['automatic']);
      totals.push([notes.map(({ outside }) => outside), await balanceOf(id)]);
    }
    assert.deepEqual(totals, [
      [['15.00'], '0.00'],
      [[], '0.00'],
    ]);
  });

  it('a note on a home is made up for as well, once its plan was exchanged', async () => {
    const { id, subscription_id, opening } = await aLife([fee('30.00')]);
    await pay(opening);
    const [april] = await advance(id, at('05-01'));
    await pay(april!);
    const by_hand = await note(april!, part(april!, '12.00'));
    await advance(id, at('05-03'));
    await change(subscription_id, { plan_id: await plan([fee('60.00')]), at: at('05-01') });
    await advance(id, at('05-04'));
    assert.deepEqual(await creditedOf(id), ['18.00']);
    await voidNote(by_hand);
    assert.deepEqual(await creditedOf(id), ['18.00', '12.00']);
  });

  it('a void that is refused changes nothing', async () => {
    const { id, subscription_id, opening } = await aLife([fee('30.00')]);
    await pay(opening);
    const by_hand = await note(opening, 'all');
    await done(`/v1/customers/${id}/balance-adjustments`, { amount: '-30.00', reason: 'Payout' });
    await advance(id, at('04-16'));
    await cancel(subscription_id, 'now');
    const { status, body } = await post(`/v1/credit-notes/${by_hand['id']}/void`);
    assert.deepEqual(
      [status, body.error.details.map(({ reason }: Json) => reason)],
      [409, ['invalid_state', 'paid_out']],
    );
    assert.deepEqual(await creditedOf(id), []);
  });

  it('the void of an invoice whose late usage was credited beside it leaves room for the rest', async () => {
    const usage = {
      ...{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1' },
      aggregation: { type: 'sum', property: 'n' },
    };
    const { id, subscription_id, opening } = await aLife([fee('100.00'), usage]);
    const calls = (timestamp: string, n: number) =>
      use(id, [{ event_name: 'call', timestamp, properties: { n } }]);
    await pay(opening);
    await advance(id, at('04-02'));
    await done('/v1/invoice-items', { customer_id: id, description: 'Rebate', unit_amount: '-80.00' });
    await advance(id, at('04-30'));
    await calls(at('04-10'), 50);
    const [april] = await advance(id, at('05-01'));
    assert.equal(april!['subtotal'], '70.00');
    await advance(id, at('05-10'));
    await calls(at('04-11'), -30);
    const [first_part] = (await done('/v1/invoices/generate', { subscription_id, close_now: true })).data;
    assert.deepEqual(await creditedOf(id), ['30.00']);
    await advance(id, at('05-16T12:00'));
    await cancel(subscription_id, 'now');
    await advance(id, at('05-17'));
    assert.deepEqual(await creditedOf(id), ['30.00', '40.00']);
    await done(`/v1/invoices/${first_part.id}/void`);
    assert.deepEqual(await creditedOf(id), ['40.00', '10.00']);
  });
});
