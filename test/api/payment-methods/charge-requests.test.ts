import assert from 'node:assert/strict';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json, Received } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

const PREPARE = /POST .*payment_intents$/;
const CONFIRM = /POST .*confirm$/;

/** Holds an answer until its release. */
function aHold(): { until: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => void (release = resolve));
  return { until, release: () => release() };
}

/** contract.md 16, billing.md 20. */
describe('requests to charge an invoice', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const customers = testCustomersOn(requestsTo(stack));
  const { customer, post, done, read } = customers;
  const { saveCard, anOpenInvoice } = savedCardsOn(customers, { stack, stripe });
  let made = 0;

  before(() => done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY }));

  /** An open invoice of 49.00 of a customer with a card. */
  async function anInvoice(): Promise<string> {
    const id = await customer({}, null);
    await saveCard(id, '4242', 'succeeds');
    return anOpenInvoice(id);
  }
  const charge = (invoice: string, key = `charge-${++made}`): Promise<Received> =>
    post(`/v1/invoices/${invoice}/charge`, {}, { headers: { 'Idempotency-Key': key } });
  const attemptsOf = async (invoice: string): Promise<Json[]> =>
    (await read(`/v1/payment-attempts?invoice_id=${invoice}`)).data;
  const amountsAt = (invoice: string): number[] =>
    stripe()
      .chargesOf(invoice)
      .map(({ amount }) => amount);
  /** Forgets the answer that a key has, as if the process had died before it was stored. */
  const forget = (key: string) => stack().pool.query('delete from idempotency_keys where key = $1', [key]);

  it('repeated with its key have the same answer and the same attempt', async () => {
    const invoice = await anInvoice();
    const first = await charge(invoice, 'twice');
    assert.deepEqual([first.status, first.body.status], [201, 'succeeded']);
    assert.deepEqual((await charge(invoice, 'twice')).body, first.body);
    assert.deepEqual(amountsAt(invoice), [4900]);
    const another = await charge(invoice);
    assert.equal(another.body.error.details[0].reason, 'invalid_state');
  });

  it('repeated after the process died before its answer was stored: the same attempt, as it is by now', async () => {
    const invoice = await anInvoice();
    const { until, release } = aHold();
    stripe().faultNext(CONFIRM, { until });
    const first = await charge(invoice, 'forgotten');
    assert.deepEqual([first.status, first.body.status], [201, 'pending']);
    await forget('forgotten');
    release();
    const { status, body } = await charge(invoice, 'forgotten');
    assert.deepEqual([status, body.status], [201, 'succeeded']);
    assert.equal(body.id, first.body.id);
    assert.deepEqual(
      (await attemptsOf(invoice)).map(({ id }) => id),
      [first.body.id],
    );
    assert.deepEqual(amountsAt(invoice), [4900]);
  });

  it('whose client hangs up before the answer: repeated, the same attempt and one charge', async () => {
    const invoice = await anInvoice();
    const { until, release } = aHold();
    stripe().faultNext(CONFIRM, { until });
    const client = new AbortController();
    const asked = fetch(`${stack().api_url}/v1/invoices/${invoice}/charge`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${stack().test_key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'hung-up',
      },
      body: '{}',
      signal: client.signal,
    });
    await eventually(
      async () => amountsAt(invoice).length,
      (charged) => charged === 1,
    );
    client.abort();
    await assert.rejects(asked);
    release();
    const { body } = await eventually(
      () => charge(invoice, 'hung-up'),
      ({ status }) => status === 201,
    );
    const [attempt, ...others] = await attemptsOf(invoice);
    assert.deepEqual([body.id, others.length], [attempt.id, 0]);
    await eventually(
      async () => (await read(`/v1/invoices/${invoice}`)).status,
      (status) => status === 'paid',
    );
    assert.deepEqual(amountsAt(invoice), [4900]);
  });

  /** Charges an invoice and credits 19.00 of it while the answer of a call is held. */
  async function creditDuring(call: RegExp): Promise<{ invoice: Json; attempt: Json }> {
    const id = await anInvoice();
    const { line_items } = await read(`/v1/invoices/${id}`);
    const callsDone = () =>
      stripe().asked.filter(({ method, path }) => call.test(`${method} ${path}`)).length;
    const done_before = callsDone();
    const { until, release } = aHold();
    stripe().faultNext(call, { until });
    const asked = charge(id);
    await eventually(
      async () => callsDone(),
      (count) => count > done_before,
    );
    const lines = [{ line_item_id: line_items[0].id, amount: '19.00' }];
    await done(`/v1/invoices/${id}/credit-notes`, { lines, reason: 'Outage' });
    release();
    const { body } = await asked;
    const attempt = await eventually(
      () => read(`/v1/payment-attempts/${body.id}`),
      ({ status }) => status === 'succeeded',
    );
    return { invoice: await read(`/v1/invoices/${id}`), attempt };
  }

  it('with a credit note before the charge is confirmed: 49.00 less 19.00 are 30.00', async () => {
    const { invoice, attempt } = await creditDuring(PREPARE);
    assert.deepEqual([invoice.status, invoice.credited, invoice.amount_paid], ['paid', '19.00', '30.00']);
    assert.equal(attempt.amount, '30.00');
    assert.deepEqual(amountsAt(invoice.id), [3000]);
    assert.equal((await read(`/v1/customers/${invoice.customer_id}`)).balance, '0.00');
  });

  it('with a credit note after the charge is confirmed: 49.00 are charged, and 19.00 go to the balance', async () => {
    const { invoice, attempt } = await creditDuring(CONFIRM);
    assert.deepEqual([invoice.status, invoice.credited, invoice.amount_paid], ['paid', '19.00', '30.00']);
    assert.equal(attempt.amount, '49.00');
    assert.deepEqual(amountsAt(invoice.id), [4900]);
    assert.equal((await read(`/v1/customers/${invoice.customer_id}`)).balance, '19.00');
  });
});
