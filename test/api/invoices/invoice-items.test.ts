import assert from 'node:assert/strict';
import { PENDING_ITEMS_MAX } from '../../../src/billing/close/invoice-item.ts';
import type { Json } from '../../support/servers/api.ts';
import { pagesOf } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
  times,
} from '../../support/ledger/test-customer.ts';

/** contract.md 4, billing.md 7. */
describe('invoice items', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { get, post, done, read, customer, subscribe, plan, use, advance } = testCustomersOn(request);

  const add = (customer_id: string, unit_amount: string, parts: object = {}) =>
    post('/v1/invoice-items', { customer_id, description: `Item of ${unit_amount}`, unit_amount, ...parts });
  const added = async (...args: Parameters<typeof add>) => {
    const { status, body } = await add(...args);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const remove = (id: string) => request(`/v1/invoice-items/${id}`, { method: 'DELETE' });
  const stateOf = async ({ id }: Json) => {
    const { status, invoice_id } = await read(`/v1/invoice-items/${id}`);
    return [status, invoice_id];
  };
  const invoicesOf = async (customer_id: string): Promise<Json[]> =>
    (await read(`/v1/invoices?customer_id=${customer_id}`)).data;
  const linesOf = ({ line_items }: Json) =>
    line_items.map(({ type, amount }: Json) => `${type} ${amount}`).join(', ');
  /** Lines and total of the invoices, the oldest first. */
  const billsOf = async (customer_id: string) =>
    (await invoicesOf(customer_id))
      .filter(({ status }) => status !== 'void')
      .toReversed()
      .map((invoice) => `${linesOf(invoice)} = ${invoice.total}`);

  /** A customer who pays 49.00 a month from 1 January on. */
  async function aCustomer(parts: object = {}): Promise<[customer_id: string, subscription: Json]> {
    const customer_id = await customer(parts);
    return [customer_id, await subscribe(customer_id, await plan([FLAT]))];
  }

  it('join the next invoice, behind the lines of the plan, taxed like them', async () => {
    const [customer_id, { id: subscription_id }] = await aCustomer({ tax_rate: '20' });
    const item = await added(customer_id, '80', { quantity: '2.5', description: 'Import, per hour' });
    const { id, created_by, ...shown } = item;
    assert.match(id, /^ii_/);
    assert.match(created_by, /^key_/);
    assert.deepEqual(shown, {
      object: 'invoice_item',
      livemode: false,
      created_at: at('01-01'),
      status: 'pending',
      ...{ customer_id, subscription_id, currency: 'USD' },
      ...{ description: 'Import, per hour', quantity: '2.5', unit_amount: '80', amount: '200.00' },
      ...{ invoice_id: null, split_from: null },
    });
    const upcoming = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    assert.equal(`${linesOf(upcoming)} = ${upcoming.total}`, 'flat 49.00, item 200.00 = 298.80');
    await advance(customer_id, at('02-01'));
    const [invoice] = await invoicesOf(customer_id);
    const { id: line_id, ...line } = invoice!.line_items[1];
    assert.match(line_id, /^li_/);
    assert.deepEqual(line, {
      type: 'item',
      charge_id: null,
      ...{ price_index: null, group: null, others: false },
      invoice_item: { id, unit_amount: '80' },
      event_name: null,
      description: 'Import, per hour',
      pricing_model: null,
      aggregation: null,
      quantity: '2.5',
      skipped_events: 0,
      credits_applied: '0',
      billable_quantity: '2.5',
      tiers: null,
      amount: '200.00',
      period_start: at('01-01'),
      period_end: at('02-01'),
      ...{ discounts: [], amount_before: null, stretches: null, billed_before: null },
    });
    assert.deepEqual(await stateOf(item), ['invoiced', invoice!.id]);
    assertRefused(await remove(id), { code: 'conflict', reason: 'invalid_state' });
    await advance(customer_id, at('03-01'));
    assert.deepEqual(await billsOf(customer_id), ['flat 49.00, item 200.00 = 298.80', 'flat 49.00 = 58.80']);
  });

  it('stand on the document with quantity and unit price', async () => {
    const [customer_id] = await aCustomer();
    await added(customer_id, '80', { quantity: '2.5', description: 'Import, per hour' });
    await added(customer_id, '-10', { description: 'Discount' });
    await advance(customer_id, at('02-01'));
    const [invoice] = await invoicesOf(customer_id);
    const printed = await fetch(`${stack().api_url}/v1/invoices/${invoice!.id}.pdf`, {
      headers: { Authorization: `Bearer ${stack().test_key}` },
    });
    const text = (await pagesOf(Buffer.from(await printed.arrayBuffer()))).flat().join(' ');
    assert.match(text, /Import, per hour \| 2\.5 \| 80\.00 \| 200\.00/);
    assert.match(text, /Discount \| 1 \| -10\.00 \| -10\.00/);
    const { data: events } = await read(
      `/v1/invoices/${invoice!.id}/line-items/${invoice!.line_items[1].id}/events`,
    );
    assert.deepEqual(events, []);
  });

  it('below zero wait while they would take the subtotal below zero, and stand before late lines', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    const discount = await added(customer_id, '-5');
    await advance(customer_id, at('02-01'));
    assert.deepEqual(await stateOf(discount), ['pending', null]);
    await use(customer_id, times(3, { timestamp: at('01-05') }));
    await added(customer_id, '-1');
    await added(customer_id, '6');
    await advance(customer_id, at('03-01'));
    const bills = await billsOf(customer_id);
    assert.match(bills[1]!, /^usage 0\.00, item 6\.00, item -5\.00, item -1\.00, late_usage /);
    assert.equal((await stateOf(discount))[0], 'invoiced');
  });

  it('join the draft that is held, and leave it when they are deleted', async () => {
    const [customer_id] = await aCustomer();
    await advance(customer_id, at('03-01'), { hold_drafts: true });
    assert.deepEqual(await billsOf(customer_id), ['flat 49.00 = 49.00', 'flat 49.00 = 49.00']);
    const [kept, deleted] = [await added(customer_id, '10'), await added(customer_id, '7')];
    const [, january] = await invoicesOf(customer_id);
    assert.deepEqual(await stateOf(kept), ['pending', january!.id]);
    assert.deepEqual(await billsOf(customer_id), [
      'flat 49.00, item 10.00, item 7.00 = 66.00',
      'flat 49.00 = 49.00',
    ]);
    assert.deepEqual((await remove(deleted.id)).body, {
      id: deleted.id,
      object: 'invoice_item',
      deleted: true,
    });
    assertRefused(await remove(deleted.id), { code: 'not_found' });
    assertRefused(await get(`/v1/invoice-items/${deleted.id}`), { code: 'not_found' });
    assert.deepEqual((await billsOf(customer_id))[0], 'flat 49.00, item 10.00 = 59.00');
    await done(`/v1/invoices/${january!.id}/finalize`);
    assert.deepEqual(await stateOf(kept), ['invoiced', january!.id]);
  });

  it('return to pending with a void, and a regeneration keeps its own and takes no new ones', async () => {
    const [customer_id, { id: subscription_id }] = await aCustomer();
    const own = await added(customer_id, '10');
    await advance(customer_id, at('02-01'));
    const later = await added(customer_id, '7');
    const [january] = await invoicesOf(customer_id);
    const preview = await done(`/v1/invoices/${january!.id}/regenerate`, { dry_run: true });
    assert.deepEqual(preview.changes, []);
    const regenerated = await done(`/v1/invoices/${january!.id}/regenerate`, {});
    assert.deepEqual(await billsOf(customer_id), ['flat 49.00, item 10.00 = 59.00']);
    assert.deepEqual(await stateOf(own), ['invoiced', regenerated.id]);
    assert.deepEqual(await stateOf(later), ['pending', null]);
    await done(`/v1/invoices/${regenerated.id}/void`, {});
    assert.deepEqual(await stateOf(own), ['pending', null]);
    await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(await billsOf(customer_id), ['flat 49.00, item 10.00, item 7.00 = 66.00']);
  });

  it('go to the subscription whose invoice comes next, or to the one that is named', async () => {
    const customer_id = await customer();
    const fee = (event_name: string, interval: string) => plan([{ ...FLAT, event_name }], { interval });
    const yearly = await subscribe(customer_id, await fee('year', 'year'));
    const monthly = await subscribe(customer_id, await fee('month', 'month'));
    const item = await added(customer_id, '1');
    assert.equal(item.subscription_id, monthly.id);
    const named = await added(customer_id, '2', { subscription_id: yearly.id });
    assert.equal(named.subscription_id, yearly.id);
    const ids = async (query: string) =>
      (await read(`/v1/invoice-items?${query}`)).data.map(({ id }: Json) => id);
    assert.deepEqual(await ids(`customer_id=${customer_id}`), [named.id, item.id]);
    assert.deepEqual(await ids(`subscription_id=${yearly.id}`), [named.id]);
    await advance(customer_id, at('02-01'));
    assert.deepEqual(await ids(`customer_id=${customer_id}&status=pending`), [named.id]);
    assert.deepEqual(await ids(`customer_id=${customer_id}&status=invoiced`), [item.id]);
    assert.deepEqual(await ids(`customer_id=${await customer()}`), []);
  });

  it('are on the last invoice of a canceled subscription, even without late usage', async () => {
    const [customer_id, { id: subscription_id }] = await aCustomer();
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'period_end' });
    await advance(customer_id, at('02-01'));
    await added(customer_id, '10', { subscription_id });
    await advance(customer_id, at('03-20'));
    assert.deepEqual(await billsOf(customer_id), ['flat 49.00 = 49.00', 'item 10.00 = 10.00']);
    assertRefused(await add(customer_id, '1', { subscription_id }), {
      code: 'conflict',
      reason: 'invalid_state',
    });
  });

  it('are refused before anything is stored', async () => {
    const [customer_id] = await aCustomer();
    const [, stranger] = await aCustomer();
    const rows: [parts: object, refusal: object][] = [
      [{ customer_id: 'nobody' }, { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' }],
      [
        { subscription_id: stranger.id },
        { code: 'not_found', param: 'subscription_id', reason: 'unknown_subscription' },
      ],
      [{ quantity: '0' }, { code: 'invalid_request', param: 'quantity', reason: 'out_of_range' }],
      [{ quantity: '-1' }, { code: 'invalid_request', param: 'quantity', reason: 'out_of_range' }],
      [{ unit_amount: 'x' }, { code: 'invalid_request', param: 'unit_amount', reason: 'malformed' }],
      [{ description: '' }, { code: 'invalid_request', param: 'description' }],
      [{ amount: '5' }, { code: 'invalid_request', param: 'amount', reason: 'unknown_member' }],
    ];
    for (const [parts, refusal] of rows) assertRefused(await add(customer_id, '5', parts), refusal as never);
    assertRefused(await add(await customer(), '5'), { code: 'conflict', reason: 'invalid_state' });
    assert.deepEqual((await read(`/v1/invoice-items?customer_id=${customer_id}`)).data, []);
  });

  it('have one effect for ten equal requests at once, and a limit', async () => {
    const [customer_id] = await aCustomer();
    const body = { customer_id, description: 'Setup', unit_amount: '1' };
    const key = { 'Idempotency-Key': `item-${customer_id}` };
    await Promise.all(
      Array.from({ length: 10 }, () => request('/v1/invoice-items', { method: 'POST', body, headers: key })),
    );
    const pending = async () => (await read(`/v1/invoice-items?customer_id=${customer_id}&limit=200`)).data;
    assert.equal((await pending()).length, 1);
    for (let made = 1; made < PENDING_ITEMS_MAX; made++) await added(customer_id, '1');
    assertRefused(await add(customer_id, '1'), { code: 'conflict', reason: 'invalid_state' });
    await advance(customer_id, at('02-01'));
    assert.equal((await invoicesOf(customer_id))[0]!.total, '249.00');
    const [first] = await pending();
    const deletions = await Promise.all([1, 2, 3].map(() => remove((first as Json).id)));
    assert.deepEqual(
      deletions.map(({ status }) => status),
      [409, 409, 409],
    );
    const item = await added(customer_id, '1');
    const gone = await Promise.all([1, 2, 3].map(() => remove(item.id)));
    assert.deepEqual(gone.map(({ status }) => status).sort(), [200, 404, 404]);
  });
});
