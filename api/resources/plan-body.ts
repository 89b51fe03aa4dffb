import { Type, type Static } from 'typebox';
import type { CustomPlanRequest } from '../../src/billing/terms/custom-plan.ts';
import type { SentPlan } from '../../src/billing/terms/new-plan.ts';
import { BillingError, invalid, type ErrorDetail } from '../../src/domain/money/errors.ts';
import { PRICING_MODELS } from '../../src/domain/pricing/definitions.ts';
import { Metadata, oneOf } from '../../src/objects/parts.ts';
import { Amount, Currency, Identifier, Name, PlanName } from '../schema/schemas.ts';
import { NewCharge, NewOverride } from './charge-schema.ts';
import { chargesOf } from './charges.ts';
import { NewPlanGrant, planGrantsOf } from './plan-grants.ts';

const PlanKey = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_.-]+$',
  'x-fault': 'must consist of letters, digits, `_`, `.` and `-`',
  description:
    'Your name for all versions of a plan: a key that plans have makes the next version. It must not begin with `plan_`.',
});

/** A plan of everybody, or of one customer: which, `planOf` tells by the members. */
export const NewPlanBody = Type.Object(
  {
    key: Type.Optional(PlanKey),
    name: Type.Optional({
      ...Name,
      description: 'Required, but of a custom plan: default that of the base.',
    }),
    currency: Type.Optional({
      ...Currency,
      description: 'Default: that of the versions of `key`, else that of the account.',
    }),
    interval: Type.Optional(oneOf(['day', 'week', 'month', 'year'], { description: 'Default: `month`.' })),
    interval_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Default: 1.' })),
    pricing_model: Type.Optional(
      oneOf(PRICING_MODELS, { description: 'The pricing model of charges that do not set one.' }),
    ),
    charges: Type.Optional(
      Type.Array(NewCharge, { minItems: 1, maxItems: 100, description: 'Required, but of a custom plan.' }),
    ),
    minimum_amount: Type.Optional({
      ...Amount,
      description:
        'The least that a full period costs, net: above 0, with at most the decimals of the currency. Default: none; of a custom plan that of the base.',
    }),
    grants: Type.Optional(
      Type.Array(NewPlanGrant, {
        maxItems: 20,
        description:
          'Prepaid credit that a subscription gets as each full billing period begins. Default: none; of a custom plan those of the base.',
      }),
    ),
    metadata: Type.Optional(Metadata),
    based_on: Type.Optional({
      ...PlanName,
      description:
        'Of a custom plan, with `customer_id` and `overrides`: its base, a plan, or a key, which names its newest version.',
    }),
    customer_id: Type.Optional({
      ...Identifier,
      description: 'The only customer that may use the custom plan.',
    }),
    overrides: Type.Optional(
      Type.Array(NewOverride, {
        maxItems: 100,
        description: 'Prices of the custom plan that differ from those of the base.',
      }),
    ),
  },
  { additionalProperties: false },
);
type Body = Static<typeof NewPlanBody>;

export function isCustom(plan: SentPlan | CustomPlanRequest): plan is CustomPlanRequest {
  return 'based_on' in plan;
}

const OF_CUSTOM_PLANS = ['based_on', 'customer_id', 'overrides'] as const;
/** The base has them. */
const OF_BASES = ['key', 'currency', 'interval', 'interval_count', 'pricing_model', 'charges'] as const;

/** The plan of a body. Throws invalid_request. */
export function sentPlan(body: Body): SentPlan | CustomPlanRequest {
  return OF_CUSTOM_PLANS.some((name) => body[name] !== undefined) ? customPlan(body) : planOfEverybody(body);
}

function customPlan(body: Body): CustomPlanRequest {
  const {
    based_on,
    customer_id,
    overrides,
    name = null,
    minimum_amount = null,
    grants,
    metadata = null,
  } = body;
  const faults = [
    ...OF_CUSTOM_PLANS.filter((member) => body[member] === undefined).map(missing),
    ...OF_BASES.filter((member) => body[member] !== undefined).map((param): ErrorDetail => {
      return {
        param,
        reason: 'not_allowed',
        message: `${param} is not allowed in a custom plan, which has that of its base`,
      };
    }),
  ];
  if (based_on === undefined || customer_id === undefined || overrides === undefined || faults.length > 0)
    throw new BillingError('invalid_request', faults);
  const own_grants = grants === undefined ? null : planGrantsOf(grants);
  return { based_on, customer_id, overrides, name, minimum_amount, grants: own_grants, metadata };
}

function missing(param: string): ErrorDetail {
  return { param, reason: 'missing', message: `${param} is missing` };
}

function planOfEverybody(body: Body): SentPlan {
  const { key = null, name, currency, charges, grants = [], metadata = {}, pricing_model } = body;
  const { interval = 'month', interval_count = 1, minimum_amount = null } = body;
  if (name === undefined || charges === undefined)
    throw new BillingError(
      'invalid_request',
      (['name', 'charges'] as const).filter((member) => body[member] === undefined).map(missing),
    );
  if (key?.startsWith('plan_')) throw invalid('key', 'not_allowed', 'key must not begin with plan_');
  return {
    key,
    name,
    currency,
    interval,
    interval_count,
    minimum_amount,
    metadata,
    charges: chargesOf(charges, pricing_model),
    grants: planGrantsOf(grants),
    pricing_model: pricing_model ?? null,
  };
}
