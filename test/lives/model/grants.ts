import { rational } from '../../support/oracles/price-oracle.ts';
import { settleExpiry } from './expiries.ts';
import { statusAt } from './periods.ts';
import { later, type Charge, type Grant, type Subscription, type World } from './world.ts';

const DAY_MS = 86_400_000;

/** `event_names`, `subscription` and `note` are null where they are left out. */
export type Terms = {
  amount: string;
  expires_in_days: number | null;
  rollover: boolean;
  event_names: readonly string[] | null;
  subscription: Subscription | null;
  note: string | null;
};

/** Makes a grant at the customer's present time; null if its subscription has ended. */
export function makeGrant(world: World, { expires_in_days, amount, ...terms }: Terms): Grant | null {
  const { now } = world;
  const { rollover, subscription } = terms;
  if (subscription !== null && statusAt(subscription, now) === 'canceled') return null;
  const grant: Grant = {
    ...terms,
    amount: rational(amount),
    created_at: now,
    expires_at: expires_in_days === null ? null : later(now, expires_in_days * DAY_MS),
    is_expiry_final: rollover,
    is_voided: false,
    ...{ carry_over_max: null, origin: null },
  };
  world.grants.push(grant);
  settleExpiry(world, grant);
  return grant;
}

/** False if the grant is void already. */
export function voidGrant(grant: Grant): boolean {
  if (grant.is_voided) return false;
  grant.is_voided = true;
  return true;
}

/** Whether a grant may cover usage of a charge of a subscription. */
export function covers(grant: Grant, { event_name }: Charge, subscription: Subscription): boolean {
  if (grant.subscription !== null && grant.subscription !== subscription) return false;
  return grant.event_names === null || grant.event_names.includes(event_name);
}

/** Grants by the time of their making; those of a plan are as old as their period. */
export function byAge(grants: readonly Grant[]): Grant[] {
  return grants.toSorted((a, b) => (a.created_at < b.created_at ? -1 : Number(b.created_at < a.created_at)));
}
