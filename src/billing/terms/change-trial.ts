import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { noteStatusesOf } from '../../db/subscriptions/noted-status.ts';
import { lockCustomerAndSubscription, setTrialEnd } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import { trialEndOf, type TrialTime } from '../../domain/subscription/trial.ts';
import { nextStep } from '../close/next-step.ts';
import { followTerms } from './terms.ts';

/**
 * Extends, shortens, adds or ends the trial of a subscription that is not billed yet, in the caller's transaction
 * (contract.md 3). What is scheduled keeps its instant. Returns false if the subscription does not exist. Throws as
 * trialEndOf does.
 */
export async function changeTrial(
  db: Db,
  key: SubscriptionKey,
  ends_at: TrialTime,
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return false;
  const end = trialEndOf(subscription, ends_at);
  // The trial that ends now has begun before: the feed has both.
  if (subscription.has_new_status) await noteStatusesOf(db, environment_id, [subscription_id]);
  await setTrialEnd(db, subscription, end);
  await followTerms(db, key, settings);
  // One that ends now closes at once, so that the answer has the first billing period.
  if (end.trial_end_date <= subscription.now) await nextStep(db, key, settings);
  return true;
}
