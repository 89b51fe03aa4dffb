import { earliest } from '../domain/period.ts';
import { periodContextOf, holdUntil, type BillingSettings } from './draft.ts';
import { findNextDraft, lastInvoiceId, type NextDraft } from '../db/invoices.ts';
import { closePeriod, findOpenPeriod, type StoredPeriod } from '../db/periods.ts';
import { findPendingRegeneration, lastRegeneration } from '../db/regenerations.ts';
import {
  finishSubscription,
  lockSubscription,
  setAttention,
  type Subscription,
} from '../db/subscription-context.ts';
import type { Db } from '../db/pool.ts';
import { findEarlierPeriod } from './turn.ts';

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

export type Action =
  | { kind: 'bill'; period_start: string; period_end: string; revision: number; issue: boolean }
  | { kind: 'regenerate'; regeneration_id: string; invoice_id: string }
  /** `wait_ms` null: wait for a signal alone, because the customer's test clock stands still or a person must act. */
  | { kind: 'wait'; wait_ms: number | null; until: string | null; more_soon: boolean }
  | { kind: 'end' };

/**
 * The next step of a subscription's workflow, and the texts that the workflow shows meanwhile. Ids, instants and milliseconds; no amounts.
 */
export type NextStep = {
  state: BillingState;
  customer_id: string | null;
  plan_id: string | null;
  period_end: string | null;
  last_invoice_id: string | null;
  /** Markdown for operators who read the Temporal UI: what the workflow waits for and what happens then. */
  details: string;
  action: Action;
  /** Only for workflows that ask for it. */
  newer_columns?: NewerColumns;
};

/** Columns of the workflow list that workflows of the first versions do not write. */
export type NewerColumns = {
  environment: 'live' | 'test' | null;
  /** Null if the workflow waits for a signal alone. An instant long past means that the step is overdue. */
  waits_until: string | null;
};

type SubscriptionKey = { environment_id: number; subscription_id: string };
type Question = SubscriptionKey & { woken: boolean; newer_columns?: boolean };

/**
 * Decides the workflow's next step from the rows, by the customer's clock. Writes only in three cases: closes a trial that has ended (a
 * trial makes no invoice), clears the attention of a subscription after a `wake` signal, and finishes a subscription with nothing left to
 * bill.
 */
export async function nextStep(db: Db, key: Question, settings: BillingSettings): Promise<NextStep> {
  const subscription = await lockSubscription(db, key.environment_id, key.subscription_id);
  const step = subscription === null ? NOTHING : await nextStepOf(db, key, { subscription, settings });
  return key.newer_columns === true ? { ...step, newer_columns: newerColumns(subscription, step) } : step;
}

function newerColumns(subscription: Subscription | null, { action }: NextStep): NewerColumns {
  const waits_until = action.kind === 'wait' && action.wait_ms !== null ? action.until : null;
  if (subscription === null) return { environment: null, waits_until };
  return { environment: subscription.livemode ? 'live' : 'test', waits_until };
}

async function nextStepOf(
  db: Db,
  key: Question,
  { subscription, settings }: { subscription: Subscription; settings: BillingSettings },
): Promise<NextStep> {
  const shown = { ...identity(subscription), last_invoice_id: await lastInvoiceId(db, key) };
  const request = await findPendingRegeneration(db, key);
  // Served even if the subscription needs attention: the regeneration may be the repair.
  if (request !== null) return { ...shown, ...regenerate(request) };
  if (subscription.attention !== null && !key.woken) return { ...shown, ...parked(subscription.attention) };
  if (subscription.attention !== null) await setAttention(db, key.environment_id, subscription.id, null);

  const draft = await findNextDraft(db, key, subscription.now);
  const period = await findUnendedPeriod(db, key, { subscription, settings });
  const issueOrWait = (billed: Billed, revision: number) =>
    issueInTurn(db, subscription, { billed, revision, settings });
  if (draft?.due === true) return { ...shown, ...(await issueOrWait(draft, draft.usage_revision + 1)) };
  if (draft?.unfinished === true)
    return { ...shown, ...bill(draft, { revision: draft.usage_revision, issue: false }) };
  if (period !== null && period.period_end <= subscription.now) {
    const hold_until = holdUntil(subscription, period, settings);
    const is_held = hold_until === null || hold_until > subscription.now;
    const step = is_held ? bill(period, { revision: 1, issue: false }) : await issueOrWait(period, 1);
    return { ...shown, ...step };
  }
  if (draft !== null || period !== null) {
    const hold_until = period === null ? null : holdUntil(subscription, period, settings);
    const waiting = wait(subscription, draft, period === null ? null : { ...period, hold_until });
    return { ...shown, ...waiting, details: waiting.details + (await regenerationDetails(db, key)) };
  }
  await finishSubscription(db, key.environment_id, subscription.id);
  return { ...shown, ...ENDED };
}

const ENDED = {
  state: 'ended',
  period_end: null,
  details: '**Ended.** Every period is billed, and nothing is to come.',
  action: { kind: 'end' },
} as const;

const NOTHING: NextStep = { ...ENDED, customer_id: null, plan_id: null, last_invoice_id: null };

function identity({ customer_id, plan_id }: Subscription) {
  return { customer_id, plan_id };
}

function parked(attention: string) {
  return {
    state: 'needs_attention',
    period_end: null,
    details: `**Needs a person:** ${attention}`,
    action: { kind: 'wait', wait_ms: null, until: null, more_soon: false },
  } as const;
}

type Billed = { period_start: string; period_end: string };
type Shown = Pick<NextStep, 'state' | 'period_end' | 'details' | 'action'>;

