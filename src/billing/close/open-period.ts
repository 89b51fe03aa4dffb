import { itemsToBill } from '../../db/invoicing/invoice-items.ts';
import { findOpenPeriod, markOpened, periodsFrom } from '../../db/subscriptions/periods.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { DecidedClose } from '../../domain/invoice/close.ts';
import { decideOpening } from '../../domain/invoice/opening.ts';
import { feesEndingWith } from '../../domain/lines/fee-time.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { fullPeriodFrom } from '../../domain/lines/scope.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { newId } from '../../keys/ids.ts';
import { mayHaveFees } from './fees.ts';
import { loadPeriodTerms } from './period-terms.ts';
import { writeCloses } from './write.ts';
import { makePlanGrants, voidPlanGrants } from './plan-grants.ts';
import { creditUnusedTime, readFeesOf, type Fees } from './unused-time.ts';

/**
 * Works off the beginning of the open period of a subscription in the caller's transaction (billing.md 4 and 10):
 * credits the unused time of fees in advance that were billed before, makes the grants of the plan, and issues the
 * opening invoice. Does nothing where that was done, or before the period begins. The caller holds the locks of
 * customer and subscription. Throws conflict `invalid_state` if live documents wait for the count of numbers.
 */
export async function openPeriod(db: Db, key: SubscriptionKey): Promise<void> {
  const subscription = (await readSubscription(db, key.environment_id, key.subscription_id))!;
  const open = await findOpenPeriod(db, key);
  if (open === null || open.opened_at !== null || open.period_start > subscription.now) return;
  await leaveOut(db, subscription, open.period_start);
  await makePlanGrants(db, subscription, open);
  await issueOpening(db, subscription, open, { is_again: false, replaces: null, item_ids: null });
  await markOpened(db, key, subscription.now);
}

/**
 * Credits fees of the full period that ended at an instant, and of one that an exchange or a cancellation left out
 * there, of which it also voids the grants.
 */
export async function leaveOut(db: Db, subscription: Subscription, at: string): Promise<void> {
  await voidPlanGrants(db, subscription, at);
  await creditUnusedTime(db, subscription, await loadFeesAt(db, subscription, at));
}

/**
 * The fees that end with the full period that ends at an instant, and those of the one that begins there, which need
 * not be stored.
 */
async function loadFeesAt(
  db: Db,
  subscription: Subscription,
  at: string,
  beginning: StoredPeriod | null = null,
): Promise<Fees> {
  const { environment_id, id: subscription_id, cancel_at } = subscription;
  const stored = await periodsFrom(db, { environment_id, subscription_id }, at);
  const is_stored = stored.some(({ period_start }) => period_start === beginning?.period_start);
  const rows = beginning === null || is_stored ? stored : [...stored, beginning];
  const full_periods = new Map([[at, fullPeriodFrom(at, rows, cancel_at)]]);
  const ended = rows.find(({ full_period_start }) => full_period_start !== at)?.full_period_start;
  const full_period = ended === undefined ? null : fullPeriodFrom(ended, rows, cancel_at);
  const ending = full_period && feesEndingWith(subscription, full_period);
  if (ending !== null) full_periods.set(ending.period_start, ending);
  return readFeesOf(db, subscription, full_periods);
}

/**
 * How an opening is made: `is_again` in place of one that is void, which it `replaces`. `item_ids` are the items of one
 * that is regenerated, null takes all that are pending.
 */
type How = { is_again: boolean; replaces: string | null; item_ids: readonly string[] | null };

/**
 * Decides the opening invoice of a period; null where the invoice before has its fees, is yet to have them, or waits to
 * be made again, but for one that is regenerated, and where there are none.
 */
export async function openingOf(
  db: Db,
  subscription: Subscription,
  period: StoredPeriod,
  { is_again, item_ids }: How,
): Promise<DecidedClose | null> {
  const { period_start } = period;
  const begins = period.kind === 'billing' && period.full_period_start === period_start;
  if (!begins || !mayHaveFees(subscription)) return null;
  const { environment_id, id: subscription_id } = subscription;
  const { fees, chargesIn } = await loadFeesAt(db, subscription, period_start, period);
  const own_fees = fees.find(({ full_period_start }) => full_period_start === period_start)!;
  const has_place = own_fees.opening === 'none' || (is_again && own_fees.opening === 'void');
  const waits = own_fees.home === 'draft' || (own_fees.home === 'void' && item_ids === null);
  if (!has_place || waits) return null;
  const items = await itemsToBill(db, environment_id, [{ subscription_id, invoice_id: null, item_ids }]);
  // Also where a cut has made a part of what is stored.
  const whole = { ...period, period_end: own_fees.full_period?.period_end ?? period.period_end };
  const full_period = { ...whole, kind: 'billing' as const };
  const candidates = [{ full_period, is_closing: false, follows: false }];
  const asked = [{ subscription, invoice_id: null, candidates }];
  const periods = (await loadPeriodTerms(db, environment_id, asked)).get(subscription_id)!;
  const charges = chargesIn(own_fees);
  return decideOpening({ subscription, period: whole, fees: own_fees, charges, periods, items });
}

/** Issues the opening invoice of a period; its id, null where openingOf decides none. */
export async function issueOpening(
  db: Db,
  { environment_id, id }: Pick<Subscription, 'environment_id' | 'id'>,
  period: StoredPeriod,
  how: How,
): Promise<string | null> {
  // Its balance may have moved with the notes.
  const subscription = (await readSubscription(db, environment_id, id))!;
  const decided = await openingOf(db, subscription, period, how);
  if (decided === null) return null;
  const invoice_id = newId('inv');
  const { replaces } = how;
  const close = { ...decided, subscription, invoice_id, is_new: true, replaces, cause: null, stored: [] };
  await writeCloses(db, environment_id, [close], {});
  return invoice_id;
}
