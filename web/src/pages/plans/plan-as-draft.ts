import { isPricingField } from '../../../../src/domain/pricing/definitions.ts';
import type { Charge, Plan, Tier } from '../../api/objects.ts';
import type { DraftCondition } from './condition-draft.ts';
import { newKey } from './draft-parts.ts';
import { areTypable, draftGrant } from './grant-draft.ts';
import { newCharge, type DraftCharge, type DraftPlan } from './plan-draft.ts';
import { newPricing, type DraftPricing } from './price-draft.ts';

/**
 * The form filled in with a plan, for its next version; null if a text of the plan cannot be typed in the form without
 * a change.
 */
export function draftOf(plan: Plan): DraftPlan | null {
  const { key, name, currency, interval, interval_count, minimum_amount, charges, grants, metadata } = plan;
  if (!isTypable([name, charges]) || !grants.every((grant) => areTypable(grant.event_names))) return null;
  return {
    key: key ?? '',
    name,
    currency,
    interval,
    metadata,
    interval_count: `${interval_count}`,
    minimum_amount: minimum_amount ?? '',
    charges: charges.map(chargeAsDraft),
    grants: grants.map(draftGrant),
  };
}

/** The form of a charge filled in. */
export function chargeAsDraft(charge: Charge): DraftCharge {
  const { event_name, name, unit_name, pricing_model, aggregation, filters, prices, group_by } = charge;
  const listed = prices ?? [];
  const matching = listed.filter((price) => !price.default);
  const default_price = listed.find((price) => price.default);
  const empty = newCharge();
  return {
    ...empty,
    event_name,
    pricing_model,
    name: name ?? '',
    unit_name: unit_name ?? '',
    aggregation: aggregation.type,
    property: 'property' in aggregation ? aggregation.property : '',
    filters: conditionsOf(filters),
    ...(prices === null || default_price !== undefined ? pricingOf(default_price ?? charge) : newPricing()),
    is_listed: prices !== null,
    prices:
      matching.length === 0
        ? empty.prices
        : matching.map((price) => ({
            ...pricingOf(price),
            key: newKey(),
            match: conditionsOf(price.match),
          })),
    has_default: prices === null || default_price !== undefined,
    group_by: group_by ?? [],
  };
}

/** The figures of a charge or of a price, whatever its model. */
function pricingOf(priced: object): DraftPricing {
  const fields: [string, unknown][] = Object.entries(priced);
  const amounts = fields.flatMap(([name, value]) =>
    isPricingField(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return {
    tiers: 'tiers' in priced && isTiers(priced.tiers) ? priced.tiers.map(draftTier) : newPricing().tiers,
    amounts: Object.fromEntries(amounts),
  };
}

function isTiers(value: unknown): value is readonly Tier[] {
  return Array.isArray(value);
}

function draftTier({ up_to, unit_amount, flat_amount }: Tier) {
  return { key: newKey(), up_to: up_to ?? '', unit_amount, flat_amount: flat_amount ?? '' };
}

function conditionsOf(values: Charge['filters']): DraftCondition[] {
  return Object.entries(values ?? {}).map(([property, allowed]) => ({
    key: newKey(),
    property,
    values: allowed.join('\n'),
  }));
}

/** Whether every text is as it would be typed: a value is one line, and fields lose blanks at their ends. */
function isTypable(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && value === value.trim() && !value.includes('\n');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => isTypable(name) && isTypable(member));
}
