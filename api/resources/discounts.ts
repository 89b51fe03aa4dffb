import { Type } from 'typebox';
import {
  createDiscount,
  DISCOUNTS_MAX,
  endDiscount,
  RUNNING_DISCOUNTS_MAX,
} from '../../src/billing/terms/discount.ts';
import { findDiscount, listDiscounts } from '../../src/db/subscriptions/discounts.ts';
import { DISCOUNT_STATUSES } from '../../src/domain/pricing/discount.ts';
import { DiscountObject } from '../../src/objects/discount.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import * as examples from '../reference/examples/discounts.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import {
  Amount,
  decimalText,
  DiscountEventNames,
  Identifier,
  instantOrDay,
  listOf,
  Name,
  PAGE,
} from '../schema/schemas.ts';

const create = route({
  method: 'post',
  path: '/v1/discounts',
  operation_id: 'createDiscount',
  tag: 'Discounts',
  summary: 'Take a percent off the lines of a customer, or an amount off its full periods',
  description:
    'It holds for every full period that begins before `until` and ends after `from`, for all of it. The first issued line of a charge and full period decides ' +
    'its percents, so a discount is on the next invoice. Drafts that are held show it at once. ' +
    `A subscription has at most ${RUNNING_DISCOUNTS_MAX} that have not ended, a customer ${DISCOUNTS_MAX} in all.`,
  body: exactly({
    customer_id: Identifier,
    subscription_id: Type.Optional({
      ...Identifier,
      description: 'This subscription alone. The default is each one of the customer, later ones too.',
    }),
    name: Type.String({ ...Name, description: 'Printed on the invoice; erased with the customer.' }),
    percent: Type.Optional(
      decimalText(
        { whole_max: 3, scale_max: 4, low: '0.0001', high: '100' },
        'Above 0, at most 100, with at most 4 decimals. Either this or `amount`.',
      ),
    ),
    amount: Type.Optional({
      ...Amount,
      description:
        'Net, off each full period of each subscription: above 0, with at most the decimals of the currency. Without `event_names`.',
    }),
    event_names: Type.Optional(DiscountEventNames),
    from: Type.Optional(instantOrDay('The default is now.')),
    until: Type.Optional(instantOrDay('After `from`; the default is without an end.')),
  }),
  examples: examples.create,
  refusals: ['not_found', 'conflict'],
  responses: { 201: DiscountObject },
  handle: async ({ deps, db, caller, body }) => {
    const { subscription_id = null, event_names = null, from = null, until = null, ...rest } = body;
    const request = { ...rest, ...reductionOf(body), subscription_id, event_names, from, until };
    const discount = await createDiscount(db, caller.environment_id, request, deps.config);
    return { status: 201, body: discount, headers: { Location: `/v1/discounts/${discount.id}` } };
  },
});

/** Percent or amount of a discount. Throws invalid_request for neither, for both, and for names of an amount. */
function reductionOf(body: { percent?: string; amount?: string; event_names?: readonly string[] }) {
  const { percent = null, amount = null, event_names } = body;
  if (percent === null && amount === null)
    throw invalid('percent', 'missing', 'percent or amount is required');
  if (amount === null) return { percent, amount };
  if (percent !== null) throw invalid('amount', 'not_allowed', 'amount must not be sent with percent');
  if (event_names !== undefined)
    throw invalid('event_names', 'not_allowed', 'event_names must not be sent with amount');
  return { percent, amount };
}

const list = route({
  method: 'get',
  path: '/v1/discounts',
  operation_id: 'listDiscounts',
  tag: 'Discounts',
  summary: 'Discounts, newest first',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    subscription_id: Type.Optional({
      ...Identifier,
      description: 'Those of this subscription alone, without those of all its customer has.',
    }),
    status: Type.Optional(oneOf(DISCOUNT_STATUSES)),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(DiscountObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { customer_id = null, subscription_id = null, status = null } = query;
    const filters = { customer_id, subscription_id, status };
    return listResponse(request, {
      name: 'discounts',
      filters,
      fetch: (page) => listDiscounts(db, caller.environment_id, { ...filters, ...page }),
      show: (discount) => discount,
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/discounts/{id}',
  operation_id: 'getDiscount',
  tag: 'Discounts',
  summary: 'Get a discount',
  examples: examples.read,
  responses: { 200: DiscountObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findDiscount(db, caller.environment_id, params['id']!));
  },
});

const end = route({
  method: 'post',
  path: '/v1/discounts/{id}/end',
  operation_id: 'endDiscount',
  tag: 'Discounts',
  summary: 'End a discount, or put its end earlier',
  description:
    'It holds for the full period in which it ends. An end at its start is allowed: it then never holds. What was billed stays.',
  body: exactly({
    until: Type.Optional(
      instantOrDay('From `from` to the `until` that the discount has; the default is now.'),
    ),
  }),
  examples: examples.end,
  refusals: ['conflict'],
  responses: { 200: DiscountObject },
  handle: async ({ deps, db, caller, params, body: { until = null } }) => {
    const request = { id: params['id']!, until };
    return foundOr404(await endDiscount(db, caller.environment_id, request, deps.config));
  },
});

export const discountRoutes = [create, list, read, end];