/** Polling interval while a subscription waits its turn, in case the signal from the earlier subscription is lost. */
const TURN_WAIT_MS = 30_000;

/** Issues a period's invoice only after all earlier ends of the customer's other subscriptions are billed. */
async function issueInTurn(
  db: Db,
  subscription: Subscription,
  { billed, revision, settings }: { billed: Billed; revision: number; settings: BillingSettings },
): Promise<Shown> {
  const earlier = await findEarlierPeriod(db, subscription, billed.period_end, settings);
  if (earlier === null) return bill(billed, { revision, issue: true });
  const until = new Date(Date.parse(subscription.now) + TURN_WAIT_MS).toISOString();
  return {
    state: 'billing',
    period_end: billed.period_end,
    details: `**Waits its turn:** \`${earlier.subscription_id}\` of the same customer has a period that ended at ${earlier.period_end}, before ${billed.period_end}. It is billed first, since credit goes to the period that ends first.`,
    action: { kind: 'wait', wait_ms: TURN_WAIT_MS, until, more_soon: true },
  };
}

function bill(billed: Billed, how: { revision: number; issue: boolean }): Shown {
  const { period_start, period_end } = billed;
  return {
    state: 'billing',
    period_end,
    details: `**Billing** the period ${period_start} to ${period_end}: usage is counted, credit applied${how.issue ? ' and the invoice issued' : ', and the draft then held'}.`,
    action: { kind: 'bill', period_start, period_end, ...how },
  };
}

function regenerate({ id, invoice_id }: { id: string; invoice_id: string }): Shown {
  return {
    state: 'billing',
    period_end: null,
    details: `**Replacing** the invoice \`${invoice_id}\`, as \`${id}\` asks.`,
    action: { kind: 'regenerate', regeneration_id: id, invoice_id },
  };
}

async function regenerationDetails(db: Db, key: SubscriptionKey): Promise<string> {
  const last = await lastRegeneration(db, key);
  if (last === null) return '';
  const { invoice_id, new_invoice_id, refusal } = last;
  const outcome = new_invoice_id === null ? `refused: ${refusal}` : `replaced by \`${new_invoice_id}\``;
  return `\n\nLast regeneration, of \`${invoice_id}\`: ${outcome}.`;
}

/** The open period and the end of its future draft's hold; null holds the draft until it is finalized. */
type Unended = StoredPeriod & { hold_until: string | null };

function wait(subscription: Subscription, draft: NextDraft | null, period: Unended | null): Shown {
  const { now, has_test_clock, advancing } = subscription;
  const { state, until, details } = waitingFor(subscription, draft, period);
  const stands_still = `\n\nAll by the customer's test clock, which stands at ${now} until it is advanced.`;
  return {
    state,
    period_end: period?.period_end ?? draft?.period_end ?? null,
    details: has_test_clock ? details + stands_still : details,
    action: {
      kind: 'wait',
      wait_ms: has_test_clock || until === null ? null : Math.max(1, Date.parse(until) - Date.parse(now)),
      until,
      more_soon: advancing,
    },
  };
}

type Waiting = { state: BillingState; until: string | null; details: string };

function waitingFor(subscription: Subscription, draft: NextDraft | null, period: Unended | null): Waiting {
  if (draft !== null) return holding(draft, period);
  const { now, start_date } = subscription;
  const { period_start, period_end, kind, hold_until } = period!;
  if (now < start_date) {
    const first = kind === 'trial' ? 'its trial' : 'its first period';
    const details = `**Waits for its start** at ${start_date}; then ${first} begins, until ${period_end}.`;
    return { state: 'waits_for_start', until: start_date, details };
  }
  if (kind === 'trial') {
    const details = `**In trial** until ${period_end}; then its first period begins, and no invoice is made of the trial.`;
    return { state: 'in_trial', until: period_end, details };
  }
  if (kind === 'late') {
    const details = `**Collecting late usage:** the subscription has ended. What still comes is on one last invoice at ${period_end}; if nothing comes, there is none.`;
    return { state: 'collecting_late_usage', until: period_end, details };
  }
  const details = `**Collecting usage** of ${period_start} to ${period_end}; then the invoice is ${becoming(period_end, hold_until)}.`;
  return { state: 'collecting_usage', until: period_end, details };
}

function becoming(period_end: string, hold_until: string | null): string {
  if (hold_until === period_end) return 'made and issued';
  return `drafted, and held ${holdOf(hold_until)}`;
}

function holdOf(hold_until: string | null): string {
  return hold_until === null ? 'until somebody finalizes it' : `for late events until ${hold_until}`;
}

function holding({ id, period_start, period_end, held_until }: NextDraft, period: Unended | null): Waiting {
  const ends = [held_until, period?.period_end].filter((end) => typeof end === 'string');
  const until = ends.length === 0 ? null : ends.reduce(earliest);
  const issued = held_until === null ? '' : '; then it is counted once more and issued';
  const details = `**Draft held:** \`${id}\`, of ${period_start} to ${period_end}, is held ${holdOf(held_until)}${issued}.`;
  return { state: 'draft_held', until, details };
}

/** The open period. Closes a trial that has ended first, because a trial makes no invoice. */
async function findUnendedPeriod(
  db: Db,
  key: SubscriptionKey,
  { subscription, settings }: { subscription: Subscription; settings: BillingSettings },
): Promise<StoredPeriod | null> {
  const period = await findOpenPeriod(db, key);
  if (period?.kind !== 'trial' || period.period_end > subscription.now) return period;
  await closePeriod(db, key, period, periodContextOf(subscription, settings));
  return findOpenPeriod(db, key);
}
