import assert from 'node:assert/strict';
import type { Json, Received } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { transfersOn } from '../../support/ledger/transfers.ts';

/** contract.md 4, billing.md 7. */
describe('transfers', function () {
  const stack = useStack();
  const given = testCustomersOn(requestsTo(stack));
  const { get, post, done, read, advance } = given;
  const { twoInvoices, owedOf, balanceOf } = transfersOn(given);
  const transfer = (body: Json, headers: Record<string, string> = {}): Promise<Received> =>
    post('/v1/transfers', body, { headers });
  const reverse = ({ id }: Json) => post(`/v1/transfers/${id}/reverse`, { reason: 'Returned by the bank' });

  it('of 160.00 pay 100.00 and 50.00, and 10.00 go to the balance', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const { id: key } = await read(`/v1/customers/${customer_id}`);
    const sent = { amount: '160', reference: 'INV 1 and 2', paid_at: at('02-03').slice(0, 10) };
    const made = await transfer({ customer_id: key, invoices: [hundred, fifty].map(idOf), ...sent });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, payments, ...rest } = made.body;
    assert.match(id, /^trf_/);
    assert.equal(made.headers.get('location'), `/v1/transfers/${id}`);
    const received = { customer_id, currency: 'USD', reference: sent.reference, paid_at: at('02-03') };
    const recorded = { livemode: false, created_at: at('02-10') };
    assert.deepEqual(rest, { object: 'transfer', ...recorded, ...received, amount: '160.00' });
    const part = { object: 'payment', ...recorded, ...received, transfer_id: id };
    const standing = {
      ...{ reversed_at: null, reversal_reason: null, reversed_by: null },
      ...{ refunded: '0.00', refundable: '0.00' },
    };
    assert.deepEqual(
      payments.map(({ id: _, created_by, ...payment }: Json) => {
        assert.match(created_by, /^key_/);
        return payment;
      }),
      [
        { ...part, ...standing, invoice_id: hundred.id, amount: '100.00', to_balance: '0.00' },
        { ...part, ...standing, invoice_id: fifty.id, amount: '50.00', to_balance: '0.00' },
        { ...part, ...standing, invoice_id: null, amount: '10.00', to_balance: '10.00' },
      ],
    );
    assert.deepEqual(await read(`/v1/transfers/${id}`), made.body);
    for (const payment of payments) assert.deepEqual(await read(`/v1/payments/${payment.id}`), payment);
    assert.deepEqual((await read(`/v1/payments?customer_id=${customer_id}`)).data, payments.toReversed());
    assert.deepEqual((await read(`/v1/invoices/${fifty.id}`)).payments, [payments[1]]);
    const { rows } = await csvFrom(
      `${stack().api_url}/v1/payments.csv?customer_id=${customer_id}`,
      stack().test_key,
    );
    assert.deepEqual(
      rows.map((row) => [row['transfer_id'], row['amount']]),
      [
        [id, '10.00'],
        [id, '50.00'],
        [id, '100.00'],
      ],
    );
    assert.deepEqual(await owedOf(hundred), ['paid', '0.00']);
    assert.deepEqual(await owedOf(fifty), ['paid', '0.00']);
    assert.equal(await balanceOf(customer_id), '10.00');
  });

  it('pay a part where an amount is sent, and nothing in advance where nothing is left', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const invoices = [idOf(hundred), { ...idOf(fifty), amount: '20.00' }];
    const { payments } = await done('/v1/transfers', { customer_id, amount: '120.00', invoices });
    assert.deepEqual(
      payments.map(({ amount }: Json) => amount),
      ['100.00', '20.00'],
    );
    assert.deepEqual(await owedOf(fifty), ['open', '30.00']);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('are listed, newest first, page by page', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const made: Json[] = [];
    for (const amount of ['1.00', '2.00', '3.00'])
      made.unshift(
        await done('/v1/transfers', { customer_id, amount, invoices: [{ ...idOf(hundred), amount }] }),
      );
    const path = `/v1/transfers?customer_id=${customer_id}`;
    assert.deepEqual((await read(path)).data, made);
    const first = await read(`${path}&limit=2`);
    assert.deepEqual([first.data, first.has_more], [made.slice(0, 2), true]);
    const second = await read(`${path}&limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([second.data, second.has_more], [made.slice(2), false]);
    assert.deepEqual((await read('/v1/transfers?customer_id=nobody')).data, []);
    assertRefused(await get('/v1/transfers/trf_1'), { code: 'not_found' });
  });

  it('are reversed as a whole: 100.00 and 50.00 are due again, and the 10.00 leave the balance', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const invoices = [hundred, fifty].map(idOf);
    const made = await done('/v1/transfers', { customer_id, amount: '160.00', invoices });
    const reversed = await reverse(made);
    assert.equal(reversed.status, 200, JSON.stringify(reversed.body));
    const { payments, ...rest } = reversed.body;
    const { payments: before, ...same } = made;
    assert.deepEqual(rest, same);
    assert.deepEqual(
      payments,
      before.map((payment: Json, place: number) => ({
        ...payment,
        reversed_at: at('02-10'),
        reversal_reason: 'Returned by the bank',
        reversed_by: payments[place].reversed_by,
      })),
    );
    assert.match(payments[2].reversed_by, /^key_/);
    assert.deepEqual(await owedOf(hundred), ['open', '100.00']);
    assert.deepEqual(await owedOf(fifty), ['open', '50.00']);
    assert.equal(await balanceOf(customer_id), '0.00');
    assertRefused(await reverse(made), { code: 'conflict', reason: 'invalid_state' });
    assertRefused(await reverse({ id: 'trf_1' }), { code: 'not_found' });
    assertRefused(await post(`/v1/transfers/${made.id}/reverse`), {
      code: 'invalid_request',
      param: 'reason',
    });
  });

  it('are reversed with those of their payments that stand, also where the next invoice has used the rest', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const invoices = [hundred, fifty].map(idOf);
    const made = await done('/v1/transfers', { customer_id, amount: '160.00', invoices });
    await done(`/v1/payments/${made.payments[0].id}/reverse`, { reason: 'By mistake' });
    const [next] = await advance(customer_id, at('03-02'));
    const due = (await read(`/v1/invoices/${next!.id}`)).amount_due;
    const { payments } = (await reverse(made)).body;
    assert.deepEqual(
      payments.map(({ reversal_reason, reversed_at }: Json) => [reversal_reason, reversed_at]),
      [
        ['By mistake', at('02-10')],
        ['Returned by the bank', at('03-02')],
        ['Returned by the bank', at('03-02')],
      ],
    );
    assert.deepEqual(await owedOf(fifty), ['open', '50.00']);
    assert.equal((await read(`/v1/invoices/${next!.id}`)).amount_due, `${Number(due) + 10}.00`);
  });

  it('are not reversed in part: what was paid out keeps all', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const invoices = [hundred, fifty].map(idOf);
    const made = await done('/v1/transfers', { customer_id, amount: '160.00', invoices });
    const payout = { amount: '-10.00', reason: 'Payout' };
    await done(`/v1/customers/${customer_id}/balance-adjustments`, payout);
    const refused = await reverse(made);
    assertRefused(refused, { code: 'conflict', reason: 'invalid_state' });
    assert.equal(refused.body.error.details[1].reason, 'paid_out');
    assert.deepEqual(await read(`/v1/transfers/${made.id}`), made);
    assert.deepEqual(await owedOf(hundred), ['paid', '0.00']);
  });

  it('have one effect of ten equal requests at once', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const body = { customer_id, amount: '160.00', invoices: [hundred, fifty].map(idOf) };
    const headers = { 'Idempotency-Key': `transfer-of-${hundred.id}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => transfer(body, headers)));
    const again = await transfer(body, headers);
    assert.equal(again.status, 201, JSON.stringify(again.body));
    for (const { status, body: answer } of answers)
      if (status === 201) assert.deepEqual(answer, again.body);
      else assert.equal(answer.error.details[0].reason, 'request_in_progress');
    assert.deepEqual((await read(`/v1/transfers?customer_id=${customer_id}`)).data, [again.body]);
    assert.equal(await balanceOf(customer_id), '10.00');
  });

  it('pay an invoice once beside ten payments of it at once', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const body = { customer_id, amount: '160.00', invoices: [hundred, fifty].map(idOf) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        place % 2 === 0 ? transfer(body) : post(`/v1/invoices/${fifty.id}/pay`),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status < 300).length,
      1,
      JSON.stringify(answers.map(({ status }) => status)),
    );
    for (const answer of answers.filter(({ status }) => status >= 300))
      assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
    assert.deepEqual(await owedOf(fifty), ['paid', '0.00']);
    const paid = await read(`/v1/payments?invoice_id=${fifty.id}`);
    assert.equal(paid.data.length, 1);
  });

  it('are in the audit log, each with its payments', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const made = await done('/v1/transfers', { customer_id, amount: '160.00', invoices: [idOf(hundred)] });
    const actions = (await read(`/v1/audit-log?customer_id=${customer_id}`)).data;
    assert.deepEqual(
      actions.slice(0, 3).map(({ action, object_id }: Json) => [action, object_id]),
      [
        ['payment.recorded', made.payments[1].id],
        ['payment.recorded', made.payments[0].id],
        ['transfer.recorded', made.id],
      ],
    );
    assert.deepEqual(actions[2].after, { amount: '160.00', paid_at: at('02-10') });
    assert.equal((await read('/v1/audit-log?action=transfer.recorded&limit=1')).data[0].object_id, made.id);
  });

  it('of test data are nothing to live data', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const body = { customer_id, amount: '160.00', invoices: [idOf(hundred)] };
    const made = await done('/v1/transfers', body);
    const live = { key: stack().live_key };
    assertRefused(await get(`/v1/transfers/${made.id}`, live), { code: 'not_found' });
    assertRefused(await post(`/v1/transfers/${made.id}/reverse`, { reason: 'x' }, live), {
      code: 'not_found',
    });
    assertRefused(await post('/v1/transfers', body, live), {
      code: 'not_found',
      param: 'customer_id',
      reason: 'unknown_customer',
    });
    assert.deepEqual((await get('/v1/transfers', live)).body.data, []);
  });
});

function idOf({ id }: Json): { id: string } {
  return { id };
}
