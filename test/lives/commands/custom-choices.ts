import fc from 'fast-check';
import {
  LISTED_MODELS,
  MODELS,
  PRICING_MODELS,
  type Pricing,
} from '../../../src/domain/pricing/definitions.ts';
import { customPlan } from '../model/custom-plans.ts';
import type { Charge, CustomTerms, Override, Plan, PlanGrant } from '../model/plans.ts';
import { aFeeBilled, aPricingOf } from './charges.ts';

/** Custom plans (billing.md 12) occur in lives. */
export const HAS_CUSTOM_PLANS = true;

type Model = Pricing['pricing_model'];

/** A custom plan as a life intends it, before its base is known: overrides by the places of charges. */
export type CustomIntention = {
  overrides: readonly { place: number; kind: 'fields' | 'a field' | 'prices' | 'model' | 'nothing' }[];
  /** Another pricing of each model. */
  others: Readonly<Record<Model, Pricing>>;
  model: Model;
  /** Whether it has no grants in place of the base's. */
  is_without_grants: boolean;
  minimum_amount: string | null;
};

const METERED = PRICING_MODELS.filter((model) => MODELS[model].is_metered);

const othersOfEachModel = fc.record(
  Object.fromEntries(
    PRICING_MODELS.map((model) => [
      model,
      MODELS[model].is_metered ? aPricingOf(model) : aFeeBilled('in_arrears', 'in_advance'),
    ]),
  ) as Record<Model, fc.Arbitrary<Pricing>>,
);

export const aCustomIntention: fc.Arbitrary<CustomIntention> = fc.record({
  overrides: fc.uniqueArray(
    fc.record({
      place: fc.nat(3),
      kind: fc.constantFrom('fields', 'fields', 'a field', 'a field', 'prices', 'model', 'nothing'),
    }),
    { maxLength: 3, selector: ({ place }) => place },
  ),
  others: othersOfEachModel,
  model: fc.constantFrom(...METERED),
  is_without_grants: fc.constantFrom(false, false, true),
  minimum_amount: fc.constantFrom(null, null, '30'),
});

/** The custom plan that a life intends on a base; the base's charges are taken by their places, those beyond the last left out. */
export function customOn(base: Plan, intention: CustomIntention): Plan {
  const { overrides, is_without_grants, minimum_amount } = intention;
  const terms: CustomTerms = {
    overrides: overrides.flatMap(({ place, kind }) => {
      const charge = base.charges[place];
      return charge === undefined ? [] : [{ charge: place, ...overrideOf(charge, kind, intention) }];
    }),
    ...(is_without_grants ? { grants: [] satisfies PlanGrant[] } : {}),
    ...(minimum_amount === null ? {} : { minimum_amount }),
  };
  return customPlan(base, terms);
}

type Kind = CustomIntention['overrides'][number]['kind'];

function overrideOf(
  { pricing, division, aggregation, has_quantity }: Charge,
  kind: Kind,
  { others, model }: CustomIntention,
): Omit<Override, 'charge'> {
  const { pricing_model: before } = pricing;
  const is_listed = LISTED_MODELS.some((one) => one === before);
  if (kind === 'nothing') return { fields: {} };
  // A single field is refused beside a list of prices.
  if (division?.prices || (kind === 'prices' && is_listed)) {
    const eu = { match: { region: ['eu'] }, pricing: others[before] };
    return { prices: [eu, { match: null, pricing }], fields: {} };
  }
  if (kind === 'model' && !has_quantity) {
    const { aggregations } = MODELS[model];
    const isFitting =
      (aggregations?.includes(aggregation.type) ?? true) &&
      (division === undefined || LISTED_MODELS.some((one) => one === model));
    const to = isFitting && MODELS[before].is_metered ? model : before;
    return { pricing_model: to, fields: fieldsOf(others[to]) };
  }
  const fields = fieldsOf(others[before]);
  const names = Object.keys(fields);
  // A minimum of the base may be above another maximum.
  const chosen = before === 'percentage' ? ['rate'] : kind === 'a field' ? names.slice(-1) : names;
  return { fields: Object.fromEntries(chosen.map((name) => [name, fields[name]])) };
}

/** The fields of a pricing that are given. */
function fieldsOf({ pricing_model: _, ...fields }: Pricing): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
