import {
  dropChanges,
  endFees,
  pendingChange,
  refusalOfTime,
  takeOut,
  type ChangeRefusal,
} from './changes.ts';
import { endBilled } from './billed-ends.ts';
import { settleExpiry } from './expiries.ts';
import { settleFeesAt } from './fee-notes.ts';
import { billEnded, openLatePeriod } from './model.ts';
import { billingStart, currentPeriod, followEnd, openPart, prorationAt } from './periods.ts';
import { dropQuantities } from './quantity-requests.ts';
import { note, type Instant, type Part, type Settle, type Subscription, type World } from './world.ts';

const DAY_MS = 86_400_000;
/** An end may be so far back, further than a change of plan. */
const BACK_MS = 366 * DAY_MS;

/** Ends of subscriptions (billing.md 1), which may move and be withdrawn while they are to come. */

export type End = { at: Instant; settle: Settle };

/** Ends a subscription, also in place of an end that is to come, and bills at once what ends in the past; returns the reason if that is refused. */
export function cancel(world: World, subscription: Subscription, { at, settle }: End): ChangeRefusal | null {
  const refusal = refusalOfEnd(world, subscription, at);
  if (refusal !== null) return refusal;
  noteEnd(world, subscription, at);
  Object.assign(subscription, { cancel_at: at, settle, has_changed: true });
  if (prorationAt(subscription, at) === 'none') endFees(subscription, { at, settle });
  dropChanges(subscription, at);
  dropQuantities(subscription, at);
  const part = openPart(subscription);
  if (part !== null && at < part.start) endBilled(world, subscription, at);
  else if (part?.start === at) leaveOut(world, subscription, part);
  else followEnd(subscription);
  for (const grant of world.grants) settleExpiry(world, grant);
  billEnded(world, subscription);
  return null;
}

/** The reason for which an end cannot be at this instant. Before the open period it may be at any time after billing began. */
function refusalOfEnd(world: World, subscription: Subscription, at: Instant): ChangeRefusal | null {
  const part = openPart(subscription);
  const is_billed = part !== null && billingStart(subscription) < at && at < part.start;
  return refusalOfTime(world, subscription, is_billed ? part.start : at, { back_ms: BACK_MS, asked: at });
}

/** Takes back an end that is to come; false if there is none. */
export function takeBackEnd(world: World, subscription: Subscription): boolean {
  const { cancel_at } = subscription;
  if (cancel_at === null || cancel_at <= world.now) return false;
  Object.assign(subscription, { cancel_at: null, settle: 'balance' });
  followEnd(subscription);
  for (const grant of world.grants) settleExpiry(world, grant);
  return true;
}

/** Removes a part of zero length; the part before it becomes the last. */
function leaveOut(world: World, subscription: Subscription, part: Part): void {
  const { start } = part;
  takeOut(world, subscription, { part, settle: subscription.settle });
  settleFeesAt(world, subscription, start);
  if (subscription.full_periods.length > 0) openLatePeriod(subscription, start);
}

function noteEnd(world: World, subscription: Subscription, at: Instant): void {
  const { now } = world;
  const { cancel_at } = subscription;
  note(world, `canceled ${placeOf(subscription, { at, now })}`);
  const change = pendingChange(subscription, now);
  if (change !== null) note(world, at <= change.at ? 'end drops a change' : 'end after a change');
  if (cancel_at === null) return;
  if (at === cancel_at) note(world, 'end set again');
  else note(world, at < cancel_at ? 'end moved earlier' : 'end moved later');
}

function placeOf(subscription: Subscription, { at, now }: { at: Instant; now: Instant }): string {
  const part = openPart(subscription);
  if (part !== null && at < part.start) return 'in a period that is billed';
  if (part === null) return at <= billingStart(subscription) ? 'before billing' : 'before billing, for later';
  if (part.start === at) return 'at the start of what is open';
  if (at < now) return 'in the past';
  if (at === now) return 'now';
  const { end } = currentPeriod(subscription, now)!;
  if (at === end) return 'at the end of the period';
  return at < end ? 'inside the period' : 'in a later period';
}
