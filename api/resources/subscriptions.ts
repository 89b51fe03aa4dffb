import { Type } from 'typebox';
import { subscribe } from '../../src/billing/terms/subscribe.ts';
import { wakeSubscription } from '../../src/billing/close/wake.ts';
import { listPeriods } from '../../src/db/subscriptions/periods.ts';
import { findSubscription, listSubscriptions } from '../../src/db/subscriptions/subscriptions.ts';
import { PeriodObject, SubscriptionObject, SUBSCRIPTION_STATUSES } from '../../src/objects/subscription.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/subscriptions.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import {
  BillAt,
  Identifier,
  InstantOrDay,
  listOf,
  PAGE,
  PlanName,
  SentQuantities,
} from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { quantityRoutes as quantities } from './subscription-quantities.ts';
import { termsRoutes as terms } from './subscription-terms.ts';

const create = route({
  method: 'post',
  path: '/v1/subscriptions',
  operation_id: 'createSubscription',
  tag: 'Subscriptions',
  summary: 'Subscribe a customer to a plan and start the billing cycle',
  body: exactly({
    customer_id: Identifier,
    plan_id: PlanName,
    start_date: Type.Optional(InstantOrDay),
    trial_end_date: Type.Optional(InstantOrDay),
    billing_anchor: Type.Optional(InstantOrDay),
    quantities: Type.Optional(SentQuantities),
    bill_at: Type.Optional(BillAt),
  }),
  examples: examples.create,
  refusals: ['not_found'],
  responses: { 201: SubscriptionObject },
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id } = caller;
    const subscription_id = await subscribe(db, environment_id, body);
    const key = { environment_id, subscription_id };
    return {
      status: 201,
      body: (await findSubscription(db, environment_id, subscription_id))!,
      headers: { Location: `/v1/subscriptions/${subscription_id}` },
      after_commit: () => void deps.nudge([key], 'wake'),
    };
  },
});

const read = route({
  method: 'get',
  path: '/v1/subscriptions/{id}',
  operation_id: 'getSubscription',
  tag: 'Subscriptions',
  summary: 'Get a subscription',
  examples: examples.read,
  responses: { 200: SubscriptionObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findSubscription(db, caller.environment_id, params['id']!));
  },
});

const list = route({
  method: 'get',
  path: '/v1/subscriptions',
  operation_id: 'listSubscriptions',
  tag: 'Subscriptions',
  summary: 'Subscriptions, newest first',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    status: Type.Optional(oneOf(SUBSCRIPTION_STATUSES)),
    plan_id: Type.Optional({
      ...Identifier,
      description: 'The plan at the now of the customer; a key stands for all of its versions.',
    }),
    attention: Type.Optional(
      oneOf(['true', 'false'], { description: '`true`: only subscriptions that need attention.' }),
    ),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(SubscriptionObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { customer_id = null, status = null, attention, plan_id } = query;
    const filters = { customer_id, status };
    const waits = attention === undefined ? null : attention === 'true';
    return listResponse(request, {
      name: 'subscriptions',
      // A filter that is not sent is not in the cursor's seal: a filter of a later release leaves cursors valid.
      filters: {
        ...filters,
        ...(attention === undefined ? {} : { attention }),
        ...(plan_id === undefined ? {} : { plan_id }),
      },
      fetch: (page) =>
        listSubscriptions(db, caller.environment_id, {
          ...filters,
          waits,
          plan_id: plan_id ?? null,
          ...page,
        }),
      show: (subscription) => subscription,
    });
  },
});

const periods = route({
  method: 'get',
  path: '/v1/subscriptions/{id}/periods',
  operation_id: 'listPeriods',
  tag: 'Subscriptions',
  summary: 'The periods of a subscription, newest first',
  query: exactly(PAGE),
  examples: examples.periods,
  refusals: ['not_found'],
  responses: { 200: listOf(PeriodObject) },
  handle: async (request) => {
    const { db, caller, params } = request;
    const key = { environment_id: caller.environment_id, subscription_id: params['id']! };
    if ((await findSubscription(db, key.environment_id, key.subscription_id)) === null) throw notFoundError();
    return listResponse(request, {
      name: 'periods',
      filters: { subscription_id: key.subscription_id },
      fetch: (page) => listPeriods(db, key, page),
      show: ({ id: _, ...period }) => period,
    });
  },
});

const wake = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/wake',
  operation_id: 'wakeSubscription',
  tag: 'Subscriptions',
  summary: 'Retry the billing of a subscription that needs attention',
  description:
    'Clears `attention` at once; if billing fails again, `attention` is set again. Has no effect on other subscriptions.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.wake,
  responses: { 200: SubscriptionObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    const was_waiting = await wakeSubscription(db, key);
    if (was_waiting === null) throw notFoundError();
    return {
      status: 200,
      body: (await findSubscription(db, environment_id, key.subscription_id))!,
      after_commit: () => void (was_waiting && deps.nudge([key], 'wake')),
    };
  },
});

export const subscriptionRoutes = [
  create,
  list,
  read,
  terms.cancel,
  terms.change,
  terms.take_back,
  periods,
  wake,
  terms.take_back_cancel,
  terms.trial,
  terms.bill_at,
  quantities.change,
  quantities.take_back,
];
