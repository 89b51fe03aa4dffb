import type { Json } from '../../support/servers/api.ts';
import { isEnded } from '../model/discounts.ts';
import type { Discount } from '../model/percents.ts';
import type { World } from '../model/world.ts';

/** Discounts as the API shows them, or should, with positions in lists instead of ids. */

type Fields = Record<string, unknown>;

/** A discount as the API should show it. */
export function expectedDiscount(world: World, discount: Discount): Fields {
  const { subscription, name, percent, event_names, created_at, from, until } = discount;
  return {
    status: isEnded(world, discount) ? 'ended' : 'active',
    subscription: subscription === null ? null : world.subscriptions.indexOf(subscription),
    ...{ currency: world.currency, name, percent, created_at, from, until },
    event_names: event_names?.toSorted() ?? null,
  };
}

type Ids = { subscriptions: readonly string[] };

/** A discount of the API. */
export function observedDiscount({ subscriptions }: Ids, discount: Json): Fields {
  const { status, subscription_id, currency, name, percent, event_names, created_at, from, until } = discount;
  return {
    status,
    subscription: subscription_id === null ? null : subscriptions.indexOf(subscription_id),
    ...{ currency, name, percent, created_at, from, until },
    event_names: event_names?.toSorted() ?? null,
  };
}

/** A discount of a line, by its place in the customer's list. */
export function percentText(place: number, { name, percent }: Pick<Discount, 'name' | 'percent'>): string {
  return `${percent} of discount ${place}, ${name}`;
}
