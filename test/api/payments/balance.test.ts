import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { pagesOf } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 4, billing.md 7. */
describe('the balance of a customer', function () {
  const stack = useStack();
  const { get, post, done, read, customer, subscribe, plan, use, advance } = testCustomersOn(
    requestsTo(stack),
  );

  const adjust = (customer_id: string, amount: string, reason = 'Goodwill') =>
    post(`/v1/customers/${customer_id}/balance-adjustments`, { amount, reason });
  const balanceOf = async (customer_id: string) => (await read(`/v1/customers/${customer_id}`)).balance;
  const entriesOf = async (customer_id: string) =>
    (await read(`/v1/customers/${customer_id}/balance-entries`)).data.map(({ type, amount }: Json) => [
      type,
      amount,
    ]);
  const owedOf = async ({ id }: Json) => {
    const { status, amount_due, balance_applied, balance_at_issue } = await read(`/v1/invoices/${id}`);
    return [status, amount_due, balance_applied, balance_at_issue];
  };

  /** A customer who pays 49.00 a month, by the plan's own currency. */
  async function aCustomer(parts: object = {}): Promise<string> {
    const customer_id = await customer(parts);
    await subscribe(customer_id, await plan([FLAT], parts));
    return customer_id;
  }

  it('is adjusted, and never below 0', async () => {
    const customer_id = await customer({ currency: 'JPY' });
    assert.equal(await balanceOf(customer_id), '0');
    const made = await adjust(customer_id, '500', 'Sorry');
    assert.equal(made.status, 201);
    const { id, created_by, ...entry } = made.body;
    assert.match(id, /^bal_/);
    assert.match(created_by, /^key_/);
    assert.deepEqual(entry, {
      object: 'balance_entry',
      livemode: false,
      created_at: at('01-01'),
      customer_id,
      type: 'adjustment',
      currency: 'JPY',
      amount: '500',
      reason: 'Sorry',
      ...{ invoice_id: null, credit_note_id: null, payment_id: null },
    });
    assertRefused(await adjust(customer_id, '-501'), {
      code: 'conflict',
      param: 'amount',
      reason: 'invalid_state',
    });
    const at_once = await Promise.all(Array.from({ length: 10 }, () => adjust(customer_id, '-100')));
    assert.equal(at_once.filter(({ status }) => status === 201).length, 5);
    assert.equal(await balanceOf(customer_id), '0');
    for (const amount of ['0', '0.5', 'all'])
      assertRefused(await adjust(customer_id, amount), { code: 'invalid_request', param: 'amount' });
    assertRefused(await adjust(customer_id, '1', ' '), { code: 'invalid_request', param: 'reason' });
    assert.equal((await adjust('nobody', '1')).status, 404);
    assert.equal((await get('/v1/customers/nobody/balance-entries')).status, 404);
  });

  it('covers an invoice when it is issued, and comes back with its void', async () => {
    const customer_id = await aCustomer();
    await adjust(customer_id, '60.00');
    const [january] = await advance(customer_id, at('02-01'));
    assert.deepEqual(await owedOf(january), ['paid', '0.00', '49.00', '49.00']);
    assert.equal(january.payment_status, 'paid');
    const [february] = await advance(customer_id, at('03-01'));
    assert.deepEqual(await owedOf(february), ['open', '38.00', '11.00', '11.00']);
    assert.equal(await balanceOf(customer_id), '0.00');
    await done(`/v1/invoices/${january.id}/void`);
    assert.deepEqual(await owedOf(january), ['void', '0.00', '0.00', '49.00']);
    assert.equal(await balanceOf(customer_id), '49.00');
    assert.deepEqual(await entriesOf(customer_id), [
      ['returned', '49.00'],
      ['applied', '-11.00'],
      ['applied', '-49.00'],
      ['adjustment', '60.00'],
    ]);
  });

  it('is on the document as it was at the issue, and applied by hand later without a change of the document', async () => {
    const customer_id = await aCustomer();
    await adjust(customer_id, '9.00');
    const [invoice] = await advance(customer_id, at('02-01'));
    const printed = await pdfOf(invoice);
    const words = (await pagesOf(printed)).flat().join(' ');
    for (const word of ['Balance applied', '-9.00 USD', '40.00 USD']) assert.ok(words.includes(word), words);
    await adjust(customer_id, '15.00');
    const path = `/v1/invoices/${invoice.id}/apply-balance`;
    assertRefused(await post(path, { amount: '15.01' }), {
      code: 'conflict',
      param: 'amount',
      reason: 'invalid_state',
    });
    assertRefused(await post(path, { amount: '0.001' }), { code: 'invalid_request', param: 'amount' });
    await done(path, { amount: '5' });
    assert.deepEqual(await owedOf(invoice), ['open', '35.00', '14.00', '9.00']);
    await done(path);
    assert.deepEqual(await owedOf(invoice), ['open', '25.00', '24.00', '9.00']);
    assertRefused(await post(path), { code: 'conflict', reason: 'invalid_state' });
    assert.ok(printed.equals(await pdfOf(invoice)));
    await adjust(customer_id, '100');
    await done(path);
    assert.deepEqual(await owedOf(invoice), ['paid', '0.00', '49.00', '9.00']);
    assert.equal(await balanceOf(customer_id), '75.00');
    assertRefused(await post(path), { code: 'conflict', reason: 'invalid_state' });
    assert.equal((await post('/v1/invoices/inv_01kgbtzk40f259hrnywwde1ktz/apply-balance')).status, 404);
  });

  async function pdfOf({ id }: Json): Promise<Buffer> {
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    return Buffer.from(
      await (await fetch(`${stack().api_url}/v1/invoices/${id}.pdf`, { headers })).arrayBuffer(),
    );
  }

  it('is given back and taken again by a regeneration', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    await use(customer_id, [{}, {}, {}]);
    await adjust(customer_id, '2.00');
    const [invoice] = await advance(customer_id, at('02-01'));
    assert.deepEqual(await owedOf(invoice), ['open', '1.00', '2.00', '2.00']);
    const next = await done(`/v1/invoices/${invoice.id}/regenerate`);
    assert.deepEqual(await owedOf(next), ['open', '1.00', '2.00', '2.00']);
    assert.deepEqual(await owedOf(invoice), ['void', '0.00', '0.00', '2.00']);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('gets the excess of a payment, and gives it back with the reversal while it is there', async () => {
    const customer_id = await aCustomer();
    const [invoice] = await advance(customer_id, at('02-01'));
    const path = `/v1/invoices/${invoice.id}/payments`;
    assertRefused(await post(path, { amount: '60' }), {
      code: 'conflict',
      param: 'amount',
      reason: 'invalid_state',
    });
    const payment = await done(path, { amount: '60', excess: 'balance' });
    assert.deepEqual([payment.amount, payment.to_balance], ['60.00', '11.00']);
    assert.deepEqual(await owedOf(invoice), ['paid', '0.00', '0.00', '0.00']);
    assert.equal(await balanceOf(customer_id), '11.00');
    await adjust(customer_id, '-1');
    const reverse = `${path}/${payment.id}/reverse`;
    assertRefused(await post(reverse, { reason: 'x' }), { code: 'conflict', reason: 'invalid_state' });
    await adjust(customer_id, '1');
    await done(reverse, { reason: 'x' });
    assert.deepEqual(await owedOf(invoice), ['open', '49.00', '0.00', '0.00']);
    assert.equal(await balanceOf(customer_id), '0.00');
    assert.deepEqual((await entriesOf(customer_id))[0], ['overpayment', '-11.00']);
  });

  it('holds the currency of its customer, and is of one environment', async () => {
    const customer_id = await customer({ currency: 'USD' });
    const { body: entry } = await adjust(customer_id, '1');
    const patched = await get(`/v1/customers/${customer_id}`, { method: 'PATCH', body: { currency: 'EUR' } });
    assertRefused(patched, { code: 'conflict', param: 'currency', reason: 'invalid_state' });
    const live = await get(`/v1/customers/${customer_id}/balance-entries`, { key: stack().live_key });
    assert.equal(live.status, 404);
    const page = await read(`/v1/customers/${customer_id}/balance-entries?limit=1`);
    assert.deepEqual([page.data, page.has_more], [[entry], false]);
  });
});
