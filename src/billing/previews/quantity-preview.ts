import { automaticNotesSince } from '../../db/invoicing/credit-notes.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import { setClock } from '../../db/subscriptions/test-clock.ts';
import { rolledBack, type Db } from '../../db/connection/pool.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import { latest } from '../../domain/time/period.ts';
import { newId } from '../../keys/ids.ts';
import type { QuantityChangePreview } from '../../objects/subscription.ts';
import { openPeriod } from '../close/open-period.ts';
import { furtherOpeningOf, settleQuantities } from '../close/settle-quantities.ts';
import { putQuantitiesAsAsked, type QuantitiesRequest } from '../terms/quantities.ts';
import { closeAt, previewOfNote } from './change-preview.ts';
import { composePeriod, shownDraft } from './upcoming-invoice.ts';

/**
 * The documents that changeQuantities would lead to, by the code that bills; nothing is stored. Returns null if the
 * subscription does not exist. Throws as changeQuantities does.
 */
export async function previewQuantities(
  db: Db,
  key: SubscriptionKey,
  request: QuantitiesRequest,
  settings: BillingSettings,
): Promise<QuantityChangePreview | null> {
  return rolledBack(db, async () => {
    const at = await putQuantitiesAsAsked(db, key, request);
    return at === null ? null : previewAt(db, key, at, settings);
  });
}

async function previewAt(
  db: Db,
  key: SubscriptionKey,
  at: string,
  settings: BillingSettings,
): Promise<QuantityChangePreview> {
  const { environment_id, subscription_id } = key;
  await billBefore(db, key, at, settings);
  const { customer_id, now } = (await readSubscription(db, environment_id, subscription_id))!;
  await setClock(db, { environment_id, customer_id }, latest(now, at));
  await openPeriod(db, key);
  // Ids sort by creation.
  const before = newId('cn');
  const decided = await furtherOpeningOf(db, key);
  await settleQuantities(db, key);
  const notes = await automaticNotesSince(db, key, before);
  const subscription = (await readSubscription(db, environment_id, subscription_id))!;
  const open = await findOpenPeriod(db, key);
  return {
    object: 'quantity_change_preview',
    opening: decided && shownDraft(subscription, decided.draft!),
    upcoming: open?.kind === 'billing' ? await composePeriod(db, subscription, open, settings) : null,
    credit_notes: notes.map(previewOfNote),
  };
}

/** Bills the periods that end at an instant or before, each as at its end. */
async function billBefore(
  db: Db,
  key: SubscriptionKey,
  at: string,
  settings: BillingSettings,
): Promise<void> {
  const { environment_id, subscription_id } = key;
  // At most a year of periods.
  for (;;) {
    const open = await findOpenPeriod(db, key);
    if (open === null || open.kind === 'late' || open.period_end > at) return;
    const { now, customer_id } = (await readSubscription(db, environment_id, subscription_id))!;
    await setClock(db, { environment_id, customer_id }, latest(now, open.period_start));
    await openPeriod(db, key);
    const subscription = (await readSubscription(db, environment_id, subscription_id))!;
    await closeAt(db, subscription, open, settings);
  }
}
