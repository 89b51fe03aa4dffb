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

type Billed = NonNullable<Awaited<ReturnType<BillingActivities['billNext']>>['billed']>;

/** Results of each step of a bill; of regular activities without counts and status. */
export type Bill = Pick<Billed, 'period_start' | 'period_end'> & {
  aggregateUsage: Pick<Billed['aggregateUsage'], 'invoice_id'> & Partial<Billed['aggregateUsage']>;
  applyCredits: Partial<Billed['applyCredits']>;
  issueInvoice: Partial<NonNullable<Billed['issueInvoice']>> | null;
};

/** The details: the step, and the last bill, of whichever run. */
export type Shown = { step: Step; last_bill: Bill | null };

/**
 * Shows in the Temporal UI what the subscription waits for. Billing takes a moment and appears as activities, so only
 * waiting states go into the search attributes: one upsert per period, none if nothing changed. While a billing step is
 * being retried, `BillingWaitsUntil` therefore shows an instant in the past.
 */
export function showAnswer({ step, last_bill }: Shown): void {
  setCurrentDetails(detailsOf(step, last_bill));
  if (step.action.kind === 'bill' || step.action.kind === 'regenerate') return;
  const attributes = workflowInfo().typedSearchAttributes;
  const [ends, waits_until_date] = [instantOf(step.period_end), instantOf(step.waits_until)];
  const isShown =
    attributes.get(STATE) === step.state &&
    attributes.get(LAST_INVOICE) === (step.last_invoice_id ?? undefined) &&
    attributes.get(PERIOD_END)?.getTime() === ends?.getTime() &&
    attributes.get(ENVIRONMENT) === (step.environment ?? undefined) &&
    attributes.get(WAITS_UNTIL)?.getTime() === waits_until_date?.getTime();
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
 * The actions that a person can take by hand in each state. The text is here, not in the results of activities, so that
 * no history carries it.
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

function detailsOf(step: Step, last_bill: Bill | null): string {
  const { details, state, customer_id, plan_id, last_invoice_id } = step;
  const ids = { customer: customer_id, plan: plan_id, 'last invoice': last_invoice_id };
  const named = Object.entries(ids).flatMap(([name, id]) => (id === null ? [] : `${name} \`${id}\``));
  const by_hand = `**Manual actions:** ${BY_HAND[state]}`;
  const ids_shown = `**Ids:** ${named.join(', ') || 'none'}.`;
  const bill = last_bill === null ? [] : [billOf(last_bill, state)];
  return [details, ...bill, by_hand, ids_shown, RULE].join('\n\n');
}

/**
 * The states in which no draft is held any more: who ended the hold was not the workflow, or it would have billed once
 * more.
 */
const WITHOUT_DRAFT: readonly Step['state'][] = ['collecting_usage', 'collecting_late_usage', 'ended'];

/** The results of the three steps of the last bill. */
function billOf({ period_start, period_end, ...steps }: Bill, state: Step['state']): string {
  const { invoice_id, line_items } = steps.aggregateUsage;
  const counted = line_items === undefined ? 'the lines' : linesOf(line_items);
  const usage = invoice_id === null ? 'no invoice' : `${counted} on \`${invoice_id}\``;
  const credited = steps.applyCredits.line_items;
  const credit = credited === undefined ? 'done' : `${linesOf(credited)} with credit`;
  const draft_words = WITHOUT_DRAFT.includes(state) ? 'held, and ended by hand' : 'held';
  const issued = steps.issueInvoice === null ? draft_words : (steps.issueInvoice.status ?? 'done');
  return (
    `**Last bill:** ${period_start} to ${period_end}. \`aggregateUsage\`: ${usage}. ` +
    `\`applyCredits\`: ${credit}. \`issueInvoice\`: ${issued}.`
  );
}

function linesOf(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** Shows the result of a check of the invariants, in the same details and the same column BillingState. */
export function showCheck(result: Awaited<ReturnType<BillingActivities['checkInvariants']>>): void {
  setCurrentDetails(result.details);
  upsertSearchAttributes([{ key: STATE, value: result.state }]);
}
