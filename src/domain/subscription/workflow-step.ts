import type { Bounds, Decision, NextDraft, OpenPeriod } from './next-step.ts';
import { addMilliseconds, earliest } from '../time/period.ts';

/** State in the workflow list, for operators; stored in the search attribute BillingState. */
export type BillingState =
  | 'waits_for_start'
  | 'in_trial'
  | 'collecting_usage'
  | 'collecting_late_usage'
  | 'draft_held'
  | 'billing'
  | 'needs_attention'
  | 'ended';

/** The work of a bill: usage is counted and credit applied; with `issue` the invoice is issued too. */
export type Billing = {
  period_start: string;
  period_end: string;
  revision: number;
  issue: boolean;
  /**
   * True if it may take longer than a local activity should, so that nothing was done; absent before the events are
   * estimated.
   */
  is_heavy?: boolean;
};

export type Wait = {
  /** Null: wait for a signal alone, because the customer's test clock stands still or a person must act. */
  wait_ms: number | null;
  until: string | null;
};

export type Action =
  | ({ kind: 'bill' } & Billing)
  | { kind: 'regenerate'; regeneration_id: string; invoice_id: string }
  | ({ kind: 'wait' } & Wait)
  | { kind: 'end' };

/** The step of a subscription's workflow, and the facts that it shows meanwhile. */
export type WorkflowStep = {
  state: BillingState;
  period_end: string | null;
  /** Markdown for operators who read the Temporal UI: what the workflow waits for and what happens then. */
  details: string;
  action: Action;
};

/** The facts that a step needs besides its decision. */
export type StepContext = {
  subscription: {
    now: string;
    start_date: string;
    cancel_at: string | null;
    has_test_clock: boolean;
    next_quantity_at: string | null;
  };
  /** A due period of another subscription of the customer that ended earlier; for a decision to issue. */
  earlier: EarlierPeriod | null;
  /** The outcome of the last regeneration, shown with a decision to hold or to collect. */
  last_regeneration: { invoice_id: string; new_invoice_id: string | null; refusal: string | null } | null;
};

/** Polling interval while a subscription waits its turn, in case the signal from the earlier subscription is lost. */
const TURN_WAIT_MS = 30_000;

export const ENDED: WorkflowStep = {
  state: 'ended',
  period_end: null,
  details: '**Ended.** All periods are billed. There are no further invoices.',
  action: { kind: 'end' },
};

/** The workflow's step for a decision. The sentences are read by operators, the action is obeyed by the workflow. */
export function stepOf(decision: Decision, context: StepContext): WorkflowStep {
  switch (decision.kind) {
    case 'regenerate':
      return regenerate(decision.request);
    case 'wait_for_person':
      return waitForPerson(decision.attention);
    case 'count':
      return bill(decision.billed, { revision: decision.revision, issue: false });
    case 'issue':
      return context.earlier === null
        ? bill(decision.billed, { revision: decision.revision, issue: true })
        : waitForTurn(decision.billed, context.earlier, context.subscription.now);
    case 'hold': {
      const { draft, period } = decision;
      return wait(context, period?.period_end ?? draft.period_end, holding(draft, period));
    }
    case 'collect':
      return wait(context, decision.period.period_end, collecting(decision.period, context));
    case 'end':
      return ENDED;
  }
}

function regenerate({ id, invoice_id }: { id: string; invoice_id: string }): WorkflowStep {
  return {
    state: 'billing',
    period_end: null,
    details: `**Regenerating** the invoice \`${invoice_id}\`, requested by \`${id}\`.`,
    action: { kind: 'regenerate', regeneration_id: id, invoice_id },
  };
}

function waitForPerson(attention: string): WorkflowStep {
  return {
    state: 'needs_attention',
    period_end: null,
    details: `**Needs attention:** ${attention}`,
    action: { kind: 'wait', wait_ms: null, until: null },
  };
}

function bill({ period_start, period_end }: Bounds, how: { revision: number; issue: boolean }): WorkflowStep {
  return {
    state: 'billing',
    period_end,
    details: `**Billing** the period ${period_start} to ${period_end}: counting usage, applying credit, ${how.issue ? 'issuing the invoice' : 'then holding the draft'}.`,
    action: { kind: 'bill', period_start, period_end, ...how },
  };
}

type EarlierPeriod = { subscription_id: string; period_end: string };

