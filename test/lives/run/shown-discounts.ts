import { rational } from '../../support/oracles/price-oracle.ts';
import type { Json } from '../../support/servers/api.ts';
import { isEnded } from '../model/discounts.ts';
import type { Discount } from '../model/percents.ts';
import { decimalText } from '../model/usage.ts';
import type { World } from '../model/world.ts';

/** Discounts as the API shows them, or should, with positions in lists instead of ids. */

type Fields = Record<string, unknown>;

/** A discount as the API should show it. */
export function expectedDiscount(world: World, discount: Discount): Fields {
  const { subscription, name, percent, amount, event_names, created_at, from, until } = discount;
  return {
    status: isEnded(world, discount) ? 'ended' : 'active',
    subscription: subscription === null ? null : world.subscriptions.indexOf(subscription),
    ...{ currency: world.currency, name, percent, created_at, from, until },
    amount: amountText(amount),
    event_names: event_names?.toSorted() ?? null,
  };
}

type Ids = { subscriptions: readonly string[] };

/** A discount of the API. */
export function observedDiscount({ subscriptions }: Ids, discount: Json): Fields {
  const { status, subscription_id, currency, name, percent, amount, event_names } = discount;
  const { created_at, from, until } = discount;
  return {
    status,
    subscription: subscription_id === null ? null : subscriptions.indexOf(subscription_id),
    ...{ currency, name, percent, created_at, from, until },
    amount: amountText(amount),
    event_names: event_names?.toSorted() ?? null,
  };
}

/** An amount without zeros at its end; null for none. */
export function amountText(amount: string | null): string | null {
  return amount === null ? null : decimalText(rational(amount));
}

/** A discount of a line, by its place in the customer's list. */
export function percentText(place: number, { name, percent }: Pick<Discount, 'name' | 'percent'>): string {
  return `${percent} of discount ${place}, ${name}`;
}
