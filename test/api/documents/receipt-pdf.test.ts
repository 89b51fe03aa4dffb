import assert from 'node:assert/strict';
import { pagesOf, usePoppler } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';

const YEAR = at('01-01').slice(0, 4);

/** contract.md 4. */
describe('the receipt of a payment', function () {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, get, plan, post, read, subscribe } = testCustomersOn(request);

  const fetchPdf = (id: string, key = stack().test_key) =>
    fetch(`${stack().api_url}/v1/payments/${id}.pdf`, { headers: { Authorization: `Bearer ${key}` } });
  const bytesOf = async (id: string) => {
    const answer = await fetchPdf(id);
    assert.equal(answer.status, 200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const linesOf = async (id: string) => (await pagesOf(await bytesOf(id))).flat();

  /** The invoice of January, 49.00, of a customer in Berlin, and a payment of it. */
  async function paid(body: Json): Promise<{ invoice: Json; payment: Json }> {
    const customer_id = await customer({
      name: 'Acme Ltd',
      timezone: 'Europe/Berlin',
      buyer_reference: 'PO 7',
    });
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-15'));
    const { body: payment } = await post(`/v1/invoices/${invoice.id}/payments`, body);
    return { invoice, payment };
  }

  it('says amount, local day and invoice, and not the reference of the payment', async () => {
    // Half past eleven in the evening in UTC is the next day in Berlin.
    const { invoice, payment } = await paid({
      ...{ amount: '40', reference: 'transfer 4711', paid_at: at('02-09T23:30') },
    });
    const answer = await fetchPdf(payment.id);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.equal(answer.headers.get('content-disposition'), `inline; filename="receipt-${payment.id}.pdf"`);
    const lines = await linesOf(payment.id);
    const whole = lines.join('\n');
    for (const part of [
      ...['Receipt', 'Acme Ltd', 'PO 7', payment.id, 'Time zone Europe/Berlin', 'TEST: test data'],
      ...['Amount paid 40.00 USD', `Paid 10 February ${YEAR}`, `For invoice ${invoice.number}`],
      ...[`Invoice ${invoice.number} | 40.00`, 'Total paid | 40.00 USD'],
    ])
      assert.ok(
        lines.some((line) => line.replaceAll(' | ', ' ').includes(part.replaceAll(' | ', ' '))),
        `${part} in ${whole}`,
      );
    for (const part of ['transfer 4711', 'balance', 'REVERSED']) assert.ok(!whole.includes(part), whole);
  });

  it('names the part that went to the balance', async () => {
    const { invoice, payment } = await paid({ amount: '60', excess: 'balance' });
    const lines = await linesOf(payment.id);
    assert.ok(lines.includes(`Invoice ${invoice.number} | 49.00`), lines.join('\n'));
    assert.ok(lines.includes('To your balance | 11.00'), lines.join('\n'));
    assert.ok(lines.includes('Total paid | 60.00 USD'), lines.join('\n'));
  });

  it('of a payment in advance has no invoice', async () => {
    const customer_id = await customer();
    const { id } = await done(`/v1/customers/${customer_id}/payments`, { amount: '25' });
    const lines = await linesOf(id);
    assert.ok(lines.includes('Payment in advance, to your balance | 25.00'), lines.join('\n'));
    assert.ok(!lines.join('\n').includes('For invoice'));
  });

  it('has a band once the payment is reversed, and else stays the same bytes', async () => {
    const { invoice, payment } = await paid({ amount: '49' });
    const before = await bytesOf(payment.id);
    const changes = { name: 'Bought', timezone: 'Asia/Tokyo', buyer_reference: null };
    const path = `/v1/customers/${invoice.customer_id}`;
    assert.equal((await request(path, { method: 'PATCH', body: changes })).status, 200);
    assert.ok(before.equals(await bytesOf(payment.id)));
    await done(`/v1/payments/${payment.id}/reverse`, { reason: 'A secret' });
    const words = (await linesOf(payment.id)).join('\n');
    assert.match(words, /REVERSED on 15 February \d{4}: this payment does not count/);
    assert.doesNotMatch(words, /secret/);
    assert.equal((await read(`/v1/invoices/${invoice.id}`)).status, 'open');
  });

  it('of an unknown payment, or for the key of live data, does not exist', async () => {
    const { payment } = await paid({ amount: '49' });
    assertRefused(await get('/v1/payments/pay_01m7.pdf'), { code: 'not_found' });
    assert.equal((await fetchPdf(payment.id, stack().live_key)).status, 404);
  });
});
