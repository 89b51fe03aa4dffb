import type { Charge, Plan } from '../../api/objects.ts';
import { filledText } from './draft-parts.ts';
import { sentGrant, type DraftGrant } from './grant-draft.ts';
import { chargeAsDraft, draftOf } from './plan-as-draft.ts';
import { hasPrices, pricesOf, type DraftCharge } from './plan-draft.ts';

/** A custom plan as it is being written; what is not its own is that of its base (billing.md 12). */
export type DraftCustomPlan = {
  name: string;
  minimum_amount: string;
  /** Prices of the charges, in the order of the base. */
  charges: readonly DraftOverride[];
  has_own_grants: boolean;
  grants: readonly DraftGrant[];
};

/** The price of a charge: that of the base, unless it is the custom plan's own. */
export type DraftOverride = { is_own: boolean; charge: DraftCharge };

/**
 * The form filled in with a plan that is the base or based on it; null if a text of it cannot be typed in the form
 * without a change.
 */
export function customDraftOf(plan: Plan, base: Plan): DraftCustomPlan | null {
  const draft = draftOf(plan);
  if (draft === null) return null;
  const own = new Set(plan.overrides?.map(({ charge }) => charge));
  const { name, minimum_amount, charges, grants } = draft;
  return {
    name: name === base.name ? '' : name,
    minimum_amount: plan.minimum_amount === base.minimum_amount ? '' : minimum_amount,
    charges: charges.map((charge, place) => ({ is_own: own.has(place), charge })),
    has_own_grants: JSON.stringify(plan.grants) !== JSON.stringify(base.grants),
    grants,
  };
}

/** The body that is sent to make the custom plan. */
export function customBodyOf(draft: DraftCustomPlan, base: Plan): object {
  const { name, minimum_amount, charges, has_own_grants, grants } = draft;
  return {
    based_on: base.id,
    name: filledText(name),
    minimum_amount: filledText(minimum_amount),
    overrides: charges.flatMap(({ is_own, charge }, place) =>
      is_own ? [overrideOf(charge, place, base.charges[place]!)] : [],
    ),
    ...(has_own_grants && { grants: grants.map(sentGrant) }),
  };
}

/**
 * The fields of a charge's price that are not the base's. The model goes along where the price has another one, or
 * lacks a field that the base's has: the fields beside it are then the whole price.
 */
function overrideOf(draft: DraftCharge, charge: number, base: Charge): object {
  const { pricing_model } = draft;
  const fields = Object.entries(pricesOf(draft));
  const base_draft = chargeAsDraft(base);
  const base_fields = new Map(Object.entries(pricesOf(base_draft)));
  const is_whole =
    pricing_model !== base.pricing_model ||
    (hasPrices(base_draft) && !hasPrices(draft)) ||
    fields.some(([name, value]) => value === undefined && base_fields.get(name) !== undefined);
  if (is_whole) return { charge, pricing_model, ...Object.fromEntries(fields) };
  const differing = fields.filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(base_fields.get(name)),
  );
  return { charge, ...Object.fromEntries(differing) };
}

/**
 * The places in `overrides` of the charges with prices of their own, by which the server names faults; null for a
 * charge of which the price is the base's.
 */
export function placesOf(charges: readonly DraftOverride[]): (number | null)[] {
  let next = 0;
  return charges.map(({ is_own }) => (is_own ? next++ : null));
}
