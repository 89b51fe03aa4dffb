import { duePeriodsOfSiblings, type DuePeriod } from '../../db/subscriptions/due-periods.ts';
import { readNextStepRows, type NextStepRows } from '../../db/subscriptions/next-step-rows.ts';
import { changePeriods } from '../../db/subscriptions/periods.ts';
import {
  clearAttention,
  finishSubscriptions,
  lockCustomersOf,
  lockSubscriptions,
  noteRecovery,
  readSubscriptions,
} from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { decide, type Effects, type Facts } from '../../domain/subscription/next-step.ts';
import { closingOf } from '../../domain/invoice/period-change.ts';
import {
  holdUntil,
  type BillingSettings,
  type Subscription,
} from '../../domain/subscription/subscription.ts';
import { ENDED, stepOf, type WorkflowStep } from '../../domain/subscription/workflow-step.ts';
import { SIGNALS_AT_ONCE_MAX } from './billing-order.ts';
import { moveItemsLeft } from './invoice-item.ts';
import { openPeriod } from './open-period.ts';
import { settleQuantities } from './settle-quantities.ts';

/**
 * The next step of a subscription's workflow, with the ids that the workflow shows. Ids, instants and milliseconds; no
 * amounts.
 */
export type NextStep = WorkflowStep & {
  customer_id: string | null;
  plan_id: string | null;
  last_invoice_id: string | null;
  /** Null if the subscription does not exist. */
  environment: 'live' | 'test' | null;
  /** The instant when the wait ends by itself; null if the workflow waits for a signal alone or does not wait. */
  waits_until: string | null;
};

/** The question of a workflow. Recorded histories contain the names of the members, so none is ever renamed. */
export type Question = {
  environment_id: number;
  subscription_id: string;
  /** A signal asks a parked subscription to be billed again now. */
  retries_now?: boolean;
};

/** The rows of a locked subscription that decide its next step. */
export type Asked = {
  subscription: Subscription;
  rows: NextStepRows;
  retries_now: boolean;
  due_siblings: readonly DuePeriod[];
};

/** The answer about a subscription that does not exist. */
export const NOTHING: NextStep = {
  ...ENDED,
  customer_id: null,
  plan_id: null,
  last_invoice_id: null,
  environment: null,
  waits_until: null,
};

/**
 * The workflow's next step, by the customer's clock: reads the rows, lets the domain decide, and writes what the
 * decision changes. It closes a trial that has ended, opens a period whose beginning is work, settles quantities,
 * clears the attention of a subscription after a `wake` signal, and finishes a subscription with nothing left to bill,
 * whose items may move to another of the customer.
 */
export async function nextStep(db: Db, question: Question, settings: BillingSettings): Promise<NextStep> {
  const { environment_id, subscription_id } = question;
  await lockCustomersOf(db, environment_id, [subscription_id]);
  await lockSubscriptions(db, environment_id, [subscription_id]);
  const [situation] = await loadAsked(db, environment_id, [question], settings);
  if (situation === undefined) return NOTHING;
  const { step, effects } = stepByRows(situation, settings);
  await carryOut(db, environment_id, [{ ...situation, effects }], settings);
  return shownStep(situation, step);
}

/** Reads what decides the next steps of locked subscriptions, without those that do not exist. */
export async function loadAsked(
  db: Db,
  environment_id: number,
  questions: readonly Question[],
  { grace_period_ms }: BillingSettings,
): Promise<Asked[]> {
  const ids = questions.map(({ subscription_id }) => subscription_id);
  const subscriptions = await readSubscriptions(db, environment_id, ids);
  const rows = await readNextStepRows(db, environment_id, subscriptions);
  const siblings = { grace_period_ms, limit: SIGNALS_AT_ONCE_MAX };
  const due = await duePeriodsOfSiblings(db, environment_id, subscriptions, siblings);
  const retrying = new Set(
    questions.filter(({ retries_now }) => retries_now).map(({ subscription_id }) => subscription_id),
  );
  return subscriptions.map((subscription) => ({
    subscription,
    rows: rows.get(subscription.id)!,
    retries_now: retrying.has(subscription.id),
    due_siblings: due.get(subscription.id)!,
  }));
}

/** Decides the next step of a subscription, and the rows that change with it. */
export function stepByRows(
  situation: Asked,
  settings: BillingSettings,
): { step: WorkflowStep; effects: Effects } {
  const { subscription, rows, due_siblings } = situation;
  const { decision, effects } = decide(factsOf(situation, settings));
  const [first] = due_siblings;
  const is_behind =
    decision.kind === 'issue' && first !== undefined && first.period_end < decision.billed.period_end;
  const context = {
    subscription,
    earlier: is_behind ? first : null,
    last_regeneration: rows.last_regeneration,
  };
  return { step: stepOf(decision, context), effects };
}

/** The step with the ids that the workflow shows. */
export function shownStep(
  { subscription, rows }: Pick<Asked, 'subscription' | 'rows'>,
  step: WorkflowStep,
): NextStep {
  const { customer_id, plan_id, livemode } = subscription;
  const { action } = step;
  const waits_until = action.kind === 'wait' && action.wait_ms !== null ? action.until : null;
  const environment = livemode ? 'live' : 'test';
  return {
    ...step,
    customer_id,
    plan_id,
    last_invoice_id: rows.last_invoice?.id ?? null,
    environment,
    waits_until,
  };
}

function factsOf({ subscription, rows, retries_now }: Asked, settings: BillingSettings): Facts {
  const { attention, billing_failed, now, has_quantity_to_settle } = subscription;
  const { request, drafts, open } = rows;
  const following = open?.kind === 'trial' ? closingOf(subscription, open, settings).following : null;
  const withHold = <P extends { period_end: string }>(period: P | null) =>
    period && { ...period, hold_until: holdUntil(subscription, period, settings) };
  const periods = { period: withHold(open), period_after_trial: withHold(following) };
  const parked = { attention, billing_failed, retries_now };
  return { now, ...parked, request, drafts, ...periods, has_quantity_to_settle };
}

/**
 * Writes what decisions change, by one statement for each kind of change, and what follows for items. The caller holds
 * the locks.
 */
export async function carryOut(
  db: Db,
  environment_id: number,
  decided: readonly (Pick<Asked, 'subscription' | 'rows'> & { effects: Effects })[],
  settings: BillingSettings,
): Promise<void> {
  const idsOf = (effect: keyof Effects) =>
    decided.filter(({ effects }) => effects[effect]).map(({ subscription }) => subscription.id);
  await clearAttention(db, environment_id, idsOf('clears_attention'));
  await noteRecovery(db, environment_id, idsOf('recovers'));
  const trials = decided.flatMap(({ effects, subscription, rows: { open } }) => {
    if (!effects.closes_trial || open === null) return [];
    return [{ ...closingOf(subscription, open, settings), subscription_id: subscription.id }];
  });
  await changePeriods(db, environment_id, trials);
  for (const id of idsOf('opens')) await openPeriod(db, { environment_id, subscription_id: id });
  for (const id of idsOf('settles')) await settleQuantities(db, { environment_id, subscription_id: id });
  const finished = await finishSubscriptions(db, environment_id, idsOf('finishes'));
  await moveItemsLeft(db, environment_id, finished, settings);
}
