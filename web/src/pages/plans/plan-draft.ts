import { isListedModel, isMetered, type PricingModel } from '../../../../src/domain/pricing/definitions.ts';
import type { Aggregation, Plan } from '../../api/objects.ts';
import { sentConditions, type DraftCondition } from './condition-draft.ts';
import { filledText, newKey } from './draft-parts.ts';
import { sentGrant, type DraftGrant } from './grant-draft.ts';
import { fieldsOf, newPrice, newPricing, type DraftPrice, type DraftPricing } from './price-draft.ts';

/** The server takes as many for a charge. */
export const PRICES_MAX = 200;

/**
 * A plan as it is being written: all that was typed, also what the chosen model has no use for, in case it is chosen
 * again.
 */
export type DraftPlan = {
  key: string;
  name: string;
  currency: string;
  interval: Plan['interval'];
  interval_count: string;
  minimum_amount: string;
  charges: readonly DraftCharge[];
  grants: readonly DraftGrant[];
  /** That of the version before; the form has no field for it. */
  metadata: Plan['metadata'];
};

/**
 * `key` is the same for as long as the charge is in the form. Its own tiers and amounts are the price of all events or,
 * if `is_listed`, of those that no other price is for.
 */
export type DraftCharge = DraftPricing & {
  key: number;
  event_name: string;
  name: string;
  unit_name: string;
  pricing_model: PricingModel;
  aggregation: Aggregation['type'];
  property: string;
  filters: readonly DraftCondition[];
  /** Whether `prices` are the charge's prices, for the models that may have several. */
  is_listed: boolean;
  prices: readonly DraftPrice[];
  has_default: boolean;
  /** The properties whose values have lines of their own; a blank one ends the list. */
  group_by: readonly string[];
};

export function newPlan(currency: string): DraftPlan {
  return {
    key: '',
    name: '',
    currency,
    interval: 'month',
    interval_count: '1',
    minimum_amount: '',
    charges: [newCharge()],
    grants: [],
    metadata: {},
  };
}

export function newCharge(): DraftCharge {
  return {
    key: newKey(),
    event_name: '',
    name: '',
    unit_name: '',
    pricing_model: 'graduated',
    aggregation: 'count',
    property: '',
    filters: [],
    ...newPricing(),
    is_listed: false,
    prices: [newPrice()],
    has_default: true,
    group_by: [],
  };
}

/** Whether the charge has a list of prices. */
export function hasPrices({ is_listed, pricing_model }: DraftCharge): boolean {
  return is_listed && isListedModel(pricing_model);
}

/** How many prices the charge's list may still get. */
export function pricesLeft({ prices, has_default }: DraftCharge): number {
  return Math.max(0, PRICES_MAX - prices.length - (has_default ? 1 : 0));
}

/**
 * The shape of a plan: its charges, prices, tiers and grants. The server names them by their places, which another
 * shape gives to others.
 */
export function shapeOf({ charges, grants }: Pick<DraftPlan, 'charges' | 'grants'>): string {
  const parts = charges.map((charge) => [
    charge.key,
    keysOf(charge.tiers),
    hasPrices(charge) && [charge.has_default, charge.prices.map(({ key, tiers }) => [key, keysOf(tiers)])],
  ]);
  return JSON.stringify([parts, grants.map(({ key, expires }) => [key, expires])]);
}

function keysOf(items: readonly { key: number }[]): number[] {
  return items.map(({ key }) => key);
}

/** The body that is sent to make the plan. Blank fields are left out: the server says what it cannot do without. */
export function bodyOf(plan: DraftPlan): object {
  const { key, name, currency, interval, interval_count, minimum_amount, charges, grants, metadata } = plan;
  return {
    key: filledText(key),
    name: filledText(name),
    currency: filledText(currency),
    interval,
    // What is no whole number goes as it was typed, for the server to say so.
    interval_count: /^\d{1,9}$/.test(interval_count.trim()) ? Number(interval_count) : interval_count,
    minimum_amount: filledText(minimum_amount),
    charges: charges.map((charge) => ({
      event_name: filledText(charge.event_name),
      name: filledText(charge.name),
      ...selectionOf(charge),
      pricing_model: charge.pricing_model,
      ...pricesOf(charge),
      ...groupsOf(charge),
    })),
    ...(grants.length === 0 ? {} : { grants: grants.map(sentGrant) }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function selectionOf(charge: DraftCharge): object {
  if (!isMetered(charge)) return {};
  const { unit_name, aggregation, property, filters } = charge;
  return {
    unit_name: filledText(unit_name),
    aggregation:
      aggregation === 'count' ? { type: aggregation } : { type: aggregation, property: filledText(property) },
    filters: sentConditions(filters),
  };
}

/** The price of a charge as it is sent: the fields of its model, or a list. */
export function pricesOf(charge: DraftCharge): object {
  const { pricing_model, prices, has_default } = charge;
  const own_fields = fieldsOf(pricing_model, charge);
  if (!hasPrices(charge)) return own_fields;
  const matching = prices.map((price) => ({
    match: sentConditions(price.match),
    ...fieldsOf(pricing_model, price),
  }));
  return { prices: [...matching, ...(has_default ? [{ default: true, ...own_fields }] : [])] };
}

function groupsOf({ pricing_model, group_by }: DraftCharge): object {
  const blank = group_by.findIndex((name) => filledText(name) === undefined);
  const names = (blank === -1 ? group_by : group_by.slice(0, blank)).map((name) => name.trim());
  return isListedModel(pricing_model) && names.length > 0 ? { group_by: names } : {};
}
