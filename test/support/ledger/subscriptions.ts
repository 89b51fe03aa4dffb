import type { WorkflowHandle } from '@temporalio/client';
import { newRequestId } from '../../../src/keys/ids.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import type { Subscription } from '../../../src/objects/subscription.ts';
import { workflowIdOf } from '../../../workflows/messages.ts';
import { eventually } from '../servers/eventually.ts';
import type { useStack } from '../servers/stack.ts';

const DAY_MS = 86_400_000;

export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

export type HeldDraft = { subscription: Subscription; draft: Invoice };

/** Subscriptions to a plan at 1 per call, in a stack's live environment, with their workflows. */
export function subscriptionsOf(stack: ReturnType<typeof useStack>) {
  const handleOf = (id: string): WorkflowHandle =>
    stack().temporal.client.workflow.getHandle(workflowIdOf(id));
  const read = (id: string) => stack().done<Subscription>(stack().live_key, 'GET', `/v1/subscriptions/${id}`);

  async function aCustomerAndPlan(): Promise<{ customer_id: string; plan_id: string }> {
    const { done, live_key } = stack();
    const customer_id = newRequestId();
    await done(live_key, 'POST', '/v1/customers', { external_id: customer_id });
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' }];
    const plan = await done<{ id: string }>(live_key, 'POST', '/v1/pricing-plans', { name: 'Plan', charges });
    return { customer_id, plan_id: plan.id };
  }

  async function subscribe(dates: object): Promise<Subscription> {
    const parties = await aCustomerAndPlan();
    return stack().done(stack().live_key, 'POST', '/v1/subscriptions', { ...parties, ...dates });
  }

  function invoicesOf(id: string, isDone: (invoices: Invoice[]) => boolean): Promise<Invoice[]> {
    const path = `/v1/invoices?subscription_id=${id}`;
    const list = async () => (await stack().done<{ data: Invoice[] }>(stack().live_key, 'GET', path)).data;
    return eventually(list, isDone);
  }

  /** A subscription whose period ended ten minutes ago, with its draft held for the grace period. */
  async function aHeldDraft(): Promise<HeldDraft> {
    const subscription = await subscribe({
      start_date: daysAgo(1),
      billing_anchor: new Date(Date.now() - 600_000).toISOString(),
    });
    const [draft] = await invoicesOf(subscription.id, ({ length }) => length === 1);
    return { subscription, draft: draft! };
  }

  /** A parked subscription whose draft could not be issued. The obstacle is gone, but nothing has sent `wake`. */
  async function aParked(): Promise<HeldDraft> {
    const { subscription, draft } = await aHeldDraft();
    const constraint = `add constraint parked check (id <> '${draft.id}' or status = 'draft') not valid`;
    await stack().pool.query(`alter table invoices ${constraint}`);
    await handleOf(subscription.id).signal('finalizeInvoice', draft.id);
    await eventually(
      () => read(subscription.id),
      ({ attention }) => attention !== null,
    );
    await stack().pool.query('alter table invoices drop constraint parked');
    return { subscription, draft };
  }

  return { handleOf, read, aCustomerAndPlan, subscribe, invoicesOf, aHeldDraft, aParked };
}
