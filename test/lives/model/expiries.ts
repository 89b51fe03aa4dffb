import { billingEndAt, firstBillingPeriod, isOver, knownEnd } from './periods.ts';
import type { FullPeriod, Grant, Instant, Subscription, World } from './world.ts';

/** Expiries of grants (billing.md 4): fixed ones, those that follow the end of a period, and those of what is carried over. */

/** The expiry of a grant as it is known now; null while it is not known, or for none. */
export function expiryOf(grant: Grant): Instant | null {
  const { expires_at, origin } = grant;
  if (origin === null) return expires_at;
  if (origin.ends_with_period) return knownEnd(origin.subscription, origin.full_period).end;
  const taken_back = takenBackAt(grant);
  return taken_back !== null && taken_back < expires_at! ? taken_back : expires_at;
}

/** The change that ends the period of a grant and takes back what is left of it; null if there is none. */
function takenBackAt({ origin }: Grant): Instant | null {
  if (origin === null || origin.full_period.parts.length === 0) return null;
  const { subscription, full_period } = origin;
  const { end } = knownEnd(subscription, full_period);
  const change = subscription.changes.find(({ at }) => at === end);
  return change?.take_back_grants === true ? end : null;
}

/** The expiry of a grant for usage of a period: what is carried over to it expires with it. */
export function expiryFor(grant: Grant, full_period: FullPeriod): Instant | null {
  return isCarriedTo(grant, full_period) ? carryOverUntil(grant) : expiryOf(grant);
}

/** Whether a period is the one that a grant is carried over to. */
export function isCarriedTo(grant: Grant, full_period: FullPeriod): boolean {
  return carryPeriod(grant) === full_period;
}

/** The period that what is left of a grant is carried over to; null before it begins, and for none. */
export function carryPeriod({ carry_over_max, origin }: Grant): FullPeriod | null {
  if (carry_over_max === null || origin === null || !hasRun(origin.full_period)) return null;
  const { full_period, subscription } = origin;
  return subscription.full_periods.find(({ start }) => start === full_period.end) ?? null;
}

/** The end of the period that a grant is carried over to; its own expiry where none follows, also by an end that is still to come. */
export function carryOverUntil(grant: Grant): Instant | null {
  const { carry_over_max, origin } = grant;
  if (carry_over_max === null || origin === null) return null;
  const { full_period, subscription } = origin;
  const { cancel_at } = subscription;
  if (takenBackAt(grant) !== null) return expiryOf(grant);
  if (cancel_at !== null && cancel_at <= knownEnd(subscription, full_period).end) return expiryOf(grant);
  if (!isOver(full_period)) return null;
  const period = carryPeriod(grant);
  return period === null ? expiryOf(grant) : knownEnd(origin.subscription, period).end;
}

/** Whether a period has ended without being taken out at its start. */
function hasRun(full_period: FullPeriod): boolean {
  return full_period.parts.length > 0 && isOver(full_period);
}

/**
 * A grant without rollover also ends with the customer's billing periods that run when it is made, at the latest of their ends; if
 * none runs, with the first period that starts later. A grant with a subscription looks at the periods of that one alone. Does nothing if
 * the expiry is final or cannot be known yet.
 */
export function settleExpiry(world: World, grant: Grant): void {
  if (grant.is_expiry_final) return;
  const subscriptions = grant.subscription === null ? world.subscriptions : [grant.subscription];
  const end = periodEndFor(subscriptions, grant.created_at);
  if (end === null) return;
  grant.is_expiry_final = true;
  if (grant.expires_at === null || end < grant.expires_at) grant.expires_at = end;
}

function periodEndFor(subscriptions: readonly Subscription[], made_at: Instant): Instant | null {
  const running = subscriptions.flatMap((subscription) => billingEndAt(subscription, made_at) ?? []);
  if (running.length > 0) return running.toSorted().at(-1)!;
  const coming = subscriptions.flatMap((subscription) => firstBillingPeriod(subscription) ?? []);
  const later = coming.filter(({ start }) => made_at < start);
  return later.toSorted((a, b) => (a.start < b.start ? -1 : 1))[0]?.end ?? null;
}
