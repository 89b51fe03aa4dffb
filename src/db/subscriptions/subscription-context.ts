import type { Schedule } from '../../domain/period.ts';
import { taxTermsOf, type TaxTerms, type TaxTreatment } from '../../domain/tax.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

/** A subscription with the current values of customer, plan and account that billing needs. */
export type Subscription = Schedule & {
  environment_id: number;
  livemode: boolean;
  id: string;
  plan_id: string;
  plan_name: string;
  /** End of the subscription, past or future by the customer's clock. */
  cancel_at: string | null;
  attention: string | null;
  customer_id: string;
  customer_key: string;
  external_id: string;
  customer_name: string | null;
  customer_email: string | null;
  currency: string;
  tax: TaxTerms;
  /** Days from the issue to the due date. */
  net_days: number;
  /** The customer's now: the test clock, or the database's clock. */
  now: string;
  has_test_clock: boolean;
  /** The test clock is advancing: more periods will end soon. */
  advancing: boolean;
  hold_drafts: boolean;
  /** The customer has another subscription that is not finished. */
  has_siblings: boolean;
};

type SubscriptionRow = Omit<Subscription, 'tax'> & { tax_rate: string; tax_treatment: TaxTreatment };

/**
 * Locks a subscription and reads it; null if it does not exist. Two statements: a single statement that waits for the lock would read the
 * other columns from a snapshot as old as the wait.
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

/** Locks the customer of a subscription, then the subscription: the lock order of ARCHITECTURE.md, invariant 8. */
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

/** Reads a subscription without a lock; null if it does not exist. */
export async function readSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  const { rows } = await db.query<SubscriptionRow>(
    `select s.environment_id, n.livemode, s.id, s.plan_id, p.name as plan_name, s.start_date, s.trial_end_date,
       s.billing_anchor, s.timezone, s.cancel_at, s.attention, p.interval, p.interval_count,
       s.customer_id, c.key as customer_key, c.external_id, c.name as customer_name, c.email as customer_email,
       c.currency, trim_scale(coalesce(c.tax_rate, n.tax_rate))::text as tax_rate, c.tax_treatment,
       coalesce(c.net_days, n.net_days) as net_days,
       ${CUSTOMER_NOW} as now, c.test_clock is not null as has_test_clock,
       c.test_clock_target is not null as advancing, c.hold_drafts, exists (
         select from subscriptions o
         where o.environment_id = s.environment_id and o.customer_id = s.customer_id and o.id <> s.id
           and o.finished_at is null) as has_siblings
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     join plans p on p.environment_id = s.environment_id and p.id = s.plan_id
     join environments n on n.id = s.environment_id
     where s.environment_id = $1 and s.id = $2`,
    [environment_id, id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { tax_rate, tax_treatment, ...subscription } = row;
  return { ...subscription, tax: taxTermsOf(tax_treatment, tax_rate) };
}

/** Parks a subscription with a reason for a person to read; null unparks it. */
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

/** Sets the end of a subscription, past or future. */
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

/** Number of parked subscriptions in all accounts, by environment. */
export async function countAttention(db: Db): Promise<{ test: number; live: number }> {
  const { rows } = await db.query<{ test: number; live: number }>(
    `select count(*) filter (where not n.livemode)::integer as test, count(*) filter (where n.livemode)::integer as live
     from subscriptions s join environments n on n.id = s.environment_id
     where s.attention is not null and s.finished_at is null`,
  );
  return rows[0]!;
}

/** Finishes a subscription: every period is billed, and no workflow runs for it any more. */
export async function finishSubscription(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `update subscriptions set finished_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and finished_at is null`,
    [environment_id, id],
  );
}
