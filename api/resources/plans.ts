import { Type, type Static } from 'typebox';
import {
  createCustomPlan,
  previewCustomPlan,
  type CustomPlanRequest,
} from '../../src/billing/terms/custom-plan.ts';
import { createPlan, previewPlan, type SentPlan } from '../../src/billing/terms/new-plan.ts';
import { findPlan, listPlans } from '../../src/db/subscriptions/plans.ts';
import { PLANS_SEARCHED_MAX, searchPlans } from '../../src/db/subscriptions/plan-search.ts';
import { setArchived } from '../../src/db/subscriptions/plan-versions.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { BillingError, conflict, invalid, type ErrorDetail } from '../../src/domain/money/errors.ts';
import { NewCharge, NewOverride } from './charge-schema.ts';
import { chargesOf } from './charges.ts';
import { NewPlanGrant, planGrantsOf } from './plan-grants.ts';
import { PRICING_MODELS } from '../../src/domain/pricing/definitions.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/plans.ts';
import { listResponse } from '../routing/list.ts';
import { type Plan, PlanObject, PlanPreview } from '../../src/objects/plan.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import { Amount, Currency, Identifier, listOf, Name, PAGE, PlanName } from '../schema/schemas.ts';
import { exactly, Metadata, oneOf } from '../../src/objects/parts.ts';

const PlanKey = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_.-]+$',
  'x-fault': 'must consist of letters, digits, `_`, `.` and `-`',
  description:
    'Your name for all versions of a plan: a key that plans have makes the next version. It must not begin with `plan_`.',
});

