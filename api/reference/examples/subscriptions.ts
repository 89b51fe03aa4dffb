import type { Examples } from '../../routing/route.ts';
import { PLAN, SUBSCRIPTION, TOKENS_PLAN, TRIAL_SUBSCRIPTION } from './ids.ts';
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
  pending_change: null,
  timezone: 'UTC',
  current_period_start: '2026-01-01T00:00:00.000Z',
  current_period_end: '2026-02-01T00:00:00.000Z',
  cancel_at: null,
  canceled_at: null,
  bill_at: null,
  attention: null,
  unbilled_since: null,
  workflow_id: `subscription-${SUBSCRIPTION}`,
};

const in_march = {
  ...subscription,
  current_period_start: '2026-03-01T00:00:00.000Z',
  current_period_end: '2026-04-01T00:00:00.000Z',
};

const in_trial = {
  ...subscription,
  id: TRIAL_SUBSCRIPTION,
  created_at: '2026-03-01T00:00:00.000Z',
  plan_id: TOKENS_PLAN,
  status: 'trialing',
  start_date: '2026-03-01T00:00:00.000Z',
  trial_end_date: '2026-03-15T00:00:00.000Z',
  current_period_start: '2026-03-01T00:00:00.000Z',
  current_period_end: '2026-03-15T00:00:00.000Z',
  workflow_id: `subscription-${TRIAL_SUBSCRIPTION}`,
};

export const create: Examples = {
  'From the first of January': {
    body: { customer_id: 'acme', plan_id: PLAN, start_date: '2026-01-01' },
    status: 201,
    response: subscription,
  },
  'With a trial of two weeks': {
    body: { customer_id: 'acme', plan_id: TOKENS_PLAN, trial_end_date: '2026-03-15' },
    status: 201,
    response: in_trial,
  },
};

export const trial: Examples = {
  'A week longer': {
    path: { id: TRIAL_SUBSCRIPTION },
    body: { ends_at: '2026-03-22' },
    status: 200,
    response: {
      ...in_trial,
      trial_end_date: '2026-03-22T00:00:00.000Z',
      current_period_end: '2026-03-22T00:00:00.000Z',
    },
  },
};

export const billAt: Examples = {
  'Billed at 500.00 of usage': {
    path: { id: TRIAL_SUBSCRIPTION },
    body: { bill_at: '500' },
    status: 200,
    response: {
      ...in_trial,
      trial_end_date: '2026-03-22T00:00:00.000Z',
      current_period_end: '2026-03-22T00:00:00.000Z',
      bill_at: '500.00',
    },
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

const CHANGED_AT = '2026-01-16T00:00:00.000Z';
const [line] = upcoming.line_items;

export const change: Examples = {
  'To a plan by tokens, as a preview': {
    path: { id: SUBSCRIPTION },
    body: { plan_id: TOKENS_PLAN, at: '2026-01-16', dry_run: true },
    status: 200,
    response: {
      object: 'plan_change_preview',
      closing: {
        ...upcoming,
        period_end: CHANGED_AT,
        line_items: [
          {
            ...line,
            description: 'API calls: 3 events, 2 of them covered by credit, from 1 to 15 January 2026',
            period_end: CHANGED_AT,
          },
        ],
      },
      opening: null,
      upcoming: {
        ...upcoming,
        plan_id: TOKENS_PLAN,
        period_start: CHANGED_AT,
        line_items: [],
        subtotal: '0.00',
        tax: { ...upcoming.tax, amount: '0.00' },
        total: '0.00',
        credits_applied: '0',
      },
      credit_notes: [],
      due: upcoming.total,
    },
  },
  'At the end of the period': {
    path: { id: SUBSCRIPTION },
    body: { plan_id: TOKENS_PLAN, at: 'period_end', take_back_grants: true },
    status: 200,
    response: { ...in_march, pending_change: { plan_id: TOKENS_PLAN, at: in_march.current_period_end } },
  },
};

export const takeBack: Examples = {
  'The plan goes on': { path: { id: SUBSCRIPTION }, status: 200, response: in_march },
};

export const periods: Examples = {
  'The first month': {
    path: { id: SUBSCRIPTION },
    status: 200,
    response: page({
      kind: 'billing',
      plan_id: PLAN,
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      invoice_id: null,
      opening_invoice_id: null,
    }),
  },
};

export const cancel: Examples = {
  'At the end of the period': {
    path: { id: SUBSCRIPTION },
    body: { at: 'period_end' },
    status: 200,
    response: { ...in_march, cancel_at: in_march.current_period_end },
  },
  'In the middle of the month, in its place': {
    path: { id: SUBSCRIPTION },
    body: { at: '2026-03-16' },
    status: 200,
    response: {
      ...in_march,
      cancel_at: '2026-03-16T00:00:00.000Z',
      current_period_end: '2026-03-16T00:00:00.000Z',
    },
  },
};

export const takeBackCancel: Examples = {
  'The subscription goes on': { path: { id: SUBSCRIPTION }, status: 200, response: in_march },
};
