export { subscriptionWorkflow } from './subscription.ts';
export { reconcileWorkflow } from './reconcile.ts';
export { webhookWorkflow } from './webhook.ts';
export { collectWorkflow } from './collect.ts';
export { planMigrationWorkflow } from './plan-migration.ts';
export { checkInvariantsWorkflow } from './invariants.ts';