/** A plan of everybody, or of one customer: which, `planOf` tells by the members. */
const NewPlanBody = Type.Object(
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

const create = route({
  method: 'post',
  path: '/v1/pricing-plans',
  operation_id: 'createPricingPlan',
  tag: 'Pricing plans',
  summary: 'Create a plan, the next version of a plan, or a custom plan; none is changed later',
  description:
    'With a `key` that plans have, the plan is the next version, in the same currency. A key names its newest version wherever a plan is ' +
    'chosen; subscriptions keep the version that they have. With `based_on`, `customer_id` and `overrides` it is a custom plan: the base with ' +
    'other prices, for this customer alone.',
  body: NewPlanBody,
  examples: examples.create,
  refusals: ['not_found', 'conflict'],
  responses: { 201: PlanObject },
  handle: async ({ db, caller, body }) => {
    const { environment_id } = caller;
    const sent = sentPlan(body);
    const id = isCustom(sent)
      ? await createCustomPlan(db, environment_id, sent)
      : await createPlan(db, environment_id, sent);
    return {
      status: 201,
      body: (await findPlan(db, environment_id, id))!,
      headers: { Location: `/v1/pricing-plans/${id}` },
    };
  },
});

const preview = route({
  method: 'post',
  path: '/v1/pricing-plans/preview',
  operation_id: 'previewPricingPlan',
  tag: 'Pricing plans',
  summary:
    'Compare a plan with the newest version of its key, or a custom plan with its base; nothing is stored',
  body: NewPlanBody,
  examples: examples.preview,
  refusals: ['not_found', 'conflict'],
  responses: { 200: PlanPreview },
  handle: async ({ db, caller: { environment_id }, body }) => {
    const sent = sentPlan(body);
    return {
      status: 200,
      body: isCustom(sent)
        ? await previewCustomPlan(db, environment_id, sent)
        : await previewPlan(db, environment_id, sent),
    };
  },
});

function isCustom(plan: SentPlan | CustomPlanRequest): plan is CustomPlanRequest {
  return 'based_on' in plan;
}

const OF_CUSTOM_PLANS = ['based_on', 'customer_id', 'overrides'] as const;
/** The base has them. */
const OF_BASES = ['key', 'currency', 'interval', 'interval_count', 'pricing_model', 'charges'] as const;

/** The plan of a body. Throws invalid_request. */
function sentPlan(body: Body): SentPlan | CustomPlanRequest {
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

const list = route({
  method: 'get',
  path: '/v1/pricing-plans',
  operation_id: 'listPricingPlans',
  tag: 'Pricing plans',
  summary: 'Plans, newest first; custom plans of a customer alone',
  query: exactly({
    key: Type.Optional({ ...Identifier, description: 'The versions of a plan.' }),
    customer_id: Type.Optional({
      ...Identifier,
      description: 'The custom plans of this customer. Without it the list has none.',
    }),
    archived: Type.Optional(
      oneOf(['true', 'false'], { description: '`true`: only archived plans. `false`: only the others.' }),
    ),
    search: Type.Optional({
      ...Identifier,
      description:
        'Text that is part of the name, the key or `version 2`, or all of whose words are, in any case and without accents; or an id in ' +
        'full. Looks at ' +
        `the ${PLANS_SEARCHED_MAX.toLocaleString('en')} newest plans that the other filters find.`,
    }),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(PlanObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { key, customer_id, archived, search } = query;
    const filter = {
      key: key ?? null,
      customer_id: customer_id ?? null,
      is_archived: archived === undefined ? null : archived === 'true',
    };
    return listResponse(request, {
      name: 'pricing_plans',
      // A filter that is not sent is not in the cursor's seal: a filter of a later release leaves cursors valid.
      filters: {
        ...(key === undefined ? {} : { key }),
        ...(customer_id === undefined ? {} : { customer_id }),
        ...(archived === undefined ? {} : { archived }),
        ...(search === undefined ? {} : { search }),
      },
      fetch: (page) =>
        search === undefined
          ? listPlans(db, caller.environment_id, { ...filter, ...page })
          : searchPlans(db, caller.environment_id, { ...filter, ...page, words: search }),
      show: (plan) => plan,
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/pricing-plans/{id}',
  operation_id: 'getPricingPlan',
  tag: 'Pricing plans',
  summary: 'Get a plan with its charges and tiers',
  examples: examples.read,
  responses: { 200: PlanObject },
  handle: async ({ db, caller, params }) => {
    const plan = await findPlan(db, caller.environment_id, params['id']!);
    if (plan === null) throw notFoundError();
    return { status: 200, body: plan };
  },
});

const archive = route({
  method: 'post',
  path: '/v1/pricing-plans/{id}/archive',
  operation_id: 'archivePricingPlan',
  tag: 'Pricing plans',
  summary: 'Archive a plan: no subscription begins with it or changes to it any more',
  description:
    'Subscriptions that have the plan, or will change to it, keep it. While the newest version of a key is archived, the key is refused too.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.archive,
  refusals: ['not_found', 'conflict'],
  responses: { 200: PlanObject },
  handle: ({ db, caller, params }) => archivedPlan(db, caller.environment_id, params['id']!, true),
});

const unarchive = route({
  method: 'delete',
  path: '/v1/pricing-plans/{id}/archive',
  operation_id: 'unarchivePricingPlan',
  tag: 'Pricing plans',
  summary: 'Take back the archiving of a plan',
  examples: examples.unarchive,
  refusals: ['not_found', 'conflict'],
  responses: { 200: PlanObject },
  handle: ({ db, caller, params }) => archivedPlan(db, caller.environment_id, params['id']!, false),
});

/** The plan, which is then archived or not. Throws conflict `invalid_state` if it is so already. */
async function archivedPlan(
  db: Db,
  environment_id: number,
  name: string,
  is_archived: boolean,
): Promise<RouteResponse<200, Plan>> {
  const plan = await findPlan(db, environment_id, name);
  if (plan === null) throw notFoundError();
  const { id } = plan;
  const is_changed = await setArchived(db, environment_id, { id, is_archived });
  if (!is_changed)
    throw conflict(null, 'invalid_state', `plan ${id} is ${is_archived ? 'already' : 'not'} archived`);
  return { status: 200, body: (await findPlan(db, environment_id, id))! };
}

export const planRoutes = [create, preview, list, read, archive, unarchive];
