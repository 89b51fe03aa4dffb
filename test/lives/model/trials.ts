import { settleExpiry } from './expiries.ts';
import { pendingChange } from './changes.ts';
import { billEnded } from './model.ts';
import { billingStart, statusAt } from './periods.ts';
import { later, note, type Instant, type Subscription, type World } from './world.ts';

/** Trials that are added, extended, shortened and ended until billing begins (billing.md 1). */

const CENTURY_MS = 100 * 365.25 * 86_400_000;

export type TrialRefusal = 'out_of_order' | 'out_of_range' | 'invalid_state';

/** Sets the end of the trial, and begins what begins now; returns the reason if that is refused. */
export function setTrial(
  world: World,
  subscription: Subscription,
  ends_at: Instant | 'now',
): TrialRefusal | null {
  const refusal = refusalOf(world, subscription, ends_at);
  if (refusal !== null) return refusal;
  const at = ends_at === 'now' ? world.now : ends_at;
  noteTrial(world, subscription, at);
  subscription.trial_end = at;
  for (const grant of world.grants) settleExpiry(world, grant);
  billEnded(world, subscription);
  return null;
}

function refusalOf(
  { now }: World,
  subscription: Subscription,
  ends_at: Instant | 'now',
): TrialRefusal | null {
  const { start } = subscription;
  const at = ends_at === 'now' ? now : ends_at;
  const status = statusAt(subscription, now);
  if (ends_at === 'now' && status === 'pending') return 'invalid_state';
  if (at <= start) return 'out_of_order';
  if (at < now || later(start, CENTURY_MS) < at) return 'out_of_range';
  return status === 'pending' || status === 'trialing' ? null : 'invalid_state';
}

function noteTrial(world: World, subscription: Subscription, at: Instant): void {
  const { now } = world;
  const { trial_end, cancel_at } = subscription;
  const before = billingStart(subscription);
  if (trial_end === null) note(world, 'trial added');
  else if (at === now) note(world, 'trial ended now');
  else note(world, trial_end < at ? 'trial extended' : 'trial shortened');
  const scheduled = { cancellation: cancel_at, change: pendingChange(subscription, now)?.at ?? null };
  for (const [what, instant] of Object.entries(scheduled)) {
    if (instant === null) continue;
    note(world, `trial moved, a ${what} is scheduled`);
    if (before < instant && instant <= at) note(world, `${what} comes into the trial`);
    if (at < instant && instant <= before) note(world, `${what} comes after the trial`);
  }
}
