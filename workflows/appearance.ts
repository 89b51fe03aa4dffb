import { defineSearchAttributeKey } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';

const { customer, plan, state, period_end, last_invoice } = SEARCH_ATTRIBUTES;
const CUSTOMER = defineSearchAttributeKey(customer.name, customer.type);
const PLAN = defineSearchAttributeKey(plan.name, plan.type);
const STATE = defineSearchAttributeKey(state.name, state.type);
const PERIOD_END = defineSearchAttributeKey(period_end.name, period_end.type);
const LAST_INVOICE = defineSearchAttributeKey(last_invoice.name, last_invoice.type);

/**
 * Shows a person who reads the Temporal UI what the subscription waits for. Billing itself lasts a moment and is seen as
 * activities, so only waiting is written to the list: one upsert a period, and none where nothing changed.
 */
export function showStep(step: Awaited<ReturnType<BillingActivities['nextStep']>>): void {
  setCurrentDetails(step.details);
  if (step.action.kind === 'bill' || step.action.kind === 'regenerate') return;
  const shown = workflowInfo().typedSearchAttributes;
  const ends = step.period_end === null ? null : new Date(step.period_end);
  const isShown =
    shown.get(STATE) === step.state &&
    shown.get(LAST_INVOICE) === (step.last_invoice_id ?? undefined) &&
    shown.get(PERIOD_END)?.getTime() === ends?.getTime();
  if (isShown) return;
  upsertSearchAttributes([
    { key: CUSTOMER, value: step.customer_id },
    { key: PLAN, value: step.plan_id },
    { key: STATE, value: step.state },
    { key: PERIOD_END, value: ends },
    { key: LAST_INVOICE, value: step.last_invoice_id },
  ]);
}

/** The same columns for a check of the invariants. */
export function showCheck(result: Awaited<ReturnType<BillingActivities['checkInvariants']>>): void {
  setCurrentDetails(result.details);
  upsertSearchAttributes([{ key: STATE, value: result.state }]);
}
