import { Type } from 'typebox';
import { cancelSubscription, takeBackCancel } from '../../src/billing/cancel.ts';
import { changePlan, takeBackChange } from '../../src/billing/change-plan.ts';
import { changeTrial } from '../../src/billing/change-trial.ts';
import { previewCancel, previewChange, type ChangePreview } from '../../src/billing/change-preview.ts';
import { subscribe } from '../../src/billing/subscribe.ts';
import { wakeSubscription } from '../../src/billing/wake.ts';
import { listPeriods } from '../../src/db/subscriptions/periods.ts';
import { findSubscription, listSubscriptions } from '../../src/db/subscriptions/subscriptions.ts';
import {
  PeriodObject,
  PlanChangePreview,
  SubscriptionObject,
  SUBSCRIPTION_STATUSES,
} from '../../src/objects/subscription.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import type { Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/subscriptions.ts';
import { listResponse } from '../routing/list.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import { ChangeTime, Identifier, InstantOrDay, listOf, PAGE, TrialTime } from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';

const create = route({
  method: 'post',
  path: '/v1/subscriptions',
  operation_id: 'createSubscription',
  tag: 'Subscriptions',
  summary: 'Subscribe a customer to a plan and start the billing cycle',
  body: exactly({
    customer_id: Identifier,
    plan_id: Identifier,
    start_date: Type.Optional(InstantOrDay),
    trial_end_date: Type.Optional(InstantOrDay),
    billing_anchor: Type.Optional(InstantOrDay),
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
    const subscription = await findSubscription(db, caller.environment_id, params['id']!);
    if (subscription === null) throw notFoundError();
    return { status: 200, body: subscription };
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
    plan_id: Type.Optional({ ...Identifier, description: 'The plan at the now of the customer.' }),
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
      // Left out if absent: cursors from before these filters existed are bound to filters without them and must stay valid.
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

/** The subscription, whose workflow looks at its rows after the commit. */
async function changedSubscription(
  { deps, db }: { deps: Deps; db: Db },
  key: { environment_id: number; subscription_id: string },
): Promise<RouteResponse> {
  return {
    status: 200,
    body: (await findSubscription(db, key.environment_id, key.subscription_id))!,
    after_commit: () => void deps.nudge([key], 'wake'),
  };
}

const DRY_RUN = Type.Boolean({
  default: false,
  description: 'Return the invoices that follow, and store nothing.',
});

function previewOr404(preview: ChangePreview | null): RouteResponse {
  if (preview === null) throw notFoundError();
  return { status: 200, body: preview };
}

const cancel = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/cancel',
  operation_id: 'cancelSubscription',
  tag: 'Subscriptions',
  summary: 'Cancel a subscription now, at the end of its current period, or at another time',
  description:
    'The period ends at `at`; later usage is not billed. A later call replaces the end, also by a later one. A change of plan that is ' +
    'scheduled at the end or after it is dropped.',
  body: exactly({ at: { ...ChangeTime, default: 'period_end' }, dry_run: DRY_RUN }),
  body_may_be_absent: true,
  examples: examples.cancel,
  refusals: ['not_found', 'conflict'],
  responses: { 200: Type.Union([SubscriptionObject, PlanChangePreview]) },
  may_take_long: true,
  handle: async ({ deps, db, caller, params, body: { at, dry_run } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (dry_run) return previewOr404(await previewCancel(db, key, at, deps.config));
    if ((await cancelSubscription(db, key, at, deps.config)) === null) throw notFoundError();
    return changedSubscription({ deps, db }, key);
  },
});

const take_back_cancel = route({
  method: 'delete',
  path: '/v1/subscriptions/{id}/cancel',
  operation_id: 'takeBackCancel',
  tag: 'Subscriptions',
  summary: 'Take back the cancellation that is scheduled',
  description:
    'The open period has its boundary again. A subscription that has ended is not taken back: create a new one.',
  examples: examples.takeBackCancel,
  refusals: ['not_found', 'conflict'],
  responses: { 200: SubscriptionObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (!(await takeBackCancel(db, key, deps.config))) throw notFoundError();
    return changedSubscription({ deps, db }, key);
  },
});

const trial = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/trial',
  operation_id: 'changeTrial',
  tag: 'Subscriptions',
  summary: 'Extend, shorten, add or end the trial of a subscription that is not billed yet',
  description:
    'Billing begins at `ends_at`. A cancellation and a change of plan that are scheduled keep their instants.',
  body: exactly({ ends_at: TrialTime }),
  examples: examples.trial,
  refusals: ['not_found', 'conflict'],
  responses: { 200: SubscriptionObject },
  handle: async ({ deps, db, caller, params, body: { ends_at } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (!(await changeTrial(db, key, ends_at, deps.config))) throw notFoundError();
    return changedSubscription({ deps, db }, key);
  },
});

const change = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/change',
  operation_id: 'changePlan',
  tag: 'Subscriptions',
  summary: 'Change the plan of a subscription',
  description:
    'The period ends at `at` and is billed by the old plan; the new plan begins a period of its own there. At the very start of a period, ' +
    'in a trial and before the start the plan is exchanged, and nothing ends. At most one change is scheduled: the next one replaces it.',
  body: exactly({
    plan_id: Identifier,
    at: ChangeTime,
    dry_run: DRY_RUN,
  }),
  examples: examples.change,
  refusals: ['not_found', 'conflict'],
  responses: { 200: Type.Union([SubscriptionObject, PlanChangePreview]) },
  may_take_long: true,
  handle: async ({ deps, db, caller, params, body: { dry_run, ...request } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (dry_run) return previewOr404(await previewChange(db, key, request, deps.config));
    if ((await changePlan(db, key, request, deps.config)) === null) throw notFoundError();
    return changedSubscription({ deps, db }, key);
  },
});

const take_back = route({
  method: 'delete',
  path: '/v1/subscriptions/{id}/change',
  operation_id: 'takeBackChange',
  tag: 'Subscriptions',
  summary: 'Take back the change of plan that is scheduled',
  description:
    'The open period has its boundary again. A change that has come is not taken back: change the plan once more.',
  examples: examples.takeBack,
  refusals: ['not_found', 'conflict'],
  responses: { 200: SubscriptionObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (!(await takeBackChange(db, key, deps.config))) throw notFoundError();
    return changedSubscription({ deps, db }, key);
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
  ...[create, list, read, cancel, change, take_back, periods, wake],
  ...[take_back_cancel, trial],
];
