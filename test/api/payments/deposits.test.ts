import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused, type Refusal } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, later, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 4, billing.md 7. */
describe('payments in advance', function () {
  const stack = useStack();
  const { get, post, done, read, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));

  const deposit = (customer_id: string, body: Json, sent: object = {}) =>
    post(`/v1/customers/${customer_id}/payments`, body, sent);
  const reverse = (id: string, reason: string) => post(`/v1/payments/${id}/reverse`, { reason });
  const balanceOf = async (customer_id: string) => (await read(`/v1/customers/${customer_id}`)).balance;
  const entriesOf = async (customer_id: string) =>
    (await read(`/v1/customers/${customer_id}/balance-entries`)).data;
  const owedOf = async ({ id }: Json) => {
    const { status, amount_due, balance_applied, balance_at_issue } = await read(`/v1/invoices/${id}`);
    return [status, amount_due, balance_applied, balance_at_issue];
  };

  it('need no invoice and no subscription, and go to the balance', async () => {
    const customer_id = await customer();
    const sent = { amount: '100', reference: 'transfer 1', paid_at: '2020-01-01' };
    assertRefused(await deposit(customer_id, sent), { code: 'invalid_request', param: 'paid_at' });
    const made = await deposit(customer_id, { ...sent, paid_at: later(at('01-01'), -86_400_000) });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, created_by, ...payment } = made.body;
    assert.match(id, /^pay_/);
    assert.match(created_by, /^key_/);
    assert.deepEqual(payment, {
      object: 'payment',
      livemode: false,
      created_at: at('01-01'),
      invoice_id: null,
      customer_id,
      currency: 'USD',
      amount: '100.00',
      to_balance: '100.00',
      reference: 'transfer 1',
      paid_at: later(at('01-01'), -86_400_000),
      transfer_id: null,
      ...{ reversed_at: null, reversal_reason: null, reversed_by: null },
      ...{ refunded: '0.00', refundable: '0.00' },
    });
    assert.equal(made.headers.get('location'), `/v1/payments/${id}`);
    assert.deepEqual(await read(`/v1/payments/${id}`), made.body);
    assert.equal(await balanceOf(customer_id), '100.00');
    const [{ id: _, ...entry }, ...more] = await entriesOf(customer_id);
    assert.deepEqual(more, []);
    assert.deepEqual(entry, {
      object: 'balance_entry',
      livemode: false,
      created_at: at('01-01'),
      customer_id,
      type: 'deposit',
      currency: 'USD',
      amount: '100.00',
      reason: null,
      ...{ invoice_id: null, credit_note_id: null, payment_id: id },
      created_by,
    });
  });

  it('are taken by the next invoice; what is open is covered by hand', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const [january] = await advance(customer_id, at('02-01'));
    const { id } = await read(`/v1/customers/${customer_id}`);
    assert.equal((await deposit(id, { amount: '90.00' })).status, 201, 'by either id');
    assert.deepEqual(await owedOf(january), ['open', '49.00', '0.00', '0.00']);
    const [february] = await advance(customer_id, at('03-01'));
    assert.deepEqual(await owedOf(february), ['paid', '0.00', '49.00', '49.00']);
    await done(`/v1/invoices/${january.id}/apply-balance`);
    assert.deepEqual(await owedOf(january), ['open', '8.00', '41.00', '0.00']);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('are in lists, files, search and the journal, and are reversed', async () => {
    const customer_id = await customer();
    const { body: payment } = await deposit(customer_id, { amount: '50.00', reference: 'advance 7' });
    const listed = async (query: string) => (await read(`/v1/payments?${query}`)).data;
    assert.deepEqual(await listed(`customer_id=${customer_id}`), [payment]);
    assert.deepEqual(await listed('reference=advance%207'), [payment]);
    for (const q of [payment.id, 'advance 7'])
      assert.deepEqual((await read(`/v1/search?q=${encodeURIComponent(q)}`)).data, [payment]);
    const file = async (path: string) => (await csvFrom(stack().api_url + path, stack().test_key)).rows;
    const [row] = await file(`/v1/payments.csv?customer_id=${customer_id}`);
    assert.deepEqual([row!['id'], row!['invoice_id'], row!['to_balance']], [payment.id, '', '50.00']);
    await advance(customer_id, at('01-05'));
    const reversed = await reverse(payment.id, 'Returned by the bank');
    assert.deepEqual(
      [reversed.status, reversed.body.reversed_at, reversed.body.reversal_reason],
      [200, at('01-05'), 'Returned by the bank'],
    );
    assert.deepEqual(await listed(`customer_id=${customer_id}`), [reversed.body]);
    assert.equal(await balanceOf(customer_id), '0.00');
    assert.deepEqual(
      (await entriesOf(customer_id)).map(({ type, amount, reason }: Json) => [type, amount, reason]),
      [
        ['deposit', '-50.00', 'Returned by the bank'],
        ['deposit', '50.00', null],
      ],
    );
    assertRefused(await reverse(payment.id, 'again'), { code: 'conflict', reason: 'invalid_state' });
    const journal = await file(`/v1/journal.csv?from=${at('01-01')}&to=${at('02-01')}`);
    assert.deepEqual(
      journal
        .filter((line) => line['customer_id'] === customer_id)
        .map(({ type, object_id, account, debit, credit }) => [type, object_id, account, debit, credit]),
      [
        ['payment', payment.id, 'customer_balance', '', '50.00'],
        ['payment', payment.id, 'cash', '50.00', ''],
        ['reversal', payment.id, 'customer_balance', '50.00', ''],
        ['reversal', payment.id, 'cash', '', '50.00'],
      ],
    );
  });

  it('have the digits of the currency, and hold it', async () => {
    const customer_id = await customer({ currency: 'JPY' });
    assertRefused(await deposit(customer_id, { amount: '0.5' }), {
      code: 'invalid_request',
      param: 'amount',
    });
    const { body } = await deposit(customer_id, { amount: 500 });
    assert.deepEqual([body.currency, body.amount, body.to_balance], ['JPY', '500', '500']);
    const patch = { method: 'PATCH', body: { currency: 'USD' } } as const;
    const refused = await requestsTo(stack)(`/v1/customers/${customer_id}`, patch);
    assert.deepEqual(
      refused.body.error.details.map(({ reason }: Json) => reason),
      ['invalid_state', 'has_balance_entries'],
    );
  });

  it('are recorded once for a key, are of one environment, and are refused where they are wrong', async () => {
    const customer_id = await customer();
    const headers = { 'Idempotency-Key': `deposit-of-${customer_id}` };
    const first = await deposit(customer_id, { amount: '1' }, { headers });
    const again = await deposit(customer_id, { amount: '1' }, { headers });
    assert.deepEqual([first.status, again.body], [201, first.body]);
    assertRefused(await deposit(customer_id, { amount: '2' }, { headers }), {
      code: 'conflict',
      reason: 'idempotency_mismatch',
    });
    assert.equal(await balanceOf(customer_id), '1.00');
    const live = { key: stack().live_key };
    assert.equal((await deposit(customer_id, { amount: '1' }, live)).status, 404);
    assert.equal((await get(`/v1/payments/${first.body.id}`, live)).status, 404);
    const path = `/v1/payments/${first.body.id}/reverse`;
    assert.equal((await post(path, { reason: 'x' }, live)).status, 404);
    const REFUSED: [body: Json, refusal: Refusal][] = [
      [{}, { code: 'invalid_request', param: 'amount', reason: 'missing' }],
      [{ amount: '0' }, { code: 'invalid_request', param: 'amount', reason: 'out_of_range' }],
      [{ amount: '-1' }, { code: 'invalid_request', param: 'amount', reason: 'out_of_range' }],
      [{ amount: '1.001' }, { code: 'invalid_request', param: 'amount', reason: 'out_of_range' }],
      [{ amount: 'all' }, { code: 'invalid_request', param: 'amount', reason: 'malformed' }],
      [
        { amount: '1', reference: ' ' },
        { code: 'invalid_request', param: 'reference', reason: 'malformed' },
      ],
      [
        { amount: '1', excess: 'balance' },
        { code: 'invalid_request', param: 'excess' },
      ],
      [
        { amount: '1', allow_duplicate: 'yes' },
        { code: 'invalid_request', param: 'allow_duplicate' },
      ],
      [
        { amount: '1', paid_at: later(at('01-01'), 1) },
        { code: 'invalid_request', param: 'paid_at' },
      ],
      [
        { amount: '1', paid_at: later(at('01-01'), -366 * 86_400_000 - 1) },
        { code: 'invalid_request', param: 'paid_at', reason: 'out_of_range' },
      ],
    ];
    for (const [body, refusal] of REFUSED) assertRefused(await deposit(customer_id, body), refusal);
    const earliest = { amount: '1', paid_at: later(at('01-01'), -366 * 86_400_000) };
    assert.equal((await deposit(customer_id, earliest)).status, 201);
    assert.equal(await balanceOf(customer_id), '2.00');
    assert.equal((await deposit('nobody', { amount: '1' })).status, 404);
    assert.equal((await reverse('pay_01kgbtzk40f259hrnywwde1ktz', 'x')).status, 404);
    assertRefused(await post(path, {}), { code: 'invalid_request', param: 'reason' });
  });
});
