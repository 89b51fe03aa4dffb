import { Type } from 'typebox';
import { cancelSubscription } from '../src/db/cancellation.ts';
import { fillUnknownExpiries } from '../src/db/credit-grants.ts';
import { findCustomer, lockCustomer } from '../src/db/customers.ts';
import { openFirstPeriod } from '../src/db/periods.ts';
import { findPlan } from '../src/db/plans.ts';
import type { Db } from '../src/db/pool.ts';
import {
  customerNow,
  findOverlap,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  type NewSubscription,
} from '../src/db/subscription-objects.ts';
import { conflict, invalid, notFound } from '../src/domain/errors.ts';
import { boundary } from '../src/domain/period.ts';
import { newId } from '../src/ids.ts';
import { nothingHere } from './errors.ts';
import * as shown from './examples/subscriptions.ts';
import { listAnswer } from './list.ts';
import { route } from './route.ts';
import {
  AnsweredInstant,
  answerObject,
  exactly,
  identity,
  Identifier,
  Instant,
  listOf,
  nullable,
  oneOf,
  PAGE,
} from './schemas.ts';

const STATUSES = ['pending', 'trialing', 'active', 'canceled'] as const;
const START_YEARS_BACK_MAX = 5;
const START_YEARS_AHEAD_MAX = 1;
const TRIAL_YEARS_MAX = 100;

const SubscriptionObject = answerObject('Subscription', {
  ...identity('subscription'),
  customer_id: Type.String(),
  plan_id: Type.String(),
  status: oneOf(STATUSES),
  start_date: AnsweredInstant,
  trial_end_date: nullable(AnsweredInstant),
  billing_anchor: nullable(AnsweredInstant),
  current_period_start: AnsweredInstant,
  current_period_end: AnsweredInstant,
  cancel_at: nullable(AnsweredInstant),
  canceled_at: nullable(AnsweredInstant),
  attention: nullable(Type.String({ description: 'Why it waits for a person.' })),
  workflow_id: Type.String(),
});

const create = route({
  method: 'post',
  path: '/v1/subscriptions',
  operation_id: 'createSubscription',
  tag: 'Subscriptions',
  summary: 'Give a customer a plan and start the billing cycle',
  body: exactly({
    customer_id: Identifier,
    plan_id: Identifier,
    start_date: Type.Optional(Instant),
    trial_end_date: Type.Optional(Instant),
    billing_anchor: Type.Optional(Instant),
  }),
  examples: shown.create,
  refusals: ['not_found'],
  answers: { 201: SubscriptionObject },
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id } = caller;
    const customer = await findCustomer(db, environment_id, body.customer_id);
    if (customer === null) throw notFound('customer_id', 'unknown_customer', 'customer_id names no customer');
    const plan = await findPlan(db, environment_id, body.plan_id);
    if (plan === null) throw notFound('plan_id', 'unknown_plan', 'plan_id names no plan');
    if (plan.currency !== customer.currency) {
      const message = `the plan bills in ${plan.currency}, the customer pays in ${customer.currency}`;
      throw invalid('plan_id', 'currency_mismatch', message);
    }
    await lockCustomer(db, environment_id, customer.id);
    const now = await customerNow(db, environment_id, customer.id);
    const subscription: NewSubscription = {
      id: newId('sub'),
      customer_id: customer.id,
      plan_id: plan.id,
      start_date: body.start_date ?? now,
      trial_end_date: body.trial_end_date ?? null,
      billing_anchor: body.billing_anchor ?? null,
      created_at: now,
    };
    refuseBadDates(subscription);
    await refuseOverlap(db, environment_id, subscription);
    await insertSubscription(db, environment_id, subscription);
    const key = { environment_id, subscription_id: subscription.id };
    const { interval, interval_count } = plan;
    await openFirstPeriod(db, key, { ...subscription, interval, interval_count });
    await fillUnknownExpiries(db, environment_id, customer.id);
    return {
      status: 201,
      body: (await findSubscription(db, environment_id, subscription.id))!,
      headers: { Location: `/v1/subscriptions/${subscription.id}` },
      after_commit: () => void deps.nudge([key], 'wake'),
    };
  },
});

function refuseBadDates({ start_date, trial_end_date, created_at: now }: NewSubscription): void {
  const earliest = boundary(now, 'year', START_YEARS_BACK_MAX, -1);
  const latest = boundary(now, 'year', START_YEARS_AHEAD_MAX, 1);
  if (start_date < earliest || start_date > latest) {
    throw invalid('start_date', 'out_of_range', `start_date must lie between ${earliest} and ${latest}`);
  }
  if (trial_end_date === null) return;
  if (trial_end_date <= start_date) {
    throw invalid('trial_end_date', 'out_of_order', `trial_end_date must be after the start, ${start_date}`);
  }
  const longest = boundary(start_date, 'year', TRIAL_YEARS_MAX, 1);
  if (trial_end_date > longest) {
    throw invalid('trial_end_date', 'out_of_range', `trial_end_date must not be after ${longest}`);
  }
}

async function refuseOverlap(db: Db, environment_id: number, wanted: NewSubscription): Promise<void> {
  const overlap = await findOverlap(db, environment_id, wanted);
  if (overlap === null) return;
  const { subscription_id, event_name } = overlap;
  const message = `${subscription_id} bills ${event_name} events of this customer already`;
  throw conflict('plan_id', 'overlapping_subscription', message);
}

const read = route({
  method: 'get',
  path: '/v1/subscriptions/{id}',
  operation_id: 'getSubscription',
  tag: 'Subscriptions',
  summary: 'One subscription',
  examples: shown.read,
  answers: { 200: SubscriptionObject },
  handle: async ({ db, caller, params }) => {
    const subscription = await findSubscription(db, caller.environment_id, params['id']!);
    if (subscription === null) throw nothingHere();
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
    status: Type.Optional(oneOf(STATUSES)),
    ...PAGE,
  }),
  examples: shown.list,
  answers: { 200: listOf(SubscriptionObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filters = { customer_id: query.customer_id ?? null, status: query.status ?? null };
    return listAnswer(request, {
      name: 'subscriptions',
      filters,
      fetch: (page) => listSubscriptions(db, caller.environment_id, { ...filters, ...page }),
      show: (subscription) => subscription,
    });
  },
});

const cancel = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/cancel',
  operation_id: 'cancelSubscription',
  tag: 'Subscriptions',
  summary: 'End a subscription now, or at the end of its current period',
  body: exactly({ at: oneOf(['now', 'period_end'], { default: 'period_end' }) }),
  body_may_be_absent: true,
  examples: shown.cancel,
  answers: { 200: SubscriptionObject },
  handle: async ({ deps, db, caller, params, body }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (!(await cancelSubscription(db, key, body.at, deps.config))) throw nothingHere();
    return {
      status: 200,
      body: (await findSubscription(db, environment_id, key.subscription_id))!,
      after_commit: () => void deps.nudge([key], 'wake'),
    };
  },
});

export const subscriptionRoutes = [create, list, read, cancel];
