import {
  CHECK_WORKFLOW,
  COLLECTION_WORKFLOW,
  SEARCH_ATTRIBUTES,
  SUBSCRIPTION_WORKFLOW,
  WEBHOOK_WORKFLOW,
  workflowIdOf,
} from '../../workflows/messages.ts';

export type WorkflowList = { name: string; query: string };

const { collection_state, customer, environment, state, waits_until, webhook_state } = SEARCH_ATTRIBUTES;
const RUNNING = `WorkflowType = '${SUBSCRIPTION_WORKFLOW}' and ExecutionStatus = 'Running'`;
const WEBHOOKS = `WorkflowType = '${WEBHOOK_WORKFLOW}' and ExecutionStatus = 'Running'`;
const CHARGES = `WorkflowType = '${COLLECTION_WORKFLOW}' and ExecutionStatus = 'Running'`;
/** A step without trouble takes far less time. */
const LATE_MS = 300_000;

/** Filters for the list of workflows in the Temporal UI, with names for operators. `now` is an instant. */
export function workflowLists(now: string): WorkflowList[] {
  const late = new Date(Date.parse(now) - LATE_MS).toISOString();
  return [
    { name: 'subscriptions', query: RUNNING },
    { name: 'live subscriptions', query: `${RUNNING} and ${environment.name} = 'live'` },
    { name: 'needs attention', query: inState('needs_attention') },
    {
      name: 'overdue',
      query: `${RUNNING} and (${waits_until.name} < '${late}' or (${state.name} is null and StartTime < '${late}'))`,
    },
    { name: 'drafts held for late events', query: inState('draft_held') },
    { name: 'in trial', query: inState('in_trial') },
    { name: 'not started yet', query: inState('waits_for_start') },
    { name: 'collecting usage', query: inState('collecting_usage') },
    { name: 'canceled, collecting late usage', query: inState('collecting_late_usage') },
    { name: 'checks of the data', query: `WorkflowType = '${CHECK_WORKFLOW}'` },
    { name: 'webhook endpoints', query: WEBHOOKS },
    { name: 'webhook endpoints that are parked', query: `${WEBHOOKS} and ${webhook_state.name} = 'parked'` },
    { name: 'invoices that are charged', query: CHARGES },
    {
      name: 'charges that wait for the provider',
      query: `${CHARGES} and ${collection_state.name} = 'waits_for_provider'`,
    },
    {
      name: 'invoices whose next charge is planned',
      query: `${CHARGES} and ${collection_state.name} = 'scheduled'`,
    },
  ];
}

/** Filters for one customer, by its `cus_` id, and for all periods of one subscription, closed ones included. */
export function listsOf(ids: { customer_id: string; subscription_id: string }): WorkflowList[] {
  return [
    { name: 'this customer', query: `${RUNNING} and ${customer.name} = '${ids.customer_id}'` },
    { name: 'every period of a subscription', query: `WorkflowId = '${workflowIdOf(ids.subscription_id)}'` },
  ];
}

/** Selects running workflows only, because a closed run keeps its last state. */
function inState(value: string): string {
  return `${RUNNING} and ${state.name} = '${value}'`;
}
