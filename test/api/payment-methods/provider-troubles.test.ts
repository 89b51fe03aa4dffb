import assert from 'node:assert/strict';
import { collectionWorkflowIdOf } from '../../../workflows/messages.ts';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

const CONFIRM = /POST .*confirm$/;

/** billing.md 20: what Home and the metrics say of charges. */
describe('troubles of charges', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { customer, post, done, read } = customers;
  const { saveCard, anOpenInvoice } = savedCardsOn(customers, { stack, stripe });
  let me: SignedIn;

  before(async () => {
    const { pool, api_url: url } = stack();
    me = await signIn({
      ...{ pool, url, request },
      post: (path, body, sent) => request(path, { method: 'POST', body, ...sent }),
    });
    await done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
  });

  const troubles = async (environment = 'test'): Promise<Json> =>
    (await me.request('/dashboard/api/home', { headers: { 'Tidemark-Environment': environment } })).body
      .payments;
  const metric = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${stack().api_url}/metrics`)).text())?.[1];
  const FAILING = 'tidemark_payment_provider_failing{environment="test"}';
  const resume = (invoice: string) =>
    stack().temporal.client.workflow.getHandle(collectionWorkflowIdOf(invoice)).signal('resume');

  /** An open invoice of 49.00 of a customer with a card. */
  async function anInvoice(): Promise<{ invoice: string; customer_id: string }> {
    const customer_id = await customer({}, null);
    await saveCard(customer_id, '4242', 'succeeds');
    return { customer_id, invoice: await anOpenInvoice(customer_id) };
  }

  it('say in the words of the provider that it fails, and for how long a charge waits, until it answers', async () => {
    assert.deepEqual(await troubles(), { provider_fault: null, received_twice: [] });
    assert.deepEqual(
      [await metric(FAILING), await metric('tidemark_payment_attempt_oldest_seconds')],
      ['0', '0'],
    );
    const { invoice } = await anInvoice();
    stripe().refuseKey(TEST_KEY);
    await post(`/v1/invoices/${invoice}/charge`);
    assert.match((await troubles()).provider_fault, /Invalid API Key/);
    assert.equal((await troubles('live')).provider_fault, null);
    assert.equal(await metric(FAILING), '1');
    assert.equal(await metric('tidemark_payment_provider_failing{environment="live"}'), undefined);
    await stack().pool.query(`update payment_attempts set created_at = now() - interval '2 hours'`);
    assert.ok(Number(await metric('tidemark_payment_attempt_oldest_seconds')) >= 7200);
    stripe().acceptKey(TEST_KEY);
    await resume(invoice);
    await eventually(
      () => troubles(),
      ({ provider_fault }) => provider_fault === null,
    );
    assert.equal(await metric(FAILING), '0');
  });

  /** Charges an invoice, and pays it by hand between the charge and its answer. */
  async function payDuringCharge(invoice: string): Promise<void> {
    let release = (): void => undefined;
    stripe().faultNext(CONFIRM, { until: new Promise<void>((resolve) => void (release = resolve)) });
    const charged = post(`/v1/invoices/${invoice}/charge`);
    await eventually(
      async () => stripe().chargesOf(invoice).length,
      (count) => count === 1,
    );
    await done(`/v1/invoices/${invoice}/pay`);
    release();
    await charged;
  }

  it('list what a charge brought for an invoice that was paid meanwhile, until the balance is paid out', async () => {
    const { invoice, customer_id } = await anInvoice();
    await payDuringCharge(invoice);
    const { received_twice } = await eventually(
      () => troubles(),
      ({ received_twice: listed }) => listed.length > 0,
    );
    const { created_at, id } = (await read(`/v1/payments?customer_id=${customer_id}`)).data.find(
      ({ to_balance }: Json) => to_balance !== '0.00',
    );
    const money = { amount: '49.00', currency: 'USD' };
    assert.deepEqual(received_twice, [
      { payment_id: id, customer_id, invoice_id: invoice, ...money, created_at },
    ]);
    assert.deepEqual((await troubles('live')).received_twice, []);
    await done(`/v1/customers/${customer_id}/balance-adjustments`, { amount: '-49.00', reason: 'Paid out' });
    assert.deepEqual((await troubles()).received_twice, []);
  });
});
