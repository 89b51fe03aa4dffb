import { randomUUID } from 'node:crypto';
import type { Aggregation, Charge, Filters } from '../../../src/domain/pricing/charge.ts';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import {
  aggregateUsage,
  applyCredits,
  issueInvoice,
  type BillingStep,
} from '../../../src/billing/close/draft.ts';
import { uuidOfKey } from '../../../src/db/events/event-id.ts';
import { insertWithKeys } from '../../../src/db/events/event-keys.ts';
import { lockedTerms } from '../../../src/db/customers/customer-terms.ts';
import { findInvoice, findPeriodInvoice } from '../../../src/db/invoicing/invoices.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { openFirstPeriod } from '../../../src/db/subscriptions/periods.ts';
import { createPool, transaction, type Db, type Pool } from '../../../src/db/connection/pool.ts';
import { insertSubscription } from '../../../src/db/subscriptions/subscriptions.ts';
import { newId } from '../../../src/keys/ids.ts';
import { createDatabase } from '../servers/cluster.ts';
import { TIERS } from './tiers.ts';
import { firstPhase } from '../../../src/domain/subscription/plan-phase.ts';

/**
 * Builders that write rows as the API would, for tests of the code behind it. All rows are in live mode, where the grace period is
 * a setting.
 */
export const LIVE = 2;
export const NO_GRACE = { grace_period_ms: 0, late_usage_days: 35 };

/** An account with both environments, by default in a new database. The pool prepares its statements, as the worker's for bills. */
export async function aLedger(database_url?: string): Promise<Pool> {
  const pool = createPool(database_url ?? (await createDatabase()), 20, { is_prepared: true });
  await pool.query(`insert into accounts (id) values ('account')`);
  await pool.query(
    `insert into environments (account_id, livemode, name, currency)
     values ('account', false, 'Account', 'USD'), ('account', true, 'Account', 'USD')`,
  );
  return pool;
}

export type TestCharge = {
  event_name?: string;
  pricing: Charge['pricing'];
  aggregation?: Aggregation;
  filters?: Filters | null;
  group_by?: readonly string[];
};

export type TestCustomer = { id: string; key: string };

/** A live customer; its external_id is its id and `-external`. By default its time zone is that of the environment, UTC. */
export async function aCustomer(
  db: Db,
  options: { currency?: string; tax_rate?: string; timezone?: string } = {},
): Promise<TestCustomer> {
  const id = newId('cus');
  const { rows } = await db.query<{ key: string }>(
    `insert into customers (environment_id, id, external_id, currency, tax_rate, timezone, metadata, created_at)
     values ($1, $2, $2 || '-external', $3, $4, $5, '{}', now()) returning key`,
    [LIVE, id, options.currency ?? 'USD', options.tax_rate ?? '0', options.timezone ?? null],
  );
  return { id, key: rows[0]!.key };
}

export const GRADUATED: Pricing = { pricing_model: 'graduated', tiers: TIERS };
export const PER_UNIT: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

