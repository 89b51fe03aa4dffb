import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 4. */
describe('the same payment twice', function () {
  const stack = useStack();
  const { post, done, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));

  /** Two open invoices of 49.00 of one customer, at 10 March. */
  async function twoInvoices(): Promise<Json[]> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const invoices = await advance(customer_id, at('03-01'));
    await advance(customer_id, at('03-10'));
    return invoices;
  }

  const pay = (invoice: Json, body: Json, headers: Record<string, string> = {}) =>
    post(`/v1/invoices/${invoice.id}/payments`, body, { headers });
  const deposit = (customer_id: string, body: Json) => post(`/v1/customers/${customer_id}/payments`, body);

  const assertDuplicate = (answer: Json, of: Json) => {
    assertRefused(answer, { code: 'conflict', param: 'reference', reason: 'duplicate_payment' });
    assert.ok(answer.body.error.message.includes(of.body.id), answer.body.error.message);
  };

  const SENT = { amount: '5', reference: 'transfer 1', paid_at: at('03-05T08:00') };

  it('of an invoice is refused by its reference, amount and day, unless it is allowed', async () => {
    const [january, february] = await twoInvoices();
    const first = await pay(january, SENT);
    assert.equal(first.status, 201);
    assertDuplicate(await pay(january, { ...SENT, amount: '5.00', paid_at: at('03-05T23:59') }), first);
    for (const other of [
      { reference: 'transfer 2' },
      { reference: undefined },
      { amount: '5.01' },
      { paid_at: at('03-06') },
      { allow_duplicate: true },
    ])
      assert.equal((await pay(january, { ...SENT, ...other })).status, 201, JSON.stringify(other));
    assert.equal((await pay(february, SENT)).status, 201, 'one transfer for two invoices');
    assert.equal((await deposit(january.customer_id, SENT)).status, 201, 'nor for the balance');
  });

  it('may be recorded again once the first one is reversed', async () => {
    const [january] = await twoInvoices();
    const first = await pay(january, SENT);
    await done(`/v1/payments/${first.body.id}/reverse`, { reason: 'mistake' });
    assert.equal((await pay(january, SENT)).status, 201);
  });

  it('is refused before the state of the invoice, but after its key and what is malformed', async () => {
    const [january] = await twoInvoices();
    const all = { ...SENT, amount: '49' };
    const headers = { 'Idempotency-Key': `payment-of-${january.id}` };
    const first = await pay(january, all, headers);
    assertDuplicate(await pay(january, all), first);
    assertDuplicate(await pay(january, { ...all, excess: 'balance' }), first);
    assert.deepEqual((await pay(january, all, headers)).body, first.body);
    assertRefused(await pay(january, { ...all, amount: '49.001' }), {
      code: 'invalid_request',
      param: 'amount',
    });
    assertRefused(await pay(january, { ...all, paid_at: at('03-11') }), {
      code: 'invalid_request',
      param: 'paid_at',
    });
    const { reference, paid_at } = all;
    assertRefused(await post(`/v1/invoices/${january.id}/pay`, { reference, paid_at }), {
      code: 'conflict',
      reason: 'invalid_state',
    });
    assertRefused(await pay(january, { reference, paid_at }), { code: 'conflict', reason: 'invalid_state' });
  });

  it('is compared with what is due, where no amount is sent', async () => {
    const [january, february] = await twoInvoices();
    const half = { amount: '24.50', reference: 'transfer 1', paid_at: at('03-05') };
    const { reference, paid_at } = half;
    for (const [invoice, path] of [
      [january, 'pay'],
      [february, 'payments'],
    ] as const) {
      const first = await pay(invoice, half);
      const rest = `/v1/invoices/${invoice.id}/${path}`;
      assertDuplicate(await post(rest, { reference, paid_at }), first);
      await done(rest, { reference, paid_at, allow_duplicate: true });
    }
  });

  it('in advance is compared with what the customer paid in advance', async () => {
    const [january] = await twoInvoices();
    const { customer_id } = january;
    await pay(january, SENT);
    const first = await deposit(customer_id, SENT);
    assert.equal(first.status, 201);
    assertDuplicate(await deposit(customer_id, SENT), first);
    assert.equal((await deposit(customer_id, { ...SENT, allow_duplicate: true })).status, 201);
    const other = await customer();
    assert.equal((await deposit(other, { ...SENT, paid_at: at('01-01') })).status, 201);
    assert.equal((await deposit(other, { amount: '10' })).status, 201);
    assert.equal((await deposit(other, { amount: '10' })).status, 201, 'without a reference');
  });

  it('is recorded once of ten at a time', async () => {
    const customer_id = await customer();
    const body = { ...SENT, paid_at: at('01-01') };
    const answers = await Promise.all(Array.from({ length: 10 }, () => deposit(customer_id, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  });
});
