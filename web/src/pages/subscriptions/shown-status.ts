import type { Subscription } from '../../api/objects.ts';

type Shown = Pick<Subscription, 'status' | 'attention' | 'current_period_end'>;

/** Whether the period of an active subscription has ended and its invoice is still to come; `now` is its customer's. */
export function isBilling({ status, current_period_end }: Shown, now: string): boolean {
  return status === 'active' && current_period_end <= now;
}

/** The status of a subscription in lists and on its page; "active" is not for one that is billed now, or is not. */
export function shownStatus(subscription: Shown, now: string): string {
  if (subscription.attention !== null) return 'needs_attention';
  return isBilling(subscription, now) ? 'billing_now' : subscription.status;
}
