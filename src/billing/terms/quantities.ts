import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { draftsOf } from '../../db/invoicing/drafts.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import {
  countInstants,
  dropQuantitiesOfChanges,
  dropQuantitiesUpTo,
  putQuantities,
  quantitiesSince,
  takeBackQuantitiesAt,
} from '../../db/subscriptions/quantities.ts';
import {
  lockCustomerAndSubscription,
  readSubscription,
} from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { conflict } from '../../domain/money/errors.ts';
import type { UnusedTime } from '../../domain/subscription/change-terms.ts';
import {
  instantOfChange,
  refuseTimeOfChange,
  type ChangeTime,
} from '../../domain/subscription/plan-change.ts';
import { phaseAt } from '../../domain/subscription/plan-phase.ts';
import { quantityAt, type Quantities, type QuantityBill } from '../../domain/subscription/quantity.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { beginningOf } from '../../domain/time/local-time.ts';
import { billingStart, latest } from '../../domain/time/period.ts';
import { repriceDraft } from '../close/draft.ts';
import { creditTakenBack, settleQuantities } from '../close/settle-quantities.ts';
import { putFirstQuantities, refuseNames } from './quantity-names.ts';
import { withOpenPeriod } from './terms.ts';

/** Limit of the instants of one subscription that are to come. */
export const INSTANTS_TO_COME_MAX = 20;
/** Limit of the instants from the start of the running full period on: a line lists the stretches between them. */
export const INSTANTS_MAX = 1000;

/** `settle` is the use of what was paid for a lower quantity, `bill` the invoice of a higher one (billing.md 14). */
export type QuantitiesRequest = {
  quantities: Quantities;
  at: ChangeTime;
  settle: UnusedTime;
  bill: QuantityBill;
};

/**
 * Changes quantities of a subscription from an instant on, in the caller's transaction (contract.md 3); for an instant
 * that has come it also makes what follows. Returns the instant, null if the subscription does not exist. Throws
 * invalid_request `out_of_range` or `not_allowed`, and conflict `invalid_state` or `too_many`.
 */
export async function changeQuantities(
  db: Db,
  key: SubscriptionKey,
  request: QuantitiesRequest,
  settings: BillingSettings,
): Promise<string | null> {
  const at = await putQuantitiesAsAsked(db, key, request);
  if (at !== null) await followQuantities(db, key, settings);
  return at;
}

/** Stores the quantities of a request; nothing follows yet. Returns and throws as changeQuantities does. */
export async function putQuantitiesAsAsked(
  db: Db,
  key: SubscriptionKey,
  { quantities, at: time, settle, bill }: QuantitiesRequest,
): Promise<string | null> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  const { at } = instantOfChange(subscription, time);
  refuseTimeOfChange(await withOpenPeriod(db, subscription), at);
  const begins = billingStart(subscription);
  // The instant from which they count: until billing begins, they are those with which it begins.
  const from = latest(at, begins);
  const { plan_id } = phaseAt(subscription, from);
  await refuseNames(db, environment_id, { quantities, plan_id });
  await refuseEqual(db, key, { quantities, at: from });
  const { now } = subscription;
  if (at <= begins && now < begins) {
    await dropQuantitiesUpTo(db, key, { names: Object.keys(quantities), at: begins });
    await putFirstQuantities(db, key, { quantities, now });
  } else {
    await refuseTooMany(db, subscription, at);
    const terms = { settle, bill, with_change: false, came_at: null };
    await putQuantities(db, key, { ...terms, at, quantities });
  }
  return at;
}

/**
 * Takes back what is scheduled for an instant, or a day in the time zone of the subscription. Returns false if the
 * subscription does not exist. Throws conflict `invalid_state` where nothing is.
 */
export async function takeBackQuantities(
  db: Db,
  key: SubscriptionKey,
  sent_at: string,
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return false;
  const { now, timezone } = subscription;
  const at = beginningOf(sent_at, timezone);
  if ((await takeBackQuantitiesAt(db, key, { at, now })) === 0)
    throw conflict(
      'at',
      'invalid_state',
      `subscription ${subscription_id} has no quantity scheduled for ${at}`,
    );
  await followQuantities(db, key, settings);
  return true;
}

/**
 * Stores the quantities of a change of plan in place of those that were sent with a scheduled one, and with one at its
 * instant. Throws conflict `too_many`.
 */
export async function putQuantitiesOfChange(
  db: Db,
  subscription: Subscription,
  { quantities, at, settle }: { quantities: Quantities; at: string; settle: UnusedTime },
): Promise<void> {
  const { environment_id, id: subscription_id, now } = subscription;
  const key = { environment_id, subscription_id };
  const dropped = subscription.has_quantities ? await dropQuantitiesOfChanges(db, key, { now, at }) : 0;
  if (Object.keys(quantities).length > 0) {
    await refuseTooMany(db, subscription, at);
    const terms = { settle, bill: 'with_next', with_change: true, came_at: null } as const;
    await putQuantities(db, key, { ...terms, at, quantities });
  }
  if (dropped > 0) await creditTakenBack(db, key);
}

/** Settles what has come, and shows drafts anew: one may have a fee of the period that follows it. */
async function followQuantities(db: Db, key: SubscriptionKey, settings: BillingSettings): Promise<void> {
  await settleQuantities(db, key);
  const drafts = await draftsOf(db, key);
  if (drafts.length === 0) return;
  const subscription = (await readSubscription(db, key.environment_id, key.subscription_id))!;
  for (const { period_start } of drafts) await repriceDraft(db, subscription, period_start, settings);
}

/** Throws conflict `invalid_state` where all quantities hold at the instant already. */
async function refuseEqual(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  { quantities, at }: { quantities: Quantities; at: string },
): Promise<void> {
  const changes = await quantitiesSince(db, environment_id, [{ subscription_id, from: at }]);
  if (Object.entries(quantities).some(([name, quantity]) => quantityAt(changes, name, at) !== quantity))
    return;
  const message = `subscription ${subscription_id} has these quantities at ${at} already`;
  throw conflict('quantities', 'invalid_state', message);
}

async function refuseTooMany(db: Db, subscription: Subscription, at: string): Promise<void> {
  const { environment_id, id: subscription_id, now } = subscription;
  const key = { environment_id, subscription_id };
  const open = await findOpenPeriod(db, key);
  const from = open?.full_period_start ?? now;
  const { to_come, since } = await countInstants(db, key, { now, from, at });
  if (at > now && to_come >= INSTANTS_TO_COME_MAX)
    throw tooMany(
      `${to_come} other changes of quantity are to come, and at most ${INSTANTS_TO_COME_MAX} may be`,
    );
  if (since >= INSTANTS_MAX)
    throw tooMany(
      `quantities change at ${since} other instants from ${from} on, and may at ${INSTANTS_MAX} at most`,
    );
}

function tooMany(message: string) {
  return conflict('at', 'too_many', message);
}
