import { Type } from 'typebox';
import { createCustomPlan, previewCustomPlan } from '../../src/billing/terms/custom-plan.ts';
import { createPlan, previewPlan } from '../../src/billing/terms/new-plan.ts';
import { findPlan, listPlans } from '../../src/db/subscriptions/plans.ts';
import { PLANS_SEARCHED_MAX, searchPlans } from '../../src/db/subscriptions/plan-search.ts';
import { setArchived } from '../../src/db/subscriptions/plan-versions.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { conflict } from '../../src/domain/money/errors.ts';
import { isCustom, NewPlanBody, sentPlan } from './plan-body.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/plans.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { type Plan, PlanObject, PlanPreview } from '../../src/objects/plan.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import { Identifier, listOf, PAGE } from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';

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
    return foundOr404(await findPlan(db, caller.environment_id, params['id']!));
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
