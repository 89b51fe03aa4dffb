import {
  billingStart,
  hasEqualIntervals,
  openPart,
  prorationAt,
  statusAt,
  termsAt,
  termsBefore,
} from './periods.ts';
import { beginPeriod, voidGrantsOf } from './plan-grants.ts';
import { creditTakenBack } from './quantity-notes.ts';
import { removeWithChange } from './quantities.ts';
import { later, note } from './world.ts';
import type { Change, Instant, Part, Settle, Subscription, World } from './world.ts';

/** Changes of plan (billing.md 1), without the billing of what they end. */

const DAY_MS = 86_400_000;
/** Range of the instant of a change, from now. */
const BACK_MS = 35 * DAY_MS;
const AHEAD_MS = 365 * DAY_MS;

export type ChangeRefusal = 'out_of_range' | 'invalid_state' | 'not_allowed';

/** A change as it is asked for: whether a `settle` was sent, and the quantities from then on. */
export type ChangeRequest = Change & { has_settle?: boolean; quantities?: Readonly<Record<string, string>> };

/** The reason for which a change of plan is refused (contract.md 3); null if it is accepted. */
export function refusalOf(
  world: World,
  subscription: Subscription,
  request: ChangeRequest,
): ChangeRefusal | null {
  if (notAllowed(world, subscription, request).length > 0) return 'not_allowed';
  const { at, plan } = request;
  const refusal = refusalOfTime(world, subscription, at);
  if (refusal !== null) return refusal;
  const { cancel_at } = subscription;
  const comes_after_end = cancel_at !== null && cancel_at <= at;
  const holds_anyway = termsAt(withoutScheduled(subscription, world.now), at).plan === plan;
  return comes_after_end || holds_anyway ? 'invalid_state' : null;
}

/** The fields that are not allowed beside `proration` `none`, which may also be wrong itself. */
export function notAllowed(
  { now }: World,
  subscription: Subscription,
  { at, plan, proration, cycle, has_settle }: ChangeRequest,
): ('settle' | 'cycle' | 'proration')[] {
  if (proration !== 'none') return [];
  const known = withoutScheduled(subscription, now);
  const is_other_interval = !hasEqualIntervals(termsBefore(known, at).plan, plan);
  const is_too_late = is_other_interval || hasEndedFees(known, at);
  return [
    ...(has_settle === true ? (['settle'] as const) : []),
    ...(cycle === 'restart' ? (['cycle'] as const) : []),
    ...(is_too_late ? (['proration'] as const) : []),
  ];
}

/** Whether a change of this instant has come, inside a period, and ended the fees of the plan before, if it had any. */
function hasEndedFees(subscription: Subscription, at: Instant): boolean {
  const proration = prorationAt(subscription, at);
  if (proration === null || proration === 'none') return false;
  const before = subscription.full_periods.find(({ end }) => end === at);
  return before !== undefined && before.interval.end !== at;
}

/** The reason for which neither a change of plan nor an end can be at this instant. */
export function refusalOfTime(
  { now }: World,
  subscription: Subscription,
  at: Instant,
  { back_ms, asked } = { back_ms: BACK_MS, asked: at },
): ChangeRefusal | null {
  if (asked < later(now, -back_ms) || later(now, AHEAD_MS) < at) return 'out_of_range';
  const first = earliestChange(subscription, now);
  const is_too_early = first !== null && at < first;
  return is_too_early || statusAt(subscription, now) === 'canceled' ? 'invalid_state' : null;
}

/** The start of the open part, or of the trial that runs; null before the start. */
function earliestChange(subscription: Subscription, now: Instant): Instant | null {
  if (statusAt(subscription, now) === 'pending') return null;
  return openPart(subscription)?.start ?? subscription.start;
}

/** The change that lies ahead; null if none is scheduled. */
export function pendingChange({ changes }: Subscription, now: Instant): Change | null {
  return changes.find(({ at }) => now < at) ?? null;
}

function withoutScheduled(subscription: Subscription, now: Instant): Subscription {
  return { ...subscription, changes: subscription.changes.filter(({ at }) => at <= now) };
}

/** Takes back the scheduled change; false if there is none. */
export function takeBack(world: World, subscription: Subscription): boolean {
  const pending = pendingChange(subscription, world.now)?.at ?? null;
  if (pending === null) return false;
  const taken = removeWithChange(subscription, { pending, at: null });
  subscription.changes = withoutScheduled(subscription, world.now).changes;
  creditTakenBack(world, subscription, taken);
  return true;
}

/** Records a change in the place of the scheduled one and of one at its instant. At the start of the open part it exchanges the plan. */
export function recordChange(
  world: World,
  subscription: Subscription,
  { has_settle: _, quantities: _quantities, ...change }: ChangeRequest,
): void {
  noteChange(world, subscription, change);
  const ran_on = prorationAt(subscription, change.at) === 'none';
  const kept = subscription.changes.filter(({ at }) => at <= world.now && at < change.at);
  // What a change that has come took back, another one in its place does not give again.
  const has_come = subscription.changes.find(({ at }) => at === change.at && at <= world.now);
  const take_back_grants = change.take_back_grants || has_come?.take_back_grants === true;
  subscription.changes = [...kept, { ...change, take_back_grants }];
  subscription.has_changed = true;
  const part = openPart(subscription);
  if (part === null || part.start !== change.at) return;
  if (ran_on) endFees(subscription, change);
  takeOut(world, subscription, { part, settle: change.settle });
  beginPeriod(world, subscription, change.at);
}

/** The fees that ran on after a change that has come end with what comes in its place. */
export function endFees({ full_periods }: Subscription, { at, settle }: Pick<Change, 'at' | 'settle'>): void {
  const before = full_periods.find(({ end }) => end === at);
  if (before !== undefined) before.settle = settle;
}

/** Drops the changes at or after the end of a subscription. */
export function dropChanges(subscription: Subscription, end: Instant): void {
  subscription.changes = subscription.changes.filter(({ at }) => at < end);
}

/** Takes the open part out of its period, which ends where the part starts; without another part it is gone. */
export function takeOut(
  world: World,
  subscription: Subscription,
  { part: { full_period, start }, settle }: { part: Part; settle: Settle },
): void {
  full_period.parts.pop();
  Object.assign(full_period, { end: start, settle });
  if (full_period.parts.length > 0) return;
  subscription.full_periods.pop();
  subscription.exchanged.push(full_period);
  voidGrantsOf(world, full_period);
}

function noteChange(world: World, subscription: Subscription, change: Change): void {
  const { now } = world;
  const { at, plan, proration, cycle, take_back_grants } = change;
  const part = openPart(subscription);
  const kind =
    at <= billingStart(subscription) && (part === null || part.start === at)
      ? 'before billing'
      : part?.start === at
        ? 'at the start of what is open'
        : at < now
          ? 'in the past'
          : at === now
            ? 'now'
            : 'ahead';
  note(world, `plan changed ${kind}`);
  if (pendingChange(subscription, now) !== null) note(world, 'scheduled change replaced');
  const before = termsAt(subscription, at).plan;
  if (!hasEqualIntervals(before, plan)) note(world, 'plan changed to another interval');
  if (proration !== 'exact') note(world, `plan changed ${kind}, proration ${proration}`);
  if (cycle !== 'keep') note(world, `plan changed ${kind}, cycle ${cycle}`);
  if (take_back_grants) note(world, `plan changed ${kind}, grants taken back`);
}
