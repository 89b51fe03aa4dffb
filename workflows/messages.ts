import { defineSignal } from '@temporalio/workflow';

/** What a subscription's workflow is started with. Ids only: histories are read by anyone who may open the Temporal UI. */
export type SubscriptionInput = { environment_id: number; subscription_id: string };

export const TASK_QUEUE = 'billing';
export const SUBSCRIPTION_WORKFLOW = 'subscriptionWorkflow';
export const RECONCILE_WORKFLOW = 'reconcileWorkflow';
export const RECONCILE_SCHEDULE = 'reconcile-subscriptions';
export const CHECK_WORKFLOW = 'checkInvariantsWorkflow';
export const CHECK_SCHEDULE = 'check-invariants';

export function workflowIdOf(subscription_id: string): string {
  return `${WORKFLOW_ID_PREFIX}${subscription_id}`;
}

export function subscriptionIdOf(workflow_id: string): string {
  return workflow_id.slice(WORKFLOW_ID_PREFIX.length);
}

const WORKFLOW_ID_PREFIX = 'subscription-';

/** Columns and filters of the workflow list. */
export const SEARCH_ATTRIBUTES = {
  customer: { name: 'BillingCustomerId', type: 'KEYWORD' },
  plan: { name: 'BillingPlanId', type: 'KEYWORD' },
  state: { name: 'BillingState', type: 'KEYWORD' },
  period_end: { name: 'BillingPeriodEnd', type: 'DATETIME' },
  last_invoice: { name: 'BillingLastInvoiceId', type: 'KEYWORD' },
  environment: { name: 'BillingEnvironment', type: 'KEYWORD' },
  /** When its next step is, if nobody sends a signal; empty where it waits for a signal alone. */
  waits_until: { name: 'BillingWaitsUntil', type: 'DATETIME' },
} as const;

/** Read the rows again now; also retries a subscription that needs attention. */
export const wake = defineSignal('wake');
/** The customer's test clock moved. */
export const advanceClock = defineSignal('advanceClock');
/** An earlier period of another subscription of the customer is billed. */
export const takeTurn = defineSignal('takeTurn');
/** Replace an invoice. The argument is the invoice's id; or, as the API sends it, the id of a request that is stored. */
export const regenerateInvoice = defineSignal<[id: string]>('regenerateInvoice');
/** Bill every ended period that has no invoice but void ones. */
export const generateNow = defineSignal('generateNow');
/** End the hold of a draft and issue it. The argument is the invoice's id. */
export const finalizeInvoice = defineSignal<[invoice_id: string]>('finalizeInvoice');
