import { defineSignal } from '@temporalio/workflow';

/** Input of a subscription's workflow. Ids only: everyone with access to the Temporal UI can read histories. */
export type SubscriptionInput = { environment_id: number; subscription_id: string };

/** Input of the workflow of a webhook endpoint. */
export type WebhookInput = { environment_id: number; endpoint_id: string };

/** Input of the workflow of a plan migration. */
export type MigrationInput = { environment_id: number; migration_id: string };

/** Input of the workflow that collects an invoice: `failures` of the provider in a row, which a run remembers. */
export type CollectionInput = { environment_id: number; invoice_id: string; failures?: number };

export const TASK_QUEUE = 'billing';
/** Deliveries have a queue of their own: a receiver that does not answer takes no place from billing. */
export const WEBHOOK_TASK_QUEUE = 'webhooks';
/** Charges have a queue of their own: a provider that does not answer takes no place from billing. */
export const PAYMENT_TASK_QUEUE = 'payments';
export const COLLECTION_WORKFLOW = 'collectWorkflow';
export const WEBHOOK_WORKFLOW = 'webhookWorkflow';
export const MIGRATION_WORKFLOW = 'planMigrationWorkflow';
export const SUBSCRIPTION_WORKFLOW = 'subscriptionWorkflow';
export const RECONCILE_WORKFLOW = 'reconcileWorkflow';
export const RECONCILE_SCHEDULE = 'reconcile-subscriptions';
export const CHECK_WORKFLOW = 'checkInvariantsWorkflow';
export const CHECK_SCHEDULE = 'check-invariants';
/** Its memo says which account the namespace belongs to. */
export const OWNER_SCHEDULE = 'tidemark-owner';

/** `subscription-sub_...`. */
export function workflowIdOf(subscription_id: string): string {
  return `${WORKFLOW_ID_PREFIX}${subscription_id}`;
}

/** Inverse of workflowIdOf. */
export function subscriptionIdOf(workflow_id: string): string {
  return workflow_id.slice(WORKFLOW_ID_PREFIX.length);
}

const WORKFLOW_ID_PREFIX = 'subscription-';

/** `webhook-whe_...`. */
export function webhookWorkflowIdOf(endpoint_id: string): string {
  return `webhook-${endpoint_id}`;
}

/** `plan-migration-mig_...`. */
export function migrationWorkflowIdOf(migration_id: string): string {
  return `plan-migration-${migration_id}`;
}

/** `collect-inv_...`. */
export function collectionWorkflowIdOf(invoice_id: string): string {
  return `${COLLECTION_ID_PREFIX}${invoice_id}`;
}

/** Inverse of collectionWorkflowIdOf. */
export function collectedInvoiceIdOf(workflow_id: string): string {
  return workflow_id.slice(COLLECTION_ID_PREFIX.length);
}

const COLLECTION_ID_PREFIX = 'collect-';

/** Columns and filters of the workflow list. */
export const SEARCH_ATTRIBUTES = {
  customer: { name: 'BillingCustomerId', type: 'KEYWORD' },
  plan: { name: 'BillingPlanId', type: 'KEYWORD' },
  state: { name: 'BillingState', type: 'KEYWORD' },
  period_end: { name: 'BillingPeriodEnd', type: 'DATETIME' },
  last_invoice: { name: 'BillingLastInvoiceId', type: 'KEYWORD' },
  environment: { name: 'BillingEnvironment', type: 'KEYWORD' },
  /** The instant when the next step runs if no signal arrives; empty where the workflow waits for a signal only. */
  waits_until: { name: 'BillingWaitsUntil', type: 'DATETIME' },
  webhook_state: { name: 'WebhookState', type: 'KEYWORD' },
  collection_state: { name: 'CollectionState', type: 'KEYWORD' },
} as const;

/**
 * The number of the workflow code, raised with each `patched()`: a run that was begun by older code continues as a new
 * run when its next wait ends, so that a patch is kept for two periods and not for the years of a run.
 */
export const WORKFLOW_CODE = 1;

/** Time limit of a workflow task. A task that is lost, or whose worker dies, waits for it. */
export const WORKFLOW_TASK_TIMEOUT = '30 seconds';

/** Makes the workflow read its rows again now. Also retries a subscription that needs attention. */
export const wake = defineSignal('wake');
/** The customer's test clock moved. */
export const advanceClock = defineSignal('advanceClock');
/** An earlier period of another subscription of the same customer has been billed, so this one may have its turn. */
export const takeTurn = defineSignal('takeTurn');
/** Replace an invoice. The argument is an invoice id (sent by hand) or the id of a stored request (sent by the API). */
export const regenerateInvoice = defineSignal<[id: string]>('regenerateInvoice');
/** Bill every ended period that has only void invoices or none. */
export const generateNow = defineSignal('generateNow');
/** End a draft's hold and issue the draft. The argument is the invoice id. */
export const finalizeInvoice = defineSignal<[invoice_id: string]>('finalizeInvoice');
/** Stop the deliveries of an endpoint until it is resumed. */
export const pauseDeliveries = defineSignal('pause');
/** Go on with the deliveries of a paused or parked endpoint where they stopped. */
export const resumeDeliveries = defineSignal('resume');
/** Read again whether the collection of an invoice is paused. */
export const pauseCollection = defineSignal('pause');
/** Read again whether the collection of an invoice goes on. */
export const resumeCollection = defineSignal('resume');
/** Read again whether the collection of an invoice has ended, as it has of a paid or void one. */
export const endCollection = defineSignal('end');
