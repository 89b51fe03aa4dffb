import { Type, type Static, type TSchema } from 'typebox';
import type { Field } from '../domain/pricing/definition.ts';
import type { Charge, Filters } from '../domain/pricing/charge.ts';
import {
  LISTED_MODELS,
  MODELS,
  PRICING_MODELS,
  type Pricing,
  type PricingModel,
} from '../domain/pricing/definitions.ts';
import type { ListedPrice, PriceList } from '../domain/pricing/price-list.ts';
import type { SentOverride } from '../domain/pricing/sent-charge.ts';
import {
  ResponseDecimal,
  ResponseInstant,
  responseObject,
  identity,
  Metadata,
  nullable,
  oneOf,
} from './parts.ts';

const Tier = responseObject('Tier', {
  up_to: nullable(Type.String({ description: 'Inclusive upper limit of the tier; null for the last tier.' })),
  unit_amount: ResponseDecimal,
  flat_amount: nullable(ResponseDecimal),
});

const OverrideTier = Type.Object(
  {
    up_to: nullable(Type.String()),
    unit_amount: ResponseDecimal,
    flat_amount: Type.Optional(ResponseDecimal),
  },
  { title: 'PlanOverrideTier', additionalProperties: false },
);

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
const ChargeFilters = Type.Unsafe<Filters>(
  Type.Object({}, { title: 'ChargeFilters', additionalProperties: FilterValues }),
);

const SELECTION = {
  id: Type.String(),
  event_name: Type.String(),
  name: nullable(Type.String()),
  unit_name: nullable(Type.String()),
  aggregation: Aggregation,
  filters: nullable(ChargeFilters),
};

/** One form for each model, as `pricing_model` says: FlatCharge, PerUnitCharge, ... */
function chargeOf(model: PricingModel) {
  const fields = Object.entries(MODELS[model].fields).map(([name, field]) => [name, valueOf(field)]);
  return responseObject(`${titleOf(model)}Charge`, {
    ...SELECTION,
    pricing_model: Type.Literal(model),
    prices: Type.Null(),
    group_by: nullable(Type.Array(Type.String())),
    ...Object.fromEntries(fields),
  });
}

/** A charge with a list of prices: one of the models that allow it, each price with the fields of the model. */
function listedChargeOf(model: PricingModel) {
  const fields = Object.fromEntries(
    Object.entries(MODELS[model].fields).map(([name, field]) => [name, valueOf(field)]),
  );
  const title = titleOf(model);
  return responseObject(`${title}ChargeByDimension`, {
    ...SELECTION,
    pricing_model: Type.Literal(model),
    prices: Type.Array(
      responseObject(`${title}Price`, {
        match: nullable(ChargeFilters),
        default: Type.Boolean({ description: 'Whether it is the price of all events that no match is for.' }),
        ...fields,
      }),
    ),
    group_by: nullable(Type.Array(Type.String())),
  });
}

function valueOf(field: Field): TSchema {
  if (field.kind === 'tiers') return Type.Array(Tier);
  if (field.choices !== undefined) return oneOf(Object.keys(field.choices));
  return field.default === null ? nullable(ResponseDecimal) : ResponseDecimal;
}

/** "per_unit" is PerUnit. */
function titleOf(model: PricingModel): string {
  return model.replace(/(^|_)([a-z])/g, (_match, _before, letter: string) => letter.toUpperCase());
}

/** A price of a list: the fields of its model, and what it is for. */
export type ShownPrice = Omit<ListedPrice, 'match' | 'default'> & { match: Filters | null; default: boolean };

/** The fields of a charge's model are those of `src/domain/pricing/definitions.ts`. */
type ShownCharge = Omit<Charge, 'pricing'> & { prices: ShownPrice[] | null } & (
    Pricing | Omit<PriceList, 'prices'>
  );

const ChargeObject = Type.Unsafe<ShownCharge>(
  Type.Union([...PRICING_MODELS.map(chargeOf), ...LISTED_MODELS.map(listedChargeOf)], { title: 'Charge' }),
);

