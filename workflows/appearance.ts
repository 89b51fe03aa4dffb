import { defineSearchAttributeKey } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';

const { customer, plan, state, period_end, last_invoice, environment, waits_until } = SEARCH_ATTRIBUTES;
const CUSTOMER = defineSearchAttributeKey(customer.name, customer.type);
const PLAN = defineSearchAttributeKey(plan.name, plan.type);
const STATE = defineSearchAttributeKey(state.name, state.type);
const PERIOD_END = defineSearchAttributeKey(period_end.name, period_end.type);
const LAST_INVOICE = defineSearchAttributeKey(last_invoice.name, last_invoice.type);
const ENVIRONMENT = defineSearchAttributeKey(environment.name, environment.type);
const WAITS_UNTIL = defineSearchAttributeKey(waits_until.name, waits_until.type);

type Step = Awaited<ReturnType<BillingActivities['nextStep']>>;

/** The parts of an answer that are shown. */
export type Shown = Pick<Awaited<ReturnType<BillingActivities['billNext']>>, 'step' | 'billed'>;

/**
 * Shows in the Temporal UI what the subscription waits for. Billing takes a moment and appears as activities, so only waiting
 * states go into the search attributes: one upsert per period, none if nothing changed. While a billing step is being retried,
 * `BillingWaitsUntil` therefore shows an instant in the past.
 */
export function showAnswer({ step, billed }: Shown): void {
  setCurrentDetails(detailsOf(step, billed));
  if (step.action.kind === 'bill' || step.action.kind === 'regenerate') return;
  const shown = workflowInfo().typedSearchAttributes;
  const [ends, waits_until_date] = [instantOf(step.period_end), instantOf(step.waits_until)];
  const isShown =
    shown.get(STATE) === step.state &&
    shown.get(LAST_INVOICE) === (step.last_invoice_id ?? undefined) &&
    shown.get(PERIOD_END)?.getTime() === ends?.getTime() &&
    shown.get(ENVIRONMENT) === (step.environment ?? undefined) &&
    shown.get(WAITS_UNTIL)?.getTime() === waits_until_date?.getTime();
  if (isShown) return;
  upsertSearchAttributes([
    { key: CUSTOMER, value: step.customer_id },
    { key: PLAN, value: step.plan_id },
    { key: STATE, value: step.state },
    { key: PERIOD_END, value: ends },
    { key: LAST_INVOICE, value: step.last_invoice_id },
    { key: ENVIRONMENT, value: step.environment },
    { key: WAITS_UNTIL, value: waits_until_date },
  ]);
}

function instantOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/**
 * The actions that a person can take by hand in each state. The text is here, not in the results of activities, so that no history
 * carries it.
 */
const BY_HAND: Record<Step['state'], string> = {
  waits_for_start: 'no action needed.',
  in_trial: 'no action needed.',
  collecting_usage:
    'the signal `regenerateInvoice` with the id of the last invoice regenerates that invoice, unless it is paid; `generateNow` bills periods whose invoice is void.',
  collecting_late_usage:
    'the signal `regenerateInvoice` with the id of the last invoice regenerates that invoice, unless it is paid.',
  draft_held:
    'the signal `finalizeInvoice` with the id of the draft issues the invoice now; `regenerateInvoice` with the id of the draft counts its usage again and keeps the hold.',
  billing:
    'no action needed. A failed step is retried at least every minute; Pending Activities shows the error.',
  needs_attention:
    'correct the problem, then send the signal `wake` to retry. Until then, `regenerateInvoice` with the id of an invoice still works.',
  ended: 'no action needed.',
};

/** The Temporal UI clips the last line of the details: this Markdown rule is the line that may be lost. */
const RULE = '---';

function detailsOf(step: Step, billed: Shown['billed']): string {
  const { details, state, customer_id, plan_id, last_invoice_id } = step;
  const ids = { customer: customer_id, plan: plan_id, 'last invoice': last_invoice_id };
  const named = Object.entries(ids).flatMap(([name, id]) => (id === null ? [] : `${name} \`${id}\``));
  const by_hand = `**Manual actions:** ${BY_HAND[state]}`;
  const ids_shown = `**Ids:** ${named.join(', ') || 'none'}.`;
  return [details, ...(billed === null ? [] : [billOf(billed)]), by_hand, ids_shown, RULE].join('\n\n');
}

/** The steps of the bill that has just been made. */
function billOf({ period_start, period_end, ...steps }: NonNullable<Shown['billed']>): string {
  const { invoice_id, line_items } = steps.aggregateUsage;
  const counted = invoice_id === null ? 'no invoice' : `${line_items} lines on \`${invoice_id}\``;
  const issued = steps.issueInvoice === null ? 'held' : steps.issueInvoice.status;
  return (
    `**Last bill:** ${period_start} to ${period_end}. \`aggregateUsage\`: ${counted}. ` +
    `\`applyCredits\`: ${steps.applyCredits.line_items} lines with credit. \`issueInvoice\`: ${issued}.`
  );
}

/** Shows the result of a check of the invariants, in the same details and the same column BillingState. */
export function showCheck(result: Awaited<ReturnType<BillingActivities['checkInvariants']>>): void {
  setCurrentDetails(result.details);
  upsertSearchAttributes([{ key: STATE, value: result.state }]);
}
