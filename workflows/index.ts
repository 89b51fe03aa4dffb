export { subscriptionWorkflow } from './subscription.ts';
export { reconcileWorkflow } from './reconcile.ts';
export { checkInvariantsWorkflow } from './invariants.ts';
