import { decide, foresee, type Effects, type Facts } from '../domain/next-step.ts';
import { ENDED, stepOf, type Action, type Billing, type WorkflowStep } from '../domain/workflow-step.ts';
import { findPeriodInvoice } from '../db/invoicing/invoices.ts';
import { readNextStepRows, type NextStepRows } from '../db/subscriptions/next-step-rows.ts';
import { changePeriods } from '../db/subscriptions/periods.ts';
import { closingOf } from '../domain/period-change.ts';
import { periodFollowing, type StoredPeriod } from '../domain/following-period.ts';
import { lastRegeneration } from '../db/subscriptions/regenerations.ts';
import {
  holdUntil,
  periodContextOf,
  type BillingSettings,
  type Subscription,
} from '../domain/subscription.ts';
import {
  finishSubscription,
  lockSubscription,
  setAttention,
} from '../db/subscriptions/subscription-context.ts';
import type { Db } from '../db/connection/pool.ts';
import { eventsToRead } from '../db/usage/events-to-read.ts';
import { findEarlierPeriod } from './billing-order.ts';

/** The next step of a subscription's workflow, with the ids that the workflow shows. Ids, instants and milliseconds; no amounts. */
export type NextStep = WorkflowStep & {
  customer_id: string | null;
  plan_id: string | null;
  last_invoice_id: string | null;
  /** Null if the subscription does not exist. */
  environment: 'live' | 'test' | null;
  /** The instant when the wait ends by itself; null if the workflow waits for a signal alone or does not wait. */
  waits_until: string | null;
};

type SubscriptionKey = { environment_id: number; subscription_id: string };
/** The question of a workflow. Recorded histories contain the names of the members, so none is ever renamed. */
export type Question = SubscriptionKey & {
  /** A signal asks a parked subscription to try again. */
  woken?: boolean;
};
/** A locked subscription, and the settings by which it is billed. */
type Billed = { subscription: Subscription; settings: BillingSettings };

/**
 * The workflow's next step, by the customer's clock: reads the rows, lets the domain decide, and writes what the decision changes. It
 * closes a trial that has ended, clears the attention of a subscription after a `wake` signal, and finishes a subscription with nothing
 * left to bill.
 */
export async function nextStep(db: Db, key: Question, settings: BillingSettings): Promise<NextStep> {
  const subscription = await lockSubscription(db, key.environment_id, key.subscription_id);
  if (subscription === null) return NOTHING;
  const { step, facts, last_invoice_id } = await stepByRows(db, key, { subscription, settings });
  const { customer_id, plan_id, livemode } = subscription;
  const action = await foreseenAndWeighed(db, step.action, { facts, subscription });
  const waits_until = action.kind === 'wait' && action.wait_ms !== null ? action.until : null;
  const environment = livemode ? 'live' : 'test';
  return { ...step, action, customer_id, plan_id, last_invoice_id, environment, waits_until };
}

const NOTHING: NextStep = {
  ...ENDED,
  ...{ customer_id: null, plan_id: null, last_invoice_id: null, environment: null, waits_until: null },
};

/** The next step of a workflow by its rows. `step` does not say yet what follows a wait, nor whether a bill is heavy. */
type StepByRows = { step: WorkflowStep; facts: Facts; last_invoice_id: string | null };

async function stepByRows(db: Db, key: Question, billed: Billed): Promise<StepByRows> {
  const { subscription, settings } = billed;
  const rows = await readNextStepRows(db, key, subscription.now);
  const { last_invoice_id, open } = rows;
  const facts = factsOf(rows, { ...billed, retries_now: key.woken === true });
  const { decision, effects } = decide(facts);
  await carryOut(db, effects, { ...billed, open });
  // Each is read for the decisions alone that need it: most steps need neither.
  const earlier =
    decision.kind === 'issue'
      ? await findEarlierPeriod(db, subscription, decision.billed.period_end, settings)
      : null;
  const is_waiting = decision.kind === 'hold' || decision.kind === 'collect';
  const last_regeneration = is_waiting ? await lastRegeneration(db, key) : null;
  return { step: stepOf(decision, { subscription, earlier, last_regeneration }), facts, last_invoice_id };
}

/** A bill reads a million events in 0.7 s, or in 1.5 s on a busy machine; a charge may read them twice. */
const LOCAL_EVENTS_MAX = 1_000_000;

/** Says of a wait what comes then, and of each billing whether it is too heavy for a local activity. */
async function foreseenAndWeighed(
  db: Db,
  action: Action,
  { facts, subscription }: { facts: Facts; subscription: Subscription },
): Promise<Action> {
  const weighed = async <B extends Billing>(billing: B): Promise<B> => {
    const is_heavy = (await eventsToRead(db, subscription, billing)) > LOCAL_EVENTS_MAX;
    return { ...billing, is_heavy };
  };
  if (action.kind === 'bill') return weighed(action);
  if (action.kind !== 'wait') return action;
  const then = thenOf(action, facts, subscription);
  return { ...action, then: then && (await weighed(then)) };
}

/** Null where others decide with: another subscription of the customer may have its turn first, and a test clock moves by signals. */
function thenOf(
  action: Action & { kind: 'wait' },
  facts: Facts,
  { has_siblings }: Subscription,
): Billing | null {
  if (action.wait_ms === null || action.until === null || has_siblings) return null;
  const decision = foresee(facts, action.until);
  if (decision === null) return null;
  const { period_start, period_end } = decision.billed;
  return { period_start, period_end, revision: decision.revision, issue: decision.kind === 'issue' };
}

/**
 * Locks the subscription. Returns true if what was foreseen is still the next step, or was done before by an attempt whose answer was lost. It
 * reads the rows as nextStep does.
 */
export async function lockIfStillNext(
  db: Db,
  step: SubscriptionKey & Omit<Billing, 'period_end'>,
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, subscription_id, period_start, revision, issue } = step;
  const subscription = await lockSubscription(db, environment_id, subscription_id);
  if (subscription === null) return false;
  const invoice = await findPeriodInvoice(db, step, period_start);
  if (invoice !== null && invoice.usage_revision >= revision) return true;
  const key = { environment_id, subscription_id };
  const { action } = (await stepByRows(db, key, { subscription, settings })).step;
  return (
    action.kind === 'bill' &&
    action.period_start === period_start &&
    action.revision === revision &&
    action.issue === issue
  );
}

/** The facts of the decision; `retries_now` is for a parked subscription. */
function factsOf(
  { request, draft, open }: NextStepRows,
  { subscription, settings, retries_now }: Billed & { retries_now: boolean },
): Facts {
  const { attention, now } = subscription;
  const following =
    open?.kind === 'trial' ? periodFollowing(open, periodContextOf(subscription, settings)) : null;
  const withHold = <P extends { period_end: string }>(period: P | null) =>
    period && { ...period, hold_until: holdUntil(subscription, period, settings) };
  const periods = { period: withHold(open), period_after_trial: withHold(following) };
  return { now, attention, retries_now, request, draft, ...periods };
}

async function carryOut(
  db: Db,
  { clears_attention, closes_trial, finishes }: Effects,
  { subscription, settings, open }: Billed & { open: StoredPeriod | null },
): Promise<void> {
  const { environment_id, id: subscription_id } = subscription;
  if (clears_attention) await setAttention(db, environment_id, subscription_id, null);
  if (closes_trial && open !== null) {
    const change = closingOf(subscription, open, settings);
    await changePeriods(db, environment_id, [{ ...change, subscription_id }]);
  }
  if (finishes) await finishSubscription(db, environment_id, subscription_id);
}
