import { Type } from 'typebox';
import { cancelSubscription, takeBackCancel } from '../../src/billing/terms/cancel.ts';
import { changeBillAt } from '../../src/billing/terms/bill-at.ts';
import { changePlan, takeBackChange } from '../../src/billing/terms/change-plan.ts';
import { changeTrial } from '../../src/billing/terms/change-trial.ts';
import { previewCancel, previewChange } from '../../src/billing/previews/change-preview.ts';
import { changeTerms } from '../../src/domain/subscription/change-terms.ts';
import { findSubscription } from '../../src/db/subscriptions/subscriptions.ts';
import { PlanChangePreview, SubscriptionObject, type Subscription } from '../../src/objects/subscription.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import type { Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/subscriptions.ts';
import { foundOr404 } from '../routing/found.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import {
  BillAt,
  CHANGE_TERMS,
  ChangeTime,
  orNull,
  PlanName,
  SentQuantities,
  Settle,
  TrialTime,
} from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

/** The subscription, whose workflow looks at its rows after the commit. */
export async function changedSubscription(
  { deps, db }: { deps: Deps; db: Db },
  key: { environment_id: number; subscription_id: string },
): Promise<RouteResponse<200, Subscription>> {
  return {
    status: 200,
    body: (await findSubscription(db, key.environment_id, key.subscription_id))!,
    after_commit: () => void deps.nudge([key], 'wake'),
  };
}

export const DRY_RUN = Type.Boolean({
  default: false,
  description: 'Return the invoices that follow, and store nothing.',
});

const cancel = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/cancel',
  operation_id: 'cancelSubscription',
  tag: 'Subscriptions',
  summary: 'Cancel a subscription now, at the end of its current period, or at another time',
  description:
    'The period ends at `at`, at most 366 days back; later usage is not billed, and what was billed after the end is credited. A later call ' +
    'replaces the end, also by a later one. A change of plan at the end or after it is dropped.',
  body: exactly({ at: { ...ChangeTime, default: 'period_end' }, settle: Settle, dry_run: DRY_RUN }),
  body_may_be_absent: true,
  examples: examples.cancel,
  refusals: ['not_found', 'conflict'],
  responses: { 200: Type.Union([SubscriptionObject, PlanChangePreview]) },
  // A preview makes bills, and an end in a billed period counts drafts again.
  may_take_long: ({ at, dry_run }) => dry_run || (at !== 'now' && at !== 'period_end'),
  handle: async ({ deps, db, caller, params, body: { dry_run, ...request } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (dry_run) return foundOr404(await previewCancel(db, key, request, deps.config));
    if ((await cancelSubscription(db, key, request, deps.config)) === null) throw notFoundError();
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
    plan_id: PlanName,
    at: ChangeTime,
    ...CHANGE_TERMS,
    take_back_grants: Type.Boolean({
      default: false,
      description:
        'What the plan that goes gave for the running period covers no usage from `at` on, neither by carry-over nor by days.',
    }),
    quantities: Type.Optional(SentQuantities),
    dry_run: DRY_RUN,
  }),
  examples: examples.change,
  refusals: ['not_found', 'conflict'],
  responses: { 200: Type.Union([SubscriptionObject, PlanChangePreview]) },
  may_take_long: ({ dry_run }) => dry_run,
  handle: async ({ deps, db, caller, params, body: { dry_run, ...body } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    const { quantities = {} } = body;
    const request = { ...body, ...changeTerms(body), quantities };
    if (dry_run) return foundOr404(await previewChange(db, key, request, deps.config));
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

const bill_at = route({
  method: 'patch',
  path: '/v1/subscriptions/{id}',
  operation_id: 'updateSubscription',
  tag: 'Subscriptions',
  summary: 'Set the usage at which the open part of a period is billed before its end; null takes it away',
  description:
    'The part is billed as by `close_now`, once its metered lines come to `bill_at`. It is at least an hour old then.',
  body: exactly({ bill_at: Type.Optional(orNull(BillAt)) }),
  examples: examples.billAt,
  refusals: ['not_found', 'conflict'],
  responses: { 200: SubscriptionObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (body.bill_at !== undefined && !(await changeBillAt(db, key, body.bill_at))) throw notFoundError();
    return foundOr404(await findSubscription(db, environment_id, key.subscription_id));
  },
});

/** The routes that change the end, the trial, the plan and the threshold of a subscription. */
export const termsRoutes = { bill_at, cancel, change, take_back, take_back_cancel, trial };
