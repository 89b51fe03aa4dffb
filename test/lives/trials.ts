import { settleExpiry } from './credit.ts';
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
  if (ends_at !== 'now') {
    if (ends_at <= start) return 'out_of_order';
    if (ends_at < now || later(start, CENTURY_MS) < ends_at) return 'out_of_range';
  }
  const status = statusAt(subscription, now);
  const may = status === 'trialing' || (status === 'pending' && ends_at !== 'now');
  return may ? null : 'invalid_state';
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
