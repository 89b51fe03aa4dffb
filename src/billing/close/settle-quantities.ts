import { chargesOf } from '../../db/subscriptions/charges.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import {
  findOpenPeriod,
  findPeriod,
  nextOpeningNumber,
  partsOfFullPeriods,
} from '../../db/subscriptions/periods.ts';
import { markSettled, quantitiesToSettle, type DueQuantity } from '../../db/subscriptions/quantities.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { DecidedClose } from '../../domain/invoice/close.ts';
import { isInAdvance } from '../../domain/invoice/fee.ts';
import { feesRunningIn } from '../../domain/lines/fee-time.ts';
import { fullPeriodFrom, type FullPeriod } from '../../domain/lines/scope.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { quantityNames } from '../../domain/subscription/quantity.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { issueOpening, openingOf, openPeriod } from './open-period.ts';
import { creditUnusedTime, readFeesOf } from './unused-time.ts';

/**
 * Brings the fees in advance that run to the one rule for fees once a quantity has come, or is no longer to come, in
 * the caller's transaction (billing.md 14): instant by instant, a lower quantity by a note, a higher one that is billed
 * now by a further opening. A change at the end of the open period or later waits for the next one. The caller holds
 * the locks of customer and subscription. Throws conflict `invalid_state` if live documents wait for the count of
 * numbers.
 */
export async function settleQuantities(db: Db, key: SubscriptionKey): Promise<void> {
  const { now } = (await readSubscription(db, key.environment_id, key.subscription_id))!;
  const open = await findOpenPeriod(db, key);
  if (open?.kind === 'billing' && open.opened_at === null) await openPeriod(db, key);
  const due = await quantitiesToSettle(db, key, now);
  const come = open === null ? due : due.filter(({ at }) => at! < open.period_end);
  const instants = [...groupedBy(come, ({ at }) => at!)];
  // A request without an instant that has come may have taken one back.
  for (const [at, changes] of instants.length === 0 ? [[now, []] as const] : instants) {
    await settleAt(db, key, open, { at, changes });
    if (changes.length > 0) await markSettled(db, key, { up_to: at, now });
  }
}

/**
 * Credits what the fees that run bill too much once quantities of a change of plan are no longer to come, or have not
 * come (billing.md 14). The caller holds the locks of customer and subscription.
 */
export async function creditTakenBack(db: Db, key: SubscriptionKey): Promise<void> {
  const { now } = (await readSubscription(db, key.environment_id, key.subscription_id))!;
  const open = await findOpenPeriod(db, key);
  // Of a period whose beginning is not worked off, its opening is made first.
  if (open === null || open.opened_at === null) return;
  await settleAt(db, key, open, { at: now, changes: [] });
}

async function settleAt(
  db: Db,
  key: SubscriptionKey,
  open: StoredPeriod | null,
  { at, changes }: { at: string; changes: readonly DueQuantity[] },
): Promise<void> {
  const subscription = (await readSubscription(db, key.environment_id, key.subscription_id))!;
  const running = open && (await runningFees(db, subscription, open));
  if (running === null) return;
  const { full_period } = running;
  const { period_start } = full_period;
  const fees = await readFeesOf(db, subscription, new Map([[period_start, full_period]]));
  await creditUnusedTime(db, subscription, fees, at);
  if (!isBilledNow(changes, running)) return;
  const period = (await findPeriod(db, key, period_start))!;
  const opening_number = await nextOpeningNumber(db, key, period_start);
  await issueOpening(db, subscription, period, { opening_number, ...FURTHER });
}

const FURTHER = { is_again: false, replaces: null, item_ids: null };

/** Decides the further opening that a quantity which has come would have; null where none is made. */
export async function furtherOpeningOf(db: Db, key: SubscriptionKey): Promise<DecidedClose | null> {
  const subscription = (await readSubscription(db, key.environment_id, key.subscription_id))!;
  const open = await findOpenPeriod(db, key);
  const due = await quantitiesToSettle(db, key, subscription.now);
  const running = open && (await runningFees(db, subscription, open));
  if (running === null || !isBilledNow(due, running)) return null;
  const { period_start } = running.full_period;
  const period = (await findPeriod(db, key, period_start))!;
  const opening_number = await nextOpeningNumber(db, key, period_start);
  return openingOf(db, subscription, period, { opening_number, ...FURTHER });
}

/** Fees in advance with a quantity that run: their full period, and the names of their quantities. */
type RunningFees = { full_period: FullPeriod; names: readonly string[] };

/** Whether one of these changes raises a quantity of fees that run, to be billed at once. */
function isBilledNow(changes: readonly DueQuantity[], { names }: RunningFees): boolean {
  return changes.some(
    ({ bill, is_higher, event_name }) => bill === 'now' && is_higher && names.includes(event_name),
  );
}

/** The fees in advance with a quantity that run in the open period; null without such fees, and before it begins. */
async function runningFees(
  db: Db,
  subscription: Subscription,
  open: StoredPeriod,
): Promise<RunningFees | null> {
  const { environment_id, id: subscription_id, cancel_at, now } = subscription;
  if (open.kind !== 'billing' || open.period_start > now) return null;
  const key = { environment_id, subscription_id };
  const rows = await partsOfFullPeriods(db, key, [open.full_period_start]);
  const own = fullPeriodFrom(open.full_period_start, rows, cancel_at);
  const running = own && feesRunningIn(subscription, own);
  if (running === null) return null;
  const charges = await chargesOf(db, environment_id, running.plan_id);
  const names = quantityNames(charges.filter(isInAdvance));
  return names.length === 0 ? null : { full_period: running, names };
}
