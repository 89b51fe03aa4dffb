import { lastVoidInvoice } from '../../db/invoicing/invoices.ts';
import { readNextStepRows } from '../../db/subscriptions/next-step-rows.ts';
import { setPeriodEnd } from '../../db/subscriptions/periods.ts';
import {
  lockSubscriptions,
  lockWhatIsFree,
  readSubscriptions,
} from '../../db/subscriptions/subscription-context.ts';
import {
  isBeforeMove,
  keepForReport,
  lockClock,
  type CustomerKey,
} from '../../db/subscriptions/test-clock.ts';
import {
  putOffLooks,
  subscriptionsWithBillAt,
  takeLooks,
  type LaterLook,
} from '../../db/subscriptions/threshold-looks.ts';
import { eventsToRead } from '../../db/usage/events-to-read.ts';
import type { Db } from '../../db/connection/pool.ts';
import { isReached, lookOf, restAfter } from '../../domain/invoice/threshold.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { addMilliseconds } from '../../domain/time/period.ts';
import { closeAll, decideAll } from './close.ts';

/** A part that is compared with `bill_at`. */
type Compared = { subscription: Subscription; part: StoredPeriod; bill_at: string };

/** A part that was billed before its end. */
type Cut = { subscription_id: string; invoice_id: string };

/** A transaction reads about as many events at most; one subscription may alone be above. */
const EVENTS_MAX = 1_000_000;

/**
 * Looks at subscriptions of one environment whose look is due, in the caller's transaction, and bills the open parts
 * that have come to `bill_at` (billing.md 15). Waits for no lock: those that another transaction has locked, and those
 * for which too much would be read at once, stay due. By real time: the test clock has looks of its own. Returns the
 * parts that it billed, and how many looks it has taken.
 */
export async function lookAtDue(
  db: Db,
  environment_id: number,
  subscription_ids: readonly string[],
  settings: BillingSettings,
): Promise<{ taken: number; cut: Cut[] }> {
  const locked = await lockWhatIsFree(db, environment_id, subscription_ids);
  const due = await takeLooks(db, environment_id, [...locked]);
  const asked = due.flatMap(({ subscription_id, is_asked }) => (is_asked ? [subscription_id] : []));
  const { compared, later } = await readLooks(db, environment_id, asked);
  const in_real_time = compared.filter(({ subscription }) => !subscription.has_test_clock);
  const { chosen, others, rests } = await weigh(db, environment_id, in_real_time);
  // Before the numbers, after which nothing is done.
  await putOffLooks(db, environment_id, [...later, ...others, ...rests]);
  const cut = await billReached(db, environment_id, chosen, settings);
  return { taken: due.length - others.length, cut };
}

/**
 * Looks before an advance moves the test clock, in the caller's transaction, and keeps the invoices for its response.
 * Does nothing once the clock has moved. Returns true if it has billed.
 */
export async function lookBeforeMove(db: Db, key: CustomerKey, settings: BillingSettings): Promise<boolean> {
  await lockClock(db, key);
  if (!(await isBeforeMove(db, key))) return false;
  const invoice_ids = await lookAtClock(db, key, settings);
  if (invoice_ids.length > 0) await keepForReport(db, key, invoice_ids);
  return invoice_ids.length > 0;
}

/**
 * Looks at the subscriptions of a customer at its test clock, the oldest first, each billed before the next one is
 * looked at, in the caller's transaction (billing.md 15). Returns the ids of the invoices.
 */
export async function lookAtClock(db: Db, key: CustomerKey, settings: BillingSettings): Promise<string[]> {
  const { environment_id } = key;
  await lockClock(db, key);
  const invoice_ids: string[] = [];
  for (const id of await subscriptionsWithBillAt(db, key)) {
    await lockSubscriptions(db, environment_id, [id]);
    const { compared } = await readLooks(db, environment_id, [id]);
    const cut = await billReached(db, environment_id, compared, settings);
    invoice_ids.push(...cut.map(({ invoice_id }) => invoice_id));
  }
  return invoice_ids;
}

