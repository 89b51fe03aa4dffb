import type { Examples } from '../../routing/route.ts';
import { MIGRATION, PLAN, SUBSCRIPTION, TOKENS_PLAN } from './ids.ts';
import { page } from './list.ts';

const running = {
  id: MIGRATION,
  object: 'plan_migration',
  livemode: false,
  created_at: '2026-03-01T00:00:00.000Z',
  status: 'running',
  from_plan_id: PLAN,
  to_plan_id: TOKENS_PLAN,
  at: 'period_end',
  custom: false,
  total: 1,
  changed: 0,
  skipped: 0,
  failed: 0,
  taken_back: 0,
  finished_at: null,
};
const done = { ...running, status: 'done', changed: 1, finished_at: '2026-03-01T00:00:01.000Z' };

const MOVE = { from_plan_id: PLAN, to_plan_id: TOKENS_PLAN, at: 'period_end' };
const COMPARED = { current: '0.00', proposed: '0.00', difference: '0.00' };

export const create: Examples = {
  'A preview': {
    body: { ...MOVE, dry_run: true },
    status: 200,
    response: {
      object: 'plan_migration_preview',
      total: 1,
      ...COMPARED,
      data: [{ subscription_id: SUBSCRIPTION, customer_id: 'acme', ...COMPARED }],
      has_more: false,
    },
  },
  'All subscribers, each at the end of its period': { body: MOVE, status: 201, response: running },
};

export const read: Examples = {
  'One that is done': { path: { id: MIGRATION }, status: 200, response: done },
};

export const list: Examples = {
  'Newest first': { status: 200, response: page(done) },
};

export const outcomes: Examples = {
  'What was changed': {
    path: { id: MIGRATION },
    query: { status: 'changed' },
    status: 200,
    response: page({
      subscription_id: SUBSCRIPTION,
      customer_id: 'acme',
      status: 'changed',
      reason: null,
      details: null,
    }),
  },
};

export const takeBack: Examples = {
  'What is still scheduled': {
    path: { id: MIGRATION },
    status: 200,
    response: { ...done, status: 'taken_back', finished_at: null },
  },
};

export const stop: Examples = {
  'One that runs': {
    path: { id: MIGRATION },
    status: 200,
    response: {
      ...done,
      status: 'stopped',
      changed: 0,
      taken_back: 1,
      finished_at: '2026-03-01T00:00:02.000Z',
    },
  },
};
