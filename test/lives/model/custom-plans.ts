import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import type { Charge, CustomTerms, Override, Plan } from './plans.ts';

/** Custom plans (billing.md 12): a base with other prices for some of its charges. */

/** Fields of models that may be left out, with their defaults. */
const DEFAULTS: Readonly<Record<string, object>> = {
  package: { free_units: '0' },
  percentage: { minimum_amount: null, maximum_amount: null },
  flat: { billed: 'in_arrears' },
};

/** The plan of one customer: charges of its own, and what is given of grants and minimum; else those of the base. */
export function customPlan(base: Plan, terms: CustomTerms): Plan {
  const { interval, interval_count } = base;
  return {
    ...{ interval, interval_count },
    charges: base.charges.map((charge, place) =>
      overridden(
        charge,
        terms.overrides.find((one) => one.charge === place),
      ),
    ),
    grants: terms.grants ?? base.grants,
    minimum_amount: terms.minimum_amount ?? base.minimum_amount,
    custom: { base, terms },
  };
}

function overridden(charge: Charge, override: Override | undefined): Charge {
  const { division, has_quantity, ...rest } = charge;
  const group_by = division?.group_by ?? null;
  const divided = (prices: NonNullable<Charge['division']>['prices']) =>
    prices === null && group_by === null ? {} : { division: { prices, group_by, parts: [] } };
  const counted = has_quantity ? { has_quantity } : {};
  if (override?.pricing_model !== undefined) {
    const { pricing_model, fields, prices = null } = override;
    const pricing = { ...DEFAULTS[pricing_model], ...fields, pricing_model } as Pricing;
    return { ...rest, pricing, ...divided(prices) };
  }
  if (override?.prices !== undefined) return { ...rest, ...counted, ...divided(override.prices) };
  const pricing = { ...charge.pricing, ...override?.fields } as Pricing;
  return { ...rest, ...counted, pricing, ...divided(division?.prices ?? null) };
}

/** A custom plan based anew on another base (billing.md 12); null where an override is for a place at which the two bases differ. */
export function basedAnew({ custom }: Plan, target: Plan): Plan | null {
  const { base, terms } = custom!;
  const isAlike = ({ charge }: Override) => {
    const [before, after] = [base.charges[charge]!, target.charges[charge]];
    return (
      after !== undefined &&
      before.event_name === after.event_name &&
      before.pricing.pricing_model === after.pricing.pricing_model
    );
  };
  return terms.overrides.every(isAlike) ? customPlan(target, keptTerms(base, terms)) : null;
}

/** The terms that differ from those of the base. */
function keptTerms(base: Plan, { overrides, grants, minimum_amount }: CustomTerms): CustomTerms {
  const is_other = JSON.stringify(grants) !== JSON.stringify(base.grants);
  return {
    overrides,
    ...(grants !== undefined && is_other ? { grants } : {}),
    ...(minimum_amount !== undefined && minimum_amount !== base.minimum_amount ? { minimum_amount } : {}),
  };
}
