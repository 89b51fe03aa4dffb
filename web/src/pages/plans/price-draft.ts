import { isPricingField, MODELS, type PricingModel } from '../../../../src/domain/pricing/definitions.ts';
import type { SentPricing } from '../../api/sent-pricing.ts';
import { newCondition, type DraftCondition } from './condition-draft.ts';
import { filledText, newKey } from './draft-parts.ts';

/** The figures of a price as they are being written, of all models: a charge's own, or those of a price in its list. */
export type DraftPricing = {
  tiers: readonly DraftTier[];
  /** The other fields, by name. */
  amounts: Readonly<Record<string, string>>;
};

/** The last tier of a price has no end, whatever its `up_to` holds. */
export type DraftTier = { key: number; up_to: string; unit_amount: string; flat_amount: string };

/** A price for the events whose properties match all conditions. */
export type DraftPrice = DraftPricing & { key: number; match: readonly DraftCondition[] };

export function newTier(): DraftTier {
  return { key: newKey(), up_to: '', unit_amount: '', flat_amount: '' };
}

export function newPricing(): DraftPricing {
  return { tiers: [newTier(), newTier()], amounts: {} };
}

/** A price for a property that is still to be named. */
export function newPrice(): DraftPrice {
  return { ...newPricing(), key: newKey(), match: [newCondition()] };
}

/** The fields of a price, those of its model alone. */
export function fieldsOf(
  model: PricingModel,
  { amounts, tiers }: DraftPricing,
): Omit<SentPricing, 'pricing_model'> {
  const names = Object.keys(MODELS[model].fields).filter(isPricingField);
  const decimals = names
    .filter((name) => name !== 'tiers')
    .map((name) => [name, filledText(amounts[name] ?? '')]);
  return {
    ...Object.fromEntries(decimals),
    ...(names.includes('tiers') ? { tiers: tiers.map(sentTier) } : {}),
  };
}

function sentTier(
  { up_to, unit_amount, flat_amount }: DraftTier,
  place: number,
  tiers: readonly DraftTier[],
) {
  return {
    up_to: place === tiers.length - 1 ? null : filledText(up_to),
    unit_amount: filledText(unit_amount),
    flat_amount: filledText(flat_amount),
  };
}

/**
 * Whether every field that the model requires is filled in: a server that is asked sooner only says which is missing.
 */
export function isPriced(model: PricingModel, pricing: DraftPricing): boolean {
  const { tiers = [] } = fieldsOf(model, pricing);
  const required = Object.entries(MODELS[model].fields).filter(
    ([, field]) => field.kind !== 'tiers' && field.default === undefined,
  );
  return (
    required.every(([name]) => filledText(pricing.amounts[name] ?? '') !== undefined) &&
    tiers.every(({ up_to, unit_amount }) => up_to !== undefined && unit_amount !== undefined)
  );
}