/** Credit goes to the period that ends first, across the customer's subscriptions (billing.md 1). */
function waitForTurn({ period_end }: Bounds, earlier: EarlierPeriod, now: string): WorkflowStep {
  return {
    state: 'billing',
    period_end,
    details: `**Waiting for another subscription:** \`${earlier.subscription_id}\` of the same customer has a period that ended at ${earlier.period_end}, before ${period_end}. That period is billed first, because credit goes to the period that ends first.`,
    action: {
      kind: 'wait',
      wait_ms: TURN_WAIT_MS,
      until: addMilliseconds(now, TURN_WAIT_MS),
    },
  };
}

type Waiting = Pick<WorkflowStep, 'state' | 'details'> & { until: string | null };

function wait(
  { subscription, last_regeneration }: StepContext,
  period_end: string,
  { state, details, until: bill_at }: Waiting,
): WorkflowStep {
  const { now, has_test_clock, next_quantity_at } = subscription;
  const until = next_quantity_at === null ? bill_at : earliest(bill_at ?? next_quantity_at, next_quantity_at);
  const stands_still = `\n\nThe customer has a test clock. Its time is ${now} until the clock is advanced.`;
  return {
    state,
    period_end,
    details: details + (has_test_clock ? stands_still : '') + outcomeOf(last_regeneration),
    action: {
      kind: 'wait',
      wait_ms: has_test_clock || until === null ? null : millisecondsTo(until, now),
      until,
    },
  };
}

/** Milliseconds, at least one, so that a wait is never without a timer. */
function millisecondsTo(until: string, now: string): number {
  const left_ms = Date.parse(until) - Date.parse(now);
  return left_ms < 1 ? 1 : left_ms;
}

function outcomeOf(regeneration: StepContext['last_regeneration']): string {
  if (regeneration === null) return '';
  const { invoice_id, new_invoice_id, refusal } = regeneration;
  const outcome = new_invoice_id === null ? `refused: ${refusal}` : `replaced by \`${new_invoice_id}\``;
  return `\n\nLast regeneration, of \`${invoice_id}\`: ${outcome}.`;
}

function collecting(period: OpenPeriod, { subscription }: StepContext): Waiting {
  const { period_start, period_end, kind, hold_until } = period;
  const { now, start_date, cancel_at } = subscription;
  if (kind === 'late') {
    const details = `**Collecting late usage:** the subscription has ended. Late usage and pending invoice items are billed on a last invoice at ${period_end}. Without either, there is no last invoice.`;
    return { state: 'collecting_late_usage', until: period_end, details };
  }
  const ends = `at ${period_end} the subscription ends. There is no invoice, unless invoice items are pending then.`;
  if (now < start_date && cancel_at !== null && cancel_at <= start_date)
    return { state: 'waits_for_start', until: period_end, details: `**Not started:** ${ends}` };
  if (now < start_date) {
    const first = kind === 'trial' ? 'the trial' : 'the first period';
    const details = `**Not started.** The subscription starts at ${start_date}; then ${first} runs until ${period_end}.`;
    return { state: 'waits_for_start', until: start_date, details };
  }
  if (kind === 'trial' && cancel_at !== null && cancel_at <= period_end)
    return { state: 'in_trial', until: period_end, details: `**In trial:** ${ends}` };
  if (kind === 'trial') {
    const details = `**In trial** until ${period_end}; then the first billing period starts. The trial has no invoice.`;
    return { state: 'in_trial', until: period_end, details };
  }
  const becomes =
    hold_until === period_end ? 'created and issued' : `created as a draft and held ${holdOf(hold_until)}`;
  const details = `**Collecting usage** of ${period_start} to ${period_end}; then the invoice is ${becomes}.`;
  return { state: 'collecting_usage', until: period_end, details };
}

function holding(draft: NextDraft, period: OpenPeriod | null): Waiting {
  const { id, period_start, period_end, held_until } = draft;
  const ends = [held_until, period?.period_end].filter((end) => typeof end === 'string');
  const until = ends.length === 0 ? null : ends.reduce(earliest);
  const issued = held_until === null ? '' : '; then its usage is counted again and the invoice is issued';
  const details = `**Draft held:** \`${id}\`, for ${period_start} to ${period_end}, is held ${holdOf(held_until)}${issued}.`;
  return { state: 'draft_held', until, details };
}

function holdOf(hold_until: string | null): string {
  return hold_until === null ? 'until it is finalized' : `for late events until ${hold_until}`;
}
