import { Type } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import { findPlan, insertPlan, listPlans, type NewPlan } from '../../src/db/subscriptions/plans.ts';
import { newId } from '../../src/ids.ts';
import { NewCharge } from './charge-schema.ts';
import { chargesOf } from './charges.ts';
import { PRICING_MODELS } from '../../src/domain/pricing/definitions.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/plans.ts';
import { listResponse } from '../routing/list.ts';
import { PlanObject } from '../../src/objects/plan.ts';
import { route } from '../routing/route.ts';
import { Currency, listOf, Name, PAGE } from '../schema/schemas.ts';
import { exactly, Metadata, oneOf } from '../../src/objects/parts.ts';

const NewPlanBody = Type.Object(
  {
    name: Name,
    currency: Type.Optional(Currency),
    interval: oneOf(['day', 'week', 'month', 'year'], { default: 'month' }),
    interval_count: Type.Integer({ minimum: 1, maximum: 365, default: 1 }),
    pricing_model: Type.Optional(
      oneOf(PRICING_MODELS, { description: 'The pricing model of charges that do not set one.' }),
    ),
    charges: Type.Array(NewCharge, { minItems: 1, maxItems: 100 }),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false },
);

const create = route({
  method: 'post',
  path: '/v1/pricing-plans',
  operation_id: 'createPricingPlan',
  tag: 'Pricing plans',
  summary: 'Create a plan; a plan cannot be changed later',
  body: NewPlanBody,
  examples: examples.create,
  responses: { 201: PlanObject },
  handle: async ({ db, caller, body }) => {
    const { environment_id } = caller;
    const { currency, pricing_model, metadata = {}, ...fields } = body;
    const plan: NewPlan = {
      ...fields,
      id: newId('plan'),
      charges: chargesOf(body.charges, pricing_model),
      currency: currency ?? (await findAccount(db, environment_id)).currency,
      pricing_model: pricing_model ?? null,
      metadata,
    };
    await insertPlan(db, environment_id, plan);
    return {
      status: 201,
      body: (await findPlan(db, environment_id, plan.id))!,
      headers: { Location: `/v1/pricing-plans/${plan.id}` },
    };
  },
});

const list = route({
  method: 'get',
  path: '/v1/pricing-plans',
  operation_id: 'listPricingPlans',
  tag: 'Pricing plans',
  summary: 'Plans, newest first',
  query: exactly(PAGE),
  examples: examples.list,
  responses: { 200: listOf(PlanObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'pricing_plans',
      filters: {},
      fetch: (page) => listPlans(request.db, request.caller.environment_id, page),
      show: (plan) => plan,
    }),
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

export const planRoutes = [create, list, read];
