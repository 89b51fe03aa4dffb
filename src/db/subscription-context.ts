import type { Schedule } from '../domain/period.ts';
import { CUSTOMER_NOW } from './customer-now.ts';
import type { Db } from './pool.ts';

/** A subscription with what its billing needs of customer, plan and account, as they are now. */
export type Subscription = Schedule & {
  environment_id: number;
  livemode: boolean;
  id: string;
  plan_id: string;
  plan_name: string;
  /** When it ends, or ended: the customer's clock says which. */
  cancel_at: string | null;
  attention: string | null;
  customer_id: string;
  customer_key: string;
  external_id: string;
  customer_name: string | null;
  customer_email: string | null;
  currency: string;
  tax_rate: string;
  /** The customer's time: the test clock's, or the database's. */
  now: string;
  has_test_clock: boolean;
  /** An advance of the test clock is under way: more periods end soon. */
  advancing: boolean;
  hold_drafts: boolean;
  /** The customer has another subscription that has not ended. */
  has_siblings: boolean;
};

/**
 * Locks a subscription and reads it; null where there is none. Two statements on purpose: a row that is read while it waits for
 * a lock is as old as the wait.
 */
export async function lockSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  await db.query('select 1 from subscriptions where environment_id = $1 and id = $2 for no key update', [
    environment_id,
    id,
  ]);
  return readSubscription(db, environment_id, id);
}

/** Locks the customer of a subscription, then the subscription: the order of ARCHITECTURE.md, invariant 8. */
export async function lockCustomerAndSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  await db.query(
    `select 1 from customers
     where environment_id = $1 and id = (select customer_id from subscriptions where environment_id = $1 and id = $2)
     for no key update`,
    [environment_id, id],
  );
  return lockSubscription(db, environment_id, id);
}

export async function readSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  const { rows } = await db.query<Subscription>(
    `select s.environment_id, n.livemode, s.id, s.plan_id, p.name as plan_name, s.start_date, s.trial_end_date, s.billing_anchor,
       s.cancel_at, s.attention, p.interval, p.interval_count,
       s.customer_id, c.key as customer_key, c.external_id, c.name as customer_name, c.email as customer_email,
       c.currency, trim_scale(coalesce(c.tax_rate, a.tax_rate))::text as tax_rate,
       ${CUSTOMER_NOW} as now, c.test_clock is not null as has_test_clock,
       c.test_clock_target is not null as advancing, c.hold_drafts, exists (
         select from subscriptions o
         where o.environment_id = s.environment_id and o.customer_id = s.customer_id and o.id <> s.id
           and o.finished_at is null) as has_siblings
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     join plans p on p.environment_id = s.environment_id and p.id = s.plan_id
     join environments n on n.id = s.environment_id
     join accounts a on a.id = n.account_id
     where s.environment_id = $1 and s.id = $2`,
    [environment_id, id],
  );
  return rows[0] ?? null;
}

/** Parks a subscription with a sentence for a person, or takes it out again (null). */
export async function setAttention(
  db: Db,
  environment_id: number,
  id: string,
  attention: string | null,
): Promise<void> {
  await db.query('update subscriptions set attention = $3 where environment_id = $1 and id = $2', [
    environment_id,
    id,
    attention,
  ]);
}

/** Sets when a subscription ends, or has ended. */
export async function setCancelAt(
  db: Db,
  environment_id: number,
  id: string,
  cancel_at: string,
): Promise<void> {
  await db.query('update subscriptions set cancel_at = $3 where environment_id = $1 and id = $2', [
    environment_id,
    id,
    cancel_at,
  ]);
}

/** How many wait for a person, in each environment of every account. */
export async function countAttention(db: Db): Promise<{ test: number; live: number }> {
  const { rows } = await db.query<{ test: number; live: number }>(
    `select count(*) filter (where not n.livemode)::integer as test, count(*) filter (where n.livemode)::integer as live
     from subscriptions s join environments n on n.id = s.environment_id
     where s.attention is not null and s.finished_at is null`,
  );
  return rows[0]!;
}

/** Marks the end: every period is billed and no workflow runs any more. */
export async function finishSubscription(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `update subscriptions set finished_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and finished_at is null`,
    [environment_id, id],
  );
}
