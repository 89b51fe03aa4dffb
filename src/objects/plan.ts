import { Type, type TProperties } from 'typebox';
import { PRICING_MODELS } from '../domain/charge.ts';
import { AnsweredDecimal, answerObject, identity, Metadata, nullable, oneOf } from './parts.ts';

const Tier = answerObject('Tier', {
  up_to: nullable(Type.String({ description: 'Inclusive; null on the last tier.' })),
  unit_amount: AnsweredDecimal,
  flat_amount: nullable(AnsweredDecimal),
});

/** Every variant of a union has a name: a program that makes a client of the reference makes a type of it. */
const Aggregation = Type.Union(
  [
    answerObject('CountAggregation', { type: Type.Literal('count') }),
    answerObject('PropertyAggregation', {
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
  return answerObject(title, {
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
    chargeOf('FlatCharge', 'flat', { flat_amount: AnsweredDecimal }),
    chargeOf('PerUnitCharge', 'per_unit', { unit_amount: AnsweredDecimal }),
    chargeOf('GraduatedCharge', 'graduated', { tiers: Type.Array(Tier) }),
    chargeOf('VolumeCharge', 'volume', { tiers: Type.Array(Tier) }),
    chargeOf('PackageCharge', 'package', {
      package_size: AnsweredDecimal,
      package_amount: AnsweredDecimal,
      free_units: AnsweredDecimal,
    }),
    chargeOf('CreditCharge', 'credit', {
      credits_per_unit: AnsweredDecimal,
      overage_unit_amount: AnsweredDecimal,
    }),
  ],
  { title: 'Charge' },
);

export const PlanObject = answerObject('PricingPlan', {
  ...identity('pricing_plan'),
  name: Type.String(),
  currency: Type.String(),
  interval: oneOf(['day', 'week', 'month', 'year']),
  interval_count: Type.Integer(),
  pricing_model: nullable(oneOf(PRICING_MODELS)),
  charges: Type.Array(Charge),
  metadata: Metadata,
});
