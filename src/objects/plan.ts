import { Type, type TProperties } from 'typebox';
import { PRICING_MODELS } from '../domain/charge.ts';
import { AnsweredDecimal, answerObject, exactly, identity, Metadata, nullable, oneOf } from './parts.ts';

const Tier = answerObject('Tier', {
  up_to: nullable(Type.String({ description: 'Inclusive; null on the last tier.' })),
  unit_amount: AnsweredDecimal,
  flat_amount: nullable(AnsweredDecimal),
});

const Aggregation = Type.Union([
  exactly({ type: Type.Literal('count') }),
  exactly({ type: oneOf(['sum', 'max', 'unique', 'latest']), property: Type.String() }),
]);

const FilterValues = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

/** One form for each model, as `pricing_model` says. */
function chargeOf<Fields extends TProperties>(model: (typeof PRICING_MODELS)[number], fields: Fields) {
  return exactly({
    id: Type.String(),
    event_name: Type.String(),
    name: nullable(Type.String()),
    unit_name: nullable(Type.String()),
    aggregation: Aggregation,
    filters: nullable(Type.Object({}, { additionalProperties: FilterValues })),
    pricing_model: Type.Literal(model),
    ...fields,
  });
}

const Charge = Type.Union(
  [
    chargeOf('flat', { flat_amount: AnsweredDecimal }),
    chargeOf('per_unit', { unit_amount: AnsweredDecimal }),
    chargeOf('graduated', { tiers: Type.Array(Tier) }),
    chargeOf('volume', { tiers: Type.Array(Tier) }),
    chargeOf('package', {
      package_size: AnsweredDecimal,
      package_amount: AnsweredDecimal,
      free_units: AnsweredDecimal,
    }),
    chargeOf('credit', { credits_per_unit: AnsweredDecimal, overage_unit_amount: AnsweredDecimal }),
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