async function readLooks(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<{ compared: Compared[]; later: LaterLook[] }> {
  if (ids.length === 0) return { compared: [], later: [] };
  const subscriptions = await readSubscriptions(db, environment_id, ids);
  const rows = await readNextStepRows(db, environment_id, subscriptions);
  const looks = subscriptions.map((subscription) => ({
    subscription,
    look: lookOf(subscription, rows.get(subscription.id)!.open),
  }));
  const compared = looks.flatMap(({ subscription, look }): Compared[] =>
    look.kind === 'now' ? [{ subscription, part: look.part, bill_at: look.bill_at }] : [],
  );
  const later = looks.flatMap(({ subscription: { id, has_test_clock }, look }): LaterLook[] =>
    look.kind === 'later' && !has_test_clock
      ? [{ subscription_id: id, look_at: look.at, is_asked: true }]
      : [],
  );
  return { compared, later };
}

/**
 * Chooses the parts that one transaction compares. `rests` are those of the chosen ones after which many events need
 * not be read again at once.
 */
async function weigh(
  db: Db,
  environment_id: number,
  compared: readonly Compared[],
): Promise<{ chosen: Compared[]; others: LaterLook[]; rests: LaterLook[] }> {
  const parts = compared.map(({ subscription, part }) => ({
    subscription,
    // The lines of all parts are priced together.
    period_start: part.full_period_start,
    period_end: subscription.now,
  }));
  const events = await eventsToRead(db, environment_id, parts);
  const chosen: Compared[] = [];
  const others: LaterLook[] = [];
  const rests: LaterLook[] = [];
  let sum = 0;
  for (const member of compared) {
    const { id: subscription_id, now } = member.subscription;
    const weight = events.get(subscription_id)!;
    if (chosen.length > 0 && sum + weight > EVENTS_MAX) {
      others.push({ subscription_id, look_at: now, is_asked: true });
      continue;
    }
    sum += weight;
    chosen.push(member);
    const rest_ms = restAfter(weight);
    if (rest_ms > 0) rests.push({ subscription_id, look_at: addMilliseconds(now, rest_ms), is_asked: false });
  }
  return { chosen, others, rests };
}

/**
 * Bills the parts whose metered lines, as `close_now` would make them now, come to `bill_at`. One whose lines cannot be
 * priced is left to the end of its period. The caller holds the locks.
 */
async function billReached(
  db: Db,
  environment_id: number,
  compared: readonly Compared[],
  settings: BillingSettings,
): Promise<Cut[]> {
  if (compared.length === 0) return [];
  const looks = compared.map(({ subscription: { id, now }, part: { period_start } }) => ({
    subscription_id: id,
    period_start,
    cut_at: now,
    usage_revision: 1,
    issues: false,
  }));
  const known = compared.map(({ subscription }) => ({ subscription, due_siblings: [] }));
  const decided = await decideAll(db, environment_id, looks, { locks: 'none', settings, known });
  const reached = compared.filter(({ bill_at }, at) => {
    const draft = decided[at]!.decided?.draft ?? null;
    return draft !== null && isReached(draft.composed.line_items, bill_at);
  });
  const requests = [];
  for (const { subscription, part } of reached) {
    const key = { environment_id, subscription_id: subscription.id };
    const { period_start } = part;
    await setPeriodEnd(db, key, part, subscription.now);
    const replaces = await lastVoidInvoice(db, key, { period_start, kind: 'period' });
    requests.push({
      subscription_id: subscription.id,
      period_start,
      usage_revision: 1,
      issues: true,
      bills_again: true,
      cause: 'threshold' as const,
      ...(replaces !== null && { replaces }),
    });
  }
  if (requests.length === 0) return [];
  const closed = await closeAll(db, environment_id, requests, { locks: 'taken', settings });
  return closed.map(({ subscription, invoice_id }) => ({
    subscription_id: subscription.id,
    invoice_id: invoice_id!,
  }));
}