/** A monthly plan; returns its id. Charges count `api_call` events by default. */
export async function aPlan(db: Db, charges: readonly TestCharge[], currency = 'USD'): Promise<string> {
  const id = newId('plan');
  await db.query(
    `insert into plans (environment_id, id, name, currency, interval, interval_count, metadata, created_at)
     values ($1, $2, 'Plan', $3, 'month', 1, '{}', now())`,
    [LIVE, id, currency],
  );
  for (const [position, charge] of charges.entries()) {
    const { event_name = 'api_call', pricing, aggregation, filters, group_by } = charge;
    await db.query(
      `insert into charges (environment_id, id, plan_id, position, event_name, aggregation, filters, pricing, group_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        LIVE,
        newId('chg'),
        id,
        position,
        event_name,
        aggregation ?? { type: 'count' },
        filters ?? null,
        pricing,
        group_by === undefined ? null : JSON.stringify(group_by),
      ],
    );
  }
  return id;
}

/** A monthly subscription in the customer's time zone, by default from 1 January 2026 in UTC. */
export async function aSubscription(
  pool: Pool,
  customer: TestCustomer,
  plan_id: string,
  start_date = '2026-01-01T00:00:00.000Z',
  billing_anchor: string | null = null,
): Promise<string> {
  const id = newId('sub');
  const dates = { start_date, trial_end_date: null, billing_anchor, anchor_is_day: false };
  await transaction(pool, async (db) => {
    const { timezone } = (await lockedTerms(db, LIVE, customer.id))!;
    const subscription = { id, customer_id: customer.id, plan_id, ...dates, timezone };
    await insertSubscription(db, LIVE, { ...subscription, created_at: start_date, bill_at: null });
    const plan = {
      id: plan_id,
      interval: 'month',
      interval_count: 1,
      opens: false,
      minimum_amount: null,
    } as const;
    const schedule = { ...subscription, phases: [firstPhase(plan)], now: start_date };
    await openFirstPeriod(db, { environment_id: LIVE, subscription_id: id }, schedule);
  });
  return id;
}

/** A grant with its ledger entry; returns its id. By default it never expires and rolls over. */
export async function aGrant(
  db: Db,
  customer: TestCustomer,
  amount: number,
  options: { expires_at?: string | null; rollover?: boolean; created_at?: string } = {},
): Promise<string> {
  const id = newId('cg');
  const { expires_at = null, rollover = true, created_at = '2026-01-01T00:00:00.000Z' } = options;
  await db.query(
    `with made as (
       insert into credit_grants (environment_id, id, customer_id, amount, remaining, rollover, expires_at, created_at)
       values ($1, $2, $3, $4, $4, $5, $6, $7) returning id
     )
     insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
     select $1, id, 'granted', $4, $7 from made`,
    [LIVE, id, customer.id, amount, rollover, expires_at, created_at],
  );
  return id;
}

/** `created_at` is when the event was stored; default now. */
export type TestEvent = { timestamp: string; event_name?: string; properties?: object; created_at?: string };

/** Stores events with random idempotency keys, each an `api_call` by default. */
export async function post(db: Db, customer: TestCustomer, events: readonly TestEvent[]): Promise<void> {
  const rows = events.map((event) => {
    const idempotency_key = randomUUID();
    const key_hash = uuidOfKey(LIVE, idempotency_key);
    return { event_name: 'api_call', properties: {}, ...event, idempotency_key, key_hash };
  });
  await db.query(
    insertWithKeys(`insert into events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp,
       timestamp_given, created_at, properties)
     select key_hash, $1, $2, event_name, idempotency_key, timestamp, true, coalesce(created_at, now()), properties
     from jsonb_to_recordset($3) as event(key_hash uuid, idempotency_key text, event_name text, timestamp timestamptz,
       created_at timestamptz, properties jsonb)`),
    [LIVE, customer.key, JSON.stringify(rows)],
  );
}

/** n events in January 2026, one per second from midnight of the 2nd. */
export function january(n: number, properties: object = {}): TestEvent[] {
  const start = Date.parse('2026-01-02T00:00:00Z');
  return Array.from({ length: n }, (_, index) => ({
    timestamp: new Date(start + index * 1000).toISOString(),
    properties,
  }));
}

/** The billing step for January 2026. */
export function stepOf(subscription_id: string, revision = 1): BillingStep {
  return { environment_id: LIVE, subscription_id, period_start: '2026-01-01T00:00:00.000Z', revision };
}

/** Runs the three billing steps as the worker does, each in its own transaction. */
export async function runSteps(pool: Pool, step: BillingStep): Promise<void> {
  await transaction(pool, (db) => aggregateUsage(db, step, NO_GRACE));
  await transaction(pool, (db) => applyCredits(db, step, NO_GRACE));
  await transaction(pool, (db) => issueInvoice(db, step, NO_GRACE));
}

/** Runs the billing steps, and returns the invoice. Throws if they make none. */
export async function bill(pool: Pool, step: BillingStep): Promise<Invoice> {
  await runSteps(pool, step);
  return invoiceOf(pool, step);
}

/** The invoice of the step's period. Throws if there is none. */
export async function invoiceOf(pool: Pool, step: BillingStep): Promise<Invoice> {
  const found = await findPeriodInvoice(pool, step, step.period_start);
  return (await findInvoice(pool, step.environment_id, found!.id))!;
}
