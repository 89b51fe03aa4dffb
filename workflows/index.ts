export { subscriptionWorkflow } from './subscription.ts';
export { reconcileWorkflow } from './reconcile.ts';
export { webhookWorkflow } from './webhook.ts';
export { checkInvariantsWorkflow } from './invariants.ts';
