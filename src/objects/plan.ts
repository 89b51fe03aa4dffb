import { Type, type TProperties } from 'typebox';
import { PRICING_MODELS } from '../domain/charge.ts';
import { ResponseDecimal, responseObject, identity, Metadata, nullable, oneOf } from './parts.ts';

const Tier = responseObject('Tier', {
  up_to: nullable(Type.String({ description: 'Inclusive; null on the last tier.' })),
  unit_amount: ResponseDecimal,
  flat_amount: nullable(ResponseDecimal),
});

/** Every variant of a union has a name: a program that makes a client of the reference makes a type of it. */
const Aggregation = Type.Union(
  [
    responseObject('CountAggregation', { type: Type.Literal('count') }),
    responseObject('PropertyAggregation', {
      type: oneOf(['sum', 'max', 'unique', 'latest']),
      property: Type.String(),
    }),
  ],
  { title: 'Aggregation' },
);

const FilterValues = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
const ChargeFilters = Type.Object({}, { title: 'ChargeFilters', additionalProperties: FilterValues });

type Model = (typeof PRICING_MODELS)[number];

/** One form for each model, as `pricing_model` says. */
function chargeOf<Fields extends TProperties>(title: string, model: Model, fields: Fields) {
  return responseObject(title, {
    id: Type.String(),
    event_name: Type.String(),
    name: nullable(Type.String()),
    unit_name: nullable(Type.String()),
    aggregation: Aggregation,
    filters: nullable(ChargeFilters),
    pricing_model: Type.Literal(model),
    ...fields,
  });
}

const Charge = Type.Union(
  [
    chargeOf('FlatCharge', 'flat', { flat_amount: ResponseDecimal }),
    chargeOf('PerUnitCharge', 'per_unit', { unit_amount: ResponseDecimal }),
    chargeOf('GraduatedCharge', 'graduated', { tiers: Type.Array(Tier) }),
    chargeOf('VolumeCharge', 'volume', { tiers: Type.Array(Tier) }),
    chargeOf('PackageCharge', 'package', {
      package_size: ResponseDecimal,
      package_amount: ResponseDecimal,
      free_units: ResponseDecimal,
    }),
    chargeOf('CreditCharge', 'credit', {
      credits_per_unit: ResponseDecimal,
      overage_unit_amount: ResponseDecimal,
    }),
  ],
  { title: 'Charge' },
);

export const PlanObject = responseObject('PricingPlan', {
  ...identity('pricing_plan'),
  name: Type.String(),
  currency: Type.String(),
  interval: oneOf(['day', 'week', 'month', 'year']),
  interval_count: Type.Integer(),
  pricing_model: nullable(oneOf(PRICING_MODELS)),
  charges: Type.Array(Charge),
  metadata: Metadata,
});
