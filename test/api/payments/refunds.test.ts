import assert from 'node:assert/strict';
import type { Payment } from '../../../src/objects/payment.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

describe('refunds and disputes over HTTP', () => {
  const { settings, stripe } = useStripe({ PUBLIC_URL: 'https://billing.example.com' });
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { done, read } = customers;
  const cards = savedCardsOn(customers, { stack, stripe });
  let provider_id: string;
  let made = 0;

  before(async () => {
    provider_id = (await done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY })).id;
  });

  /** A payment of 49.00 by a card. */
  async function aChargedPayment(): Promise<Payment> {
    const customer_id = `payer-${(made += 1)}`;
    await done('/v1/customers', { external_id: customer_id });
    await cards.saveCard(customer_id, '4242', 'succeeds');
    const invoice_id = await cards.anOpenInvoice(customer_id);
    const { payment_id } = await done(`/v1/invoices/${invoice_id}/charge`, {});
    return read(`/v1/payments/${payment_id}`);
  }
  /** Posts what waits at Stripe to the address of the provider. */
  const post = () =>
    stripe().post({
      url: `${stack().api_url}/provider-webhooks/${provider_id}`,
      secret: stripe().state.endpoints()[0]!.secret,
      order: 'reversed',
      times: 2,
    });
  const untilOf = (path: string, is: (value: Json) => boolean): Promise<Json> =>
    eventually(() => read(path), is);

  it('gives a part back, and says what is left', async () => {
    const payment = await aChargedPayment();
    assert.deepEqual([payment.refunded, payment.refundable], ['0.00', '49.00']);
    const body = { amount: '9', reason: 'goodwill' };
    const after = await done(`/v1/payments/${payment.id}/refund`, body);
    assert.deepEqual([after.refunded, after.refundable, after.reversal_reason], ['9.00', '0.00', 'goodwill']);
    const invoice = await read(`/v1/invoices/${payment.invoice_id}`);
    assert.deepEqual(
      [invoice.status, invoice.amount_due, invoice.collection_pause.reason],
      ['open', '9.00', 'other'],
    );
    const { data } = await read(`/v1/payment-refunds?payment_id=${payment.id}`);
    assert.deepEqual(
      data.map(({ amount, status, reason, credit_note_id }: Json) => [
        amount,
        status,
        reason,
        credit_note_id,
      ]),
      [['9.00', 'succeeded', 'goodwill', null]],
    );
    assert.deepEqual(await read(`/v1/payment-refunds/${data[0].id}`), data[0]);
    const rest = invoice.payments.at(-1);
    assert.deepEqual([rest.amount, rest.refundable, rest.created_by], ['40.00', '40.00', data[0].id]);
  });

  it('refuses what cannot be refunded', async () => {
    const payment = await aChargedPayment();
    const path = `/v1/payments/${payment.id}/refund`;
    const reason = 'goodwill';
    const faults: [string, object, number, string, string | null][] = [
      [path, { reason, amount: '49.01' }, 400, 'out_of_range', 'amount'],
      [path, { reason, amount: '1.001' }, 400, 'out_of_range', 'amount'],
      [path, {}, 400, 'missing', 'reason'],
      ['/v1/payments/pay_01kgbv8nd0fvgb3w05hj4z0mc4/refund', { reason }, 404, '', null],
    ];
    for (const [to, body, status, why, param] of faults) {
      const answer = await request(to, { method: 'POST', body });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      const detail = answer.body.error.details[0];
      if (why !== '') assert.deepEqual([detail.reason, detail.param], [why, param]);
    }
    const by_hand = await done('/v1/customers/payer-1/payments', {
      amount: '5',
      reference: 'pi_of_a_person',
    });
    const refused = await request(`/v1/payments/${by_hand.id}/refund`, { method: 'POST', body: { reason } });
    assert.deepEqual([refused.status, refused.body.error.details[0].reason], [409, 'not_refundable']);
  });

  it('repeated with its key, is done once', async () => {
    const payment = await aChargedPayment();
    const send = () =>
      request(`/v1/payments/${payment.id}/refund`, {
        method: 'POST',
        body: { amount: '9', reason: 'goodwill' },
        headers: { 'Idempotency-Key': `refund-${payment.id}` },
      });
    const [first, second] = [await send(), await send()];
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(stripe().refundsOf(payment.reference!).length, 1);
  });

  it('books a dispute by its events, in any order and twice, and its end', async () => {
    const { invoice_id, reference } = await aChargedPayment();
    await post();
    const dispute = stripe().dispute(reference!, 'needs_response', '49');
    await post();
    const path = `/v1/payment-disputes?invoice_id=${invoice_id}`;
    const { data } = await untilOf(path, (list) => list.data.length === 1);
    assert.deepEqual([data[0].status, data[0].amount, data[0].reason], ['open', '49.00', 'fraudulent']);
    const disputed = await read(`/v1/invoices/${invoice_id}`);
    assert.deepEqual([disputed.amount_due, disputed.collection_pause.reason], ['49.00', 'disputed']);
    stripe().moveDispute(dispute, 'won');
    await post();
    await untilOf(path, (list) => list.data[0].status === 'won');
    const { status, collection_pause } = await read(`/v1/invoices/${invoice_id}`);
    assert.deepEqual([status, collection_pause], ['paid', null]);
  });

  it('refunds by a credit note that settles outside', async () => {
    const payment = await aChargedPayment();
    const note = (body: object) =>
      request(`/v1/invoices/${payment.invoice_id}/credit-notes`, {
        method: 'POST',
        body: { lines: 'all', reason: 'late', ...body },
      });
    const alone = await note({ refund: true });
    assert.deepEqual([alone.status, alone.body.error.details[0].param], [400, 'refund']);
    const { body } = await note({ settle: 'outside', refund: true });
    assert.equal(body.outside, '49.00');
    await untilOf(`/v1/payment-refunds?payment_id=${payment.id}&status=succeeded`, ({ data }) => {
      return data.length === 1 && data[0].credit_note_id === body.id;
    });
    assert.equal(stripe().cashOf(payment.reference!), 0);
    assert.equal((await read(`/v1/payments/${payment.id}`)).reversed_at, null);
  });

  it('sends no receipt of the rest', async () => {
    await request('/v1/account', { method: 'PATCH', body: { email_kinds: ['receipt'] } });
    const payment = await aChargedPayment();
    await done(`/v1/payments/${payment.id}/refund`, { amount: '9', reason: 'goodwill' });
    const { invoice_id: later } = await aChargedPayment();
    // The log is read in its order: what came before this one has been seen.
    await untilOf(`/v1/emails?kind=receipt&invoice_id=${later}`, ({ data }) => data.length === 1);
    const { data } = await read(`/v1/emails?kind=receipt&invoice_id=${payment.invoice_id}`);
    assert.ok(
      data.every(({ object_id }: Json) => object_id === payment.id),
      JSON.stringify(data),
    );
  });

  it('is of its environment and its account alone', async () => {
    const { status, body } = await request('/v1/payment-refunds', { key: stack().live_key });
    assert.deepEqual([status, body.data], [200, []]);
    const unknown = await request('/v1/payment-disputes/pdp_01kgbv8pe0fvgb3w05hk50bnd5');
    assertRefused(unknown, { code: 'not_found' });
  });

  it('is in the feed', async () => {
    const types = async (): Promise<string[]> =>
      (await read('/v1/changes?types=payment_refund.*,payment_dispute.*&limit=200')).data.flatMap(
        (change: Json) => change.types ?? change.type,
      );
    const all = await eventually(types, (found) => found.includes('payment_dispute.won'));
    assert.ok(all.includes('payment_refund.created') && all.includes('payment_refund.succeeded'), `${all}`);
  });
});
