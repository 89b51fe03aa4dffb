import { conflict, invalid, notFound } from '../../domain/money/errors.ts';
import { beginningOf, isDay } from '../../domain/time/local-time.ts';
import { addYears } from '../../domain/time/period.ts';
import { firstPhase } from '../../domain/subscription/plan-phase.ts';
import { refuseTrialEnd } from '../../domain/subscription/trial.ts';
import { noteStatusesOf } from '../../db/subscriptions/noted-status.ts';
import { newId } from '../../keys/ids.ts';
import { amountOf } from './bill-at.ts';
import { setPendingExpiries } from './grant-credit.ts';
import { refuseWhileRedacting } from '../customers/redact.ts';
import { lockedTerms, type CustomerTerms } from '../../db/customers/customer-terms.ts';
import { askForLook } from '../../db/subscriptions/threshold-looks.ts';
import { openFirstPeriod } from '../../db/subscriptions/periods.ts';
import { lockNamedPlan, type ChosenPlan } from '../../db/subscriptions/plan-versions.ts';
import {
  findOverlap,
  insertSubscription,
  type NewSubscription,
  type WantedPlan,
} from '../../db/subscriptions/subscriptions.ts';
import type { Db } from '../../db/connection/pool.ts';

const START_YEARS_BACK_MAX = 5;
const START_YEARS_AHEAD_MAX = 1;

/**
 * `customer_id` is your external id or our `cus_` id. A date is an instant in UTC, or a day such as 2026-03-01, which
 * begins in the time zone of the customer. `plan_id` may be a key, which names its newest version.
 */
export type SubscriptionRequest = {
  customer_id: string;
  plan_id: string;
  start_date?: string;
  trial_end_date?: string;
  billing_anchor?: string;
  bill_at?: string;
};

/**
 * Subscribes a customer to a plan in the caller's transaction and opens the first period (contract.md 3). Returns the
 * subscription's id. Throws not_found if customer or plan are unknown, invalid_request if currencies, dates or the
 * amount do not fit, and conflict `overlapping_subscription` if another subscription bills the same events, `archived`
 * if the plan or events from the start on are archived, or `invalid_state` for a custom plan of another customer, or
 * while what the plan reads is being redacted.
 */
export async function subscribe(
  db: Db,
  environment_id: number,
  request: SubscriptionRequest,
): Promise<string> {
  const customer = await lockedTerms(db, environment_id, request.customer_id);
  if (customer === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
  const plan = await planFor(db, environment_id, request.plan_id, {
    ...customer,
    customer_id: customer.id,
  });
  await refuseWhileRedacting(db, environment_id, plan.id, customer.pending_redactions);
  const { now, timezone } = customer;
  const instantOf = (date: string | undefined) => (date === undefined ? null : beginningOf(date, timezone));
  const subscription: NewSubscription = {
    id: newId('sub'),
    customer_id: customer.id,
    plan_id: plan.id,
    start_date: instantOf(request.start_date) ?? now,
    trial_end_date: instantOf(request.trial_end_date),
    billing_anchor: instantOf(request.billing_anchor),
    anchor_is_day: isDay(request.billing_anchor ?? request.trial_end_date ?? request.start_date ?? now),
    timezone,
    created_at: now,
    bill_at: request.bill_at === undefined ? null : amountOf(request.bill_at, customer.currency),
  };
  refuseBadDates(subscription);
  refuseArchivedStart(subscription, customer);
  const { start_date: from } = subscription;
  await refuseOverlap(db, environment_id, { ...subscription, from, to: null, subscription_id: null });
  await insertSubscription(db, environment_id, subscription);
  await noteStatusesOf(db, environment_id, [subscription.id]);
  const key = { environment_id, subscription_id: subscription.id };
  await openFirstPeriod(db, key, { ...subscription, phases: [firstPhase(plan)], now });
  await setPendingExpiries(db, environment_id, customer.id);
  if (subscription.bill_at !== null) await askForLook(db, key);
  return subscription.id;
}

/**
 * The plan of a request, by its id or by a key, which names the newest version. It is not archived until the end of the
 * transaction. Throws not_found `unknown_plan`, invalid_request `currency_mismatch` for one in another currency than
 * the customer's, and conflict `archived`, or `invalid_state` for a custom plan of another customer. `customer_id` is
 * our `cus_` id.
 */
export async function planFor(
  db: Db,
  environment_id: number,
  name: string,
  { customer_id, currency }: { customer_id: string; currency: string },
): Promise<ChosenPlan> {
  const plan = await lockedPlan(db, environment_id, name, 'plan_id');
  if (plan.customer_id !== null && plan.customer_id !== customer_id)
    throw conflict('plan_id', 'invalid_state', `plan ${plan.id} is a custom plan of another customer`);
  if (plan.currency !== currency) {
    const message = `the currency of the plan is ${plan.currency}, but the currency of the customer is ${currency}`;
    throw invalid('plan_id', 'currency_mismatch', message);
  }
  refuseArchived(plan, 'plan_id');
  return plan;
}

/**
 * The plan that a request names in `param`, by its id or by a key; nobody archives it until the end of the transaction.
 * Throws not_found `unknown_plan`.
 */
export async function lockedPlan(
  db: Db,
  environment_id: number,
  name: string,
  param: string,
): Promise<ChosenPlan> {
  const plan = await lockNamedPlan(db, environment_id, name);
  if (plan === null) throw notFound(param, 'unknown_plan', `${param} does not match any plan`);
  return plan;
}

/** Throws conflict `archived` for a plan that is no longer chosen. */
export function refuseArchived({ id, archived_at }: ChosenPlan, param: string): void {
  if (archived_at === null) return;
  const message = `plan ${id} is archived: choose another one, or take it back from the archive`;
  throw conflict(param, 'archived', message);
}

function refuseBadDates({ start_date, trial_end_date, created_at: now }: NewSubscription): void {
  const earliest = addYears(now, -START_YEARS_BACK_MAX);
  const latest = addYears(now, START_YEARS_AHEAD_MAX);
  if (start_date < earliest || start_date > latest) {
    throw invalid('start_date', 'out_of_range', `start_date must be between ${earliest} and ${latest}`);
  }
  if (trial_end_date !== null) refuseTrialEnd('trial_end_date', trial_end_date, start_date);
}

/** Throws conflict `archived` if events that the subscription would bill are archived. */
function refuseArchivedStart({ start_date }: NewSubscription, { archived_to }: CustomerTerms): void {
  if (archived_to === null || archived_to <= start_date) return;
  throw conflict(
    'start_date',
    'archived',
    `start_date must not be before ${archived_to}: the customer's events before it are archived`,
  );
}

/**
 * Throws conflict `overlapping_subscription` if another subscription of the customer bills events of the plan in its
 * time.
 */
export async function refuseOverlap(
  db: Db,
  environment_id: number,
  plan: WantedPlan,
  param: string | null = 'plan_id',
): Promise<void> {
  const overlap = await findOverlap(db, environment_id, plan);
  if (overlap === null) return;
  const { subscription_id, event_name } = overlap;
  const message = `subscription ${subscription_id} already bills ${event_name} events of this customer`;
  throw conflict(param, 'overlapping_subscription', message);
}