const PlanGrant = responseObject('PlanGrant', {
  amount: Type.Number({ description: 'In units of usage.' }),
  event_names: nullable(Type.Array(Type.String())),
  expires: Type.Union([
    Type.Literal('period_end'),
    responseObject('PlanGrantDays', { days: Type.Integer() }),
  ]),
  carry_over_max: nullable(
    Type.Number({ description: 'Units that may cover usage of the next full period; null: none.' }),
  ),
  prorate: Type.Boolean({ description: 'Whether a period that is short as it begins has its share alone.' }),
});

const OverridePrice = Type.Object(
  {
    match: Type.Optional(ChargeFilters),
    default: Type.Optional(Type.Literal(true)),
    ...sentFields(),
  },
  { title: 'PlanOverridePrice', additionalProperties: false },
);

/** An override as it was sent: a member that was left out is missing. */
const PlanOverride = Type.Unsafe<SentOverride>(
  Type.Object(
    {
      charge: Type.Integer({ description: 'The place of the charge in the base, from 0.' }),
      pricing_model: Type.Optional(oneOf(PRICING_MODELS)),
      prices: Type.Optional(Type.Array(OverridePrice)),
      ...sentFields(),
    },
    { title: 'PlanOverride', additionalProperties: false },
  ),
);

/** The fields of all models, each optional. */
function sentFields(): Record<string, TSchema> {
  const fields = PRICING_MODELS.flatMap((model) => Object.entries(MODELS[model].fields));
  return Object.fromEntries(fields.map(([name, field]) => [name, Type.Optional(sentValueOf(field))]));
}

function sentValueOf({ kind, choices }: Field): TSchema {
  if (kind === 'tiers') return Type.Array(OverrideTier);
  return choices === undefined ? ResponseDecimal : oneOf(Object.keys(choices));
}

/** contract.md 3. */
export const PlanObject = responseObject('PricingPlan', {
  ...identity('pricing_plan'),
  key: nullable(Type.String({ description: 'Your name for all versions of the plan.' })),
  version: nullable(Type.Integer({ description: 'Counted from 1 for each key.' })),
  archived_at: nullable(ResponseInstant),
  name: Type.String(),
  currency: Type.String(),
  interval: oneOf(['day', 'week', 'month', 'year']),
  interval_count: Type.Integer(),
  pricing_model: nullable(oneOf(PRICING_MODELS)),
  charges: Type.Array(ChargeObject),
  minimum_amount: nullable({
    ...ResponseDecimal,
    description: 'The least that a full period costs, net; null: none.',
  }),
  grants: Type.Array(PlanGrant),
  metadata: Metadata,
  based_on: nullable(
    Type.String({
      description: 'Of a custom plan: the plan whose charges it has with other prices, its base.',
    }),
  ),
  customer_id: nullable(Type.String({ description: 'The only customer that may use a custom plan.' })),
  overrides: nullable(
    Type.Array(PlanOverride, { description: 'Prices of a custom plan that differ, as they were sent.' }),
  ),
});
export type Plan = Static<typeof PlanObject>;

const PlanFieldChange = responseObject('PlanFieldChange', {
  field: Type.String({ description: 'Named as in errors: `charges[0].tiers[1].up_to`.' }),
  current: nullable(Type.String({ description: 'Of a list or an object its JSON; null: it is missing.' })),
  proposed: nullable(Type.String()),
});

/** A plan that is not stored, compared with the newest version of its key. */
export const PlanPreview = responseObject('PricingPlanPreview', {
  object: Type.Literal('pricing_plan_preview'),
  key: nullable(Type.String()),
  version: nullable(Type.Integer({ description: 'The version that the plan would have.' })),
  current: nullable(PlanObject),
  changes: Type.Array(PlanFieldChange),
  has_more: Type.Boolean({ description: 'Whether more fields differ.' }),
});
export type PlanPreview = Static<typeof PlanPreview>;
