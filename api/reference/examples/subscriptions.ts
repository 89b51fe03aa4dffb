import type { Examples } from '../../routing/route.ts';
import { PLAN, SUBSCRIPTION } from './ids.ts';
import { upcoming } from './invoice.ts';
import { page } from './list.ts';

const subscription = {
  id: SUBSCRIPTION,
  object: 'subscription',
  livemode: false,
  created_at: '2026-01-01T00:00:00.000Z',
  customer_id: 'acme',
  plan_id: PLAN,
  status: 'active',
  start_date: '2026-01-01T00:00:00.000Z',
  trial_end_date: null,
  billing_anchor: null,
  timezone: 'UTC',
  current_period_start: '2026-01-01T00:00:00.000Z',
  current_period_end: '2026-02-01T00:00:00.000Z',
  cancel_at: null,
  canceled_at: null,
  attention: null,
  unbilled_since: null,
  workflow_id: `subscription-${SUBSCRIPTION}`,
};

export const create: Examples = {
  'From the first of January': {
    body: { customer_id: 'acme', plan_id: PLAN, start_date: '2026-01-01' },
    status: 201,
    response: subscription,
  },
};

export const list: Examples = {
  'Active subscriptions of a customer': {
    query: { customer_id: 'acme', status: 'active' },
    status: 200,
    response: page(subscription),
  },
  'No subscription needs attention': { query: { attention: 'true' }, status: 200, response: page() },
};

export const wake: Examples = {
  'No failure to retry': { path: { id: SUBSCRIPTION }, status: 200, response: subscription },
};

export const read: Examples = {
  'A subscription in its first period': { path: { id: SUBSCRIPTION }, status: 200, response: subscription },
};

export const readUpcoming: Examples = {
  'Three calls, two of them covered by credit': {
    path: { id: SUBSCRIPTION },
    status: 200,
    response: upcoming,
  },
};

export const cancel: Examples = {
  'At the end of the period': {
    path: { id: SUBSCRIPTION },
    body: { at: 'period_end' },
    status: 200,
    response: {
      ...subscription,
      current_period_start: '2026-03-01T00:00:00.000Z',
      current_period_end: '2026-04-01T00:00:00.000Z',
      cancel_at: '2026-04-01T00:00:00.000Z',
    },
  },
};
