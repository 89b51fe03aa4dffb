import type { CheckInputs } from '../../../src/db/invariants/check.ts';
import type { Workflows } from '../../../src/db/invariants/invariant.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import { change, copyRow, insertEvent, WRITTEN_EVENT, type Plant } from './plant.ts';

function workflows(now: Db, parts: Partial<Workflows> = {}): CheckInputs {
  const none = { running: new Set<string>(), stateOf: () => Promise.resolve(null), now };
  return { acknowledged: null, workflows: { ...none, ...parts } };
}

/** Faults of periods, of their billing and of workflows. */
export const PERIODS_PLANTS: readonly Plant[] = [
  {
    invariant: 'I11',
    what: 'a period that ends between two boundaries',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `update periods set period_end = period_end - interval '1 day'
         where subscription_id = $1 and closed_at is null`,
      ),
  },
  {
    invariant: 'I11',
    what: 'a period of another time zone: in Morocco the clocks change during Ramadan, from 15 February to 22 March 2026',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `update subscriptions set timezone = 'Africa/Casablanca' where id = $1`,
      ),
  },
  {
    invariant: 'I11',
    what: 'no period where the last one ended',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        'delete from periods where subscription_id = $1 and closed_at is null',
      ),
  },
  {
    invariant: 'I11',
    what: 'days for late usage of a subscription that has not ended',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `insert into periods (environment_id, subscription_id, period_start, period_end, kind, interval_start,
           interval_end, full_period_start, plan_id, closed_at)
         select environment_id, subscription_id, period_start + interval '1 year', period_end + interval '1 year',
           'late', interval_start, interval_end, period_start + interval '1 year', plan_id, now()
         from periods where subscription_id = $1 and closed_at is null`,
      ),
  },
  {
    invariant: 'I12',
    what: 'a closed period without an invoice',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `update customers set test_clock = '2026-02-02'
         where id = (select customer_id from subscriptions where id = $1)`,
        'delete from line_items where subscription_id = $1',
        'delete from invoices where subscription_id = $1',
      ),
  },
  {
    invariant: 'I12',
    what: 'a period that nobody closed',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `update customers set test_clock = '2026-03-01T00:06Z'
         where id = (select customer_id from subscriptions where id = $1)`,
      ),
  },
  {
    invariant: 'I12',
    what: 'a period whose beginning nobody worked off',
    plant: (db, { held }) =>
      change(
        db,
        held.subscription_id,
        'update periods set opened_at = null where subscription_id = $1 and closed_at is null',
      ),
  },
  {
    invariant: 'I12',
    what: 'a draft that nobody issued',
    plant: (db, { held }) =>
      change(
        db,
        held.id,
        `update invoices set hold_until = now() - interval '1 hour', created_at = now() - interval '2 hours'
         where id = $1`,
      ),
  },
  {
    invariant: 'I23',
    what: 'a live subscription without a workflow',
    // The ledger's own subscriptions are too young: the check allows a new one time to get its workflow.
    plant: async (db, { draft }) => {
      const old = 'sub_00000000000000000000000001';
      await copyRow(db, 'subscriptions', { id: draft.subscription_id }, { id: old });
      await copyRow(
        db,
        'periods',
        { subscription_id: draft.subscription_id, period_start: draft.period_start },
        { subscription_id: old, closed_at: null },
      );
      return old;
    },
    options: (db) => workflows(db),
  },
  {
    invariant: 'I23',
    what: 'a workflow that outlived its subscription',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `update subscriptions set finished_at = now() - interval '2 minutes' where id = $1`,
      ),
    options: (db, { draft }) =>
      workflows(db, {
        running: new Set([draft.subscription_id]),
        stateOf: () => Promise.resolve({ is_running: true, for_ms: 120_000 }),
      }),
  },
  {
    invariant: 'I35',
    what: 'an event in time that a closed period never billed',
    plant: async (db, { customer, issued }) => {
      await insertEvent(db, { ...WRITTEN_EVENT, customer_key: customer.key });
      return change(
        db,
        issued.subscription_id,
        `update periods set late_window_closed_at = now(), late_usage_until = now() + interval '1 day'
         where subscription_id = $1 and closed_at is not null`,
      );
    },
  },
];
