import { refuseArchivedEnd } from '../../db/archive/refusals.ts';
import { draftsOf } from '../../db/invoicing/drafts.ts';
import { endBilledPeriods, lastPeriod } from '../../db/subscriptions/billed-end.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { repriceDraft } from '../close/draft.ts';
import { voidPlanGrantsFrom } from '../close/plan-grants.ts';
import { followTerms } from './terms.ts';
import { creditTimeAfter } from '../close/unused-time.ts';
import { voidLocked } from '../owed/void.ts';

/**
 * Lets everything follow the end of a subscription in a period that is billed, once it is stored (billing.md 1):
 * periods, grants of plans, drafts, and flat amounts by credit notes at once. The next invoice credits the usage after
 * the end. The caller holds the locks of customer and subscription. Returns the subscription as it is then. Throws
 * conflict `archived` if the events of the period that is cut are archived, and `invalid_state` if live documents wait
 * for the count of numbers.
 */
export async function followBilledEnd(
  db: Db,
  { environment_id, id: subscription_id, customer_id }: Subscription,
  end: string,
  settings: BillingSettings,
): Promise<Subscription> {
  const key = { environment_id, subscription_id };
  const last = await lastPeriod(db, key, end);
  const { full_period_start, is_cut } = last;
  await refuseArchivedEnd(db, { environment_id, customer_id }, is_cut ? full_period_start : end);
  await endBilledPeriods(db, key, { end, last });
  const changed = await followTerms(db, key, settings);
  await voidPlanGrantsFrom(db, changed, end);
  await fitDrafts(db, changed, end, settings);
  await creditTimeAfter(db, changed, end);
  return changed;
}

/**
 * Voids the drafts of periods that are left out, which gives their items back, and counts the others anew, up to the
 * end.
 */
async function fitDrafts(
  db: Db,
  subscription: Subscription,
  end: string,
  settings: BillingSettings,
): Promise<void> {
  const { environment_id, id: subscription_id } = subscription;
  const drafts = await draftsOf(db, { environment_id, subscription_id });
  const isLeftOut = ({ period_start }: { period_start: string }) => period_start >= end;
  for (const { id } of drafts.filter(isLeftOut))
    await voidLocked(db, subscription, { id, reason: 'The subscription ended before' });
  for (const draft of drafts)
    if (!isLeftOut(draft)) await repriceDraft(db, subscription, draft.period_start, settings);
}
