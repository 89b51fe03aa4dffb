import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 4. */
describe('payments', function () {
  const stack = useStack();
  const { post, done, read, customer, subscribe, plan, use, advance } = testCustomersOn(requestsTo(stack));

  /** An open invoice of 3.00. */
  async function anInvoice(): Promise<Json> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    await use(customer_id, [{}, {}, {}]);
    const [invoice] = await advance(customer_id, at('02-01'));
    assert.deepEqual([invoice.status, invoice.total], ['open', '3.00']);
    return invoice;
  }

  async function aDraft(): Promise<Json> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    await use(customer_id, [{}, {}, {}]);
    const [invoice] = await advance(customer_id, at('02-01'), { hold_drafts: true });
    return invoice;
  }

  const pay = (id: string, body: Json) => post(`/v1/invoices/${id}/payments`, body);
  const reverse = (payment: Json, reason = 'by mistake') =>
    post(`/v1/invoices/${payment.invoice_id}/payments/${payment.id}/reverse`, { reason });
  const stateOf = async (id: string) => {
    const { status, payment_status, amount_paid, amount_due, paid_at } = await read(`/v1/invoices/${id}`);
    return [status, payment_status, amount_paid, amount_due, paid_at];
  };

  it('in parts make the invoice paid once nothing is due', async () => {
    const { id, customer_id } = await anInvoice();
    const first = await pay(id, { amount: '1', reference: 'cheque 12', paid_at: at('01-20') });
    const { id: payment_id, created_by, ...payment } = first.body;
    assert.equal(first.status, 201);
    assert.match(payment_id, /^pay_/);
    assert.match(created_by, /^key_/);
    assert.deepEqual(payment, {
      object: 'payment',
      livemode: false,
      created_at: at('02-01'),
      invoice_id: id,
      customer_id,
      currency: 'USD',
      amount: '1.00',
      to_balance: '0.00',
      reference: 'cheque 12',
      paid_at: at('01-20'),
      reversed_at: null,
      reversal_reason: null,
      transfer_id: null,
      reversed_by: null,
      ...{ refunded: '0.00', refundable: '0.00' },
    });
    assert.deepEqual(await read(first.headers.get('location')!), first.body);
    assert.deepEqual(await stateOf(id), ['open', 'partially_paid', '1.00', '2.00', null]);
    const last = await pay(id, {});
    assert.equal(last.body.amount, '2.00');
    assert.deepEqual(await stateOf(id), ['paid', 'paid', '3.00', '0.00', at('02-01')]);
    const { payments } = await read(`/v1/invoices/${id}`);
    assert.deepEqual(payments, [first.body, last.body]);
  });

  it('that are reversed are due again, and stay', async () => {
    const { id } = await anInvoice();
    const { body: payment } = await pay(id, { amount: '3.00' });
    assert.deepEqual(await stateOf(id), ['paid', 'paid', '3.00', '0.00', at('02-01')]);
    const reversed = await reverse(payment, 'of another customer');
    assert.equal(reversed.status, 200);
    assert.deepEqual(
      [reversed.body.reversed_at, reversed.body.reversal_reason, reversed.body.reversed_by],
      [at('02-01'), 'of another customer', payment.created_by],
    );
    assert.deepEqual(await stateOf(id), ['open', 'unpaid', '0.00', '3.00', null]);
    assertRefused(await reverse(payment), { code: 'conflict', reason: 'invalid_state' });
    await done(`/v1/invoices/${id}/pay`, {});
    assert.deepEqual(await stateOf(id), ['paid', 'paid', '3.00', '0.00', at('02-01')]);
  });

  it('stand in the way of void and regenerate, until they are reversed', async () => {
    const { id } = await anInvoice();
    const { body: payment } = await pay(id, { amount: '0.01' });
    for (const act of ['void', 'regenerate']) {
      const refused = await post(`/v1/invoices/${id}/${act}`, {});
      assert.equal(refused.status, 409);
      assert.deepEqual(
        refused.body.error.details.map(({ reason }: Json) => reason),
        ['invalid_state', 'has_payments'],
      );
    }
    await reverse(payment);
    const { status } = await done(`/v1/invoices/${id}/void`, {});
    assert.equal(status, 'void');
    assertRefused(await pay(id, { amount: '0.01' }), { code: 'conflict', reason: 'invalid_state' });
  });

  it('make an invoice paid at the latest of its issue and of what paid it', async () => {
    const { id, customer_id } = await anInvoice();
    await advance(customer_id, at('02-20'));
    const { body: late } = await pay(id, { amount: '2.00', paid_at: at('02-10') });
    await pay(id, { amount: '1.00', paid_at: at('02-05') });
    assert.equal((await read(`/v1/invoices/${id}`)).paid_at, at('02-10'));
    await reverse(late);
    await pay(id, { amount: '2.00', paid_at: at('01-20') });
    assert.equal((await read(`/v1/invoices/${id}`)).paid_at, at('02-05'));
    const other = await anInvoice();
    await pay(other.id, { paid_at: at('01-20') });
    assert.equal((await read(`/v1/invoices/${other.id}`)).paid_at, at('02-01'), 'not before the issue');
    await advance(other.customer_id, at('02-20'));
    const reasons = { reason: 'Outage' };
    const lines = [{ line_item_id: other.line_items[0].id, amount: '1.00' }];
    await done(`/v1/invoices/${other.id}/credit-notes`, { lines, ...reasons });
    assert.equal(
      (await read(`/v1/invoices/${other.id}`)).paid_at,
      at('02-01'),
      'the note took nothing off it',
    );
  });

  it('of an invoice that is paid go to the balance, if they may, and pay nothing of it', async () => {
    const { id, customer_id } = await anInvoice();
    assertRefused(await pay(id, { amount: '3.01' }), { code: 'conflict', param: 'amount' });
    await pay(id, { amount: '3.00', paid_at: at('01-20') });
    const paid = await stateOf(id);
    await advance(customer_id, at('02-05'));
    for (const body of [{}, { excess: 'balance' }, { amount: '1.00' }])
      assertRefused(await pay(id, body), { code: 'conflict', reason: 'invalid_state' });
    const { status, body } = await pay(id, { amount: '2', excess: 'balance', reference: 'twice' });
    assert.equal(status, 201);
    assert.deepEqual([body.invoice_id, body.amount, body.to_balance], [id, '2.00', '2.00']);
    assert.deepEqual(await stateOf(id), paid);
    assert.equal((await read(`/v1/customers/${customer_id}`)).balance, '2.00');
    const { payments } = await read(`/v1/invoices/${id}`);
    const entries = await read(`/v1/customers/${customer_id}/balance-entries`);
    assert.deepEqual(
      entries.data.map(({ type, amount, invoice_id, payment_id }: Json) => [
        type,
        amount,
        invoice_id,
        payment_id,
      ]),
      [['overpayment', '2.00', id, body.id]],
    );
    await reverse(payments[0]);
    assert.equal((await done(`/v1/invoices/${id}/void`)).status, 'void', 'the other one paid nothing');
    assertRefused(await pay(id, { amount: '1', excess: 'balance' }), {
      code: 'conflict',
      reason: 'invalid_state',
    });
    const reversed = await post(`/v1/payments/${body.id}/reverse`, { reason: 'bounced' });
    assert.deepEqual([reversed.status, reversed.body.reversal_reason], [200, 'bounced']);
    assert.equal((await read(`/v1/customers/${customer_id}`)).balance, '0.00');
    const draft = await aDraft();
    assertRefused(await pay(draft.id, { amount: '1', excess: 'balance' }), {
      code: 'conflict',
      reason: 'invalid_state',
    });
  });

  it('ten equal requests at once have one effect', async () => {
    const { id } = await anInvoice();
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(id, { amount: '3' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
    assert.deepEqual(await stateOf(id), ['paid', 'paid', '3.00', '0.00', at('02-01')]);
  });

  it('of parts at once never exceed what is due', async () => {
    const { id } = await anInvoice();
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(id, { amount: '0.70' })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 4);
    assert.deepEqual(await stateOf(id), ['open', 'partially_paid', '2.80', '0.20', null]);
  });

  it('are listed, newest first, by customer, invoice, reference and day', async () => {
    const { id, customer_id } = await anInvoice();
    const { body: a } = await pay(id, { amount: '1', reference: 'a', paid_at: at('01-10') });
    const { body: b } = await pay(id, { amount: '1', reference: 'b', paid_at: at('01-20') });
    const listed = async (query: string) => (await read(`/v1/payments?${query}`)).data;
    assert.deepEqual(await listed(`customer_id=${customer_id}`), [b, a]);
    assert.deepEqual(await listed(`invoice_id=${id}&reference=a`), [a]);
    assert.deepEqual(await listed(`invoice_id=${id}&from=${at('01-20')}`), [b]);
    assert.deepEqual(await listed(`invoice_id=${id}&to=${at('01-20')}`), [a]);
    assert.deepEqual(await listed(`customer_id=nobody`), []);
  });

  const REFUSED: [body: Json, param: string, reason: string, code: string][] = [
    [{ amount: '3.01' }, 'amount', 'invalid_state', 'conflict'],
    [{ amount: '1.001' }, 'amount', 'out_of_range', 'invalid_request'],
    [{ amount: '0' }, 'amount', 'out_of_range', 'invalid_request'],
    [{ amount: '-1' }, 'amount', 'out_of_range', 'invalid_request'],
    [{ amount: 'all' }, 'amount', 'malformed', 'invalid_request'],
    [{ amount: '1', reference: ' ' }, 'reference', 'malformed', 'invalid_request'],
    [{ amount: '1', paid_at: '9999-01-01' }, 'paid_at', 'out_of_range', 'invalid_request'],
    [{ amount: '1', currency: 'EUR' }, 'currency', 'unknown_member', 'invalid_request'],
  ];
  it('that are wrong are refused, and nothing is stored', async () => {
    const invoice = await anInvoice();
    for (const [body, param, reason, code] of REFUSED)
      assertRefused(await pay(invoice.id, body), { code, param, reason } as Parameters<
        typeof assertRefused
      >[1]);
    assert.deepEqual(await read(`/v1/invoices/${invoice.id}`), invoice);
    const other = await anInvoice();
    const { body: payment } = await pay(other.id, { amount: '1' });
    const foreign = await post(`/v1/invoices/${invoice.id}/payments/${payment.id}/reverse`, { reason: 'x' });
    assert.equal(foreign.status, 404);
    assert.equal((await reverse(payment, '')).status, 400);
    assert.equal((await pay('inv_01kgbtzk40f259hrnywwde1ktz', {})).status, 404);
  });
});
