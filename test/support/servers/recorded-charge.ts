import type { Invoice } from '../../../src/objects/invoice.ts';
import { collectionWorkflowIdOf } from '../../../workflows/messages.ts';
import { eventually } from './eventually.ts';
import type { Stack } from './stack.ts';
import { TEST_KEY, type StripeStandIn } from './stripe-stand-in.ts';

const DAY_MS = 86_400_000;

/** Records a charge that is declined, and one that waits for the provider and then takes days; the id of the workflow. */
export async function declinedAndWaited(
  { done, test_key: key, temporal, pool }: Stack,
  stripe: StripeStandIn,
): Promise<string> {
  await done(key, 'POST', '/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
  const customer_id = 'charged';
  await done(key, 'POST', '/v1/customers', { external_id: customer_id });
  const charges = [{ event_name: 'api_call', pricing_model: 'flat', flat_amount: '10' }];
  const plan = await done<{ id: string }>(key, 'POST', '/v1/pricing-plans', { name: 'Plan', charges });
  await done(key, 'POST', '/v1/subscriptions', { customer_id, plan_id: plan.id });
  const page = await done<{ url: string }>(
    key,
    'POST',
    `/v1/customers/${customer_id}/payment-method-sessions`,
  );
  const method = stripe.completePage(page.url, { declined: 'insufficient_funds' });
  await pool.query('update payment_pages set next_read_at = now() where next_read_at is not null');
  const methods = () =>
    done<{ data: object[] }>(key, 'GET', `/v1/payment-methods?customer_id=${customer_id}`);
  await eventually(methods, ({ data }) => data.length === 1);
  const to = new Date(Date.now() + 40 * DAY_MS).toISOString();
  const advanced = await done<{ invoices: Invoice[] }>(key, 'POST', '/v1/test-clock/advance', {
    customer_id,
    to,
  });
  const { id } = advanced.invoices[0]!;
  const charge = () =>
    done<{ status: string; provider_reference: string }>(key, 'POST', `/v1/invoices/${id}/charge`);
  await charge();
  const handle = temporal.client.workflow.getHandle(collectionWorkflowIdOf(id));
  await handle.result();
  stripe.behave(method, 'processing');
  stripe.down();
  await charge();
  stripe.up();
  for (const signal of ['pause', 'resume']) await handle.signal(signal);
  const processing = async () =>
    (
      await done<{ data: { status: string; provider_reference: string }[] }>(
        key,
        'GET',
        `/v1/payment-attempts?invoice_id=${id}`,
      )
    ).data[0]!;
  const { provider_reference } = await eventually(processing, ({ status }) => status === 'processing');
  stripe.finish(provider_reference, 'succeeds');
  await handle.signal('end');
  await handle.result();
  return collectionWorkflowIdOf(id);
}
