import assert from 'node:assert/strict';
import { collectionWorkflowIdOf, RECONCILE_SCHEDULE } from '../../workflows/messages.ts';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { useStack } from '../support/servers/stack.ts';
import { TEST_KEY, type StripeStandIn } from '../support/servers/stripe-stand-in.ts';
import { useStripe } from '../support/servers/use-stripe.ts';
import type { Behaviour } from '../support/servers/stripe-state.ts';

describe('the workflow that collects an invoice', function () {
  const { settings, stripe: standIn } = useStripe();
  const stack = useStack(settings);
  let stripe: StripeStandIn;

  const call = (method: string, path: string, body?: object) =>
    stack().call<Json>(stack().test_key, method, path, body);
  const done = (method: string, path: string, body?: object) =>
    stack().done<Json>(stack().test_key, method, path, body);
  let made = 0;

  before(async () => {
    stripe = standIn();
    await done('POST', '/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
  });

  /** An open invoice of 100.00 of a customer with a default method. */
  async function anInvoice(behaviour: Behaviour): Promise<{ id: string; method: string }> {
    const customer_id = `payer-${(made += 1)}`;
    await done('POST', '/v1/customers', { external_id: customer_id });
    const page = await done('POST', `/v1/customers/${customer_id}/payment-method-sessions`);
    const method = stripe.completePage(page.url, behaviour);
    await stack().pool.query('update payment_pages set next_read_at = now() where next_read_at is not null');
    await eventually(
      () => done('GET', `/v1/payment-methods?customer_id=${customer_id}`),
      ({ data }: Json) => data.length === 1,
    );
    const charges = [{ event_name: 'api_call', pricing_model: 'flat', flat_amount: '100' }];
    const { id: plan_id } = await done('POST', '/v1/pricing-plans', { name: 'Plan', charges });
    await done('POST', '/v1/subscriptions', { customer_id, plan_id });
    const to = new Date(Date.now() + 32 * 86_400_000).toISOString();
    await done('POST', '/v1/test-clock/advance', { customer_id, to });
    const { data } = await done('GET', `/v1/invoices?customer_id=${customer_id}&status=open`);
    return { id: data[0].id, method };
  }
  const handleOf = (id: string) => stack().temporal.client.workflow.getHandle(collectionWorkflowIdOf(id));
  const attemptsOf = async (id: string): Promise<string[]> =>
    (await done('GET', `/v1/payment-attempts?invoice_id=${id}`)).data.map(({ status }: Json) => status);

  it('ends an attempt while the request waits, and completes', async () => {
    const { id } = await anInvoice('succeeds');
    const { status, body } = await call('POST', `/v1/invoices/${id}/charge`);
    assert.deepEqual([status, body.status, body.amount], [201, 'succeeded', '100.00']);
    assert.equal((await done('GET', `/v1/payments/${body.payment_id}`)).created_by, body.id);
    assert.equal((await done('GET', `/v1/invoices/${id}`)).status, 'paid');
    await handleOf(id).result();
    assert.equal(
      (await call('POST', `/v1/invoices/${id}/charge`)).body.error.details[0].reason,
      'invalid_state',
    );
    assert.equal((await call('GET', `/v1/payment-attempts/${body.id}`)).body.id, body.id);
  });

  it('charges once where ten requests come at once', async () => {
    const { id } = await anInvoice('processing');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', `/v1/invoices/${id}/charge`)),
    );
    const [created, ...refused] = answers.toSorted((a, b) => a.status - b.status);
    assert.deepEqual([created!.status, created!.body.status], [201, 'processing']);
    for (const { status, body } of refused)
      assert.deepEqual([status, body.error.details[0].reason], [409, 'charge_in_progress']);
    const [wanted] = await attemptsOf(id);
    assert.equal(wanted, 'processing');
    stripe.finish(created!.body.provider_reference, 'succeeds');
    await handleOf(id).signal('wake');
    await handleOf(id).result();
    assert.deepEqual(await attemptsOf(id), ['succeeded']);
    assert.equal(stripe.chargesOf(id).length, 1);
  });

  it('waits for a provider that does not answer, until a signal', async () => {
    const { id } = await anInvoice('succeeds');
    stripe.down();
    const { body } = await call('POST', `/v1/invoices/${id}/charge`);
    assert.equal(body.status, 'pending');
    const [provider] = (await done('GET', '/v1/payment-providers')).data;
    assert.equal(provider.status, 'failing');
    stripe.up();
    await handleOf(id).signal('resume');
    await handleOf(id).result();
    assert.deepEqual(await attemptsOf(id), ['succeeded']);
  });

  it('reads its rows again once the log says that its invoice was paid by hand, and the reconciler starts it again', async () => {
    const { id } = await anInvoice('succeeds');
    stripe.down();
    await call('POST', `/v1/invoices/${id}/charge`);
    await handleOf(id).terminate();
    await stack().temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
    await eventually(
      async () => (await handleOf(id).describe()).status.name,
      (status) => status === 'RUNNING',
    );
    stripe.up();
    await done('POST', `/v1/invoices/${id}/pay`);
    await eventually(
      () => attemptsOf(id),
      ([status]) => status === 'canceled',
    );
    assert.equal(stripe.chargesOf(id).length, 0);
  });
});
