import type { Subscription } from '../../domain/subscription/subscription.ts';
import type { UnusedTime } from '../../domain/subscription/change-terms.ts';
import { phaseAt } from '../../domain/subscription/plan-phase.ts';
import { taxTermsOf, type TaxTreatment } from '../../domain/money/tax.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';
import { HAS_NEW_STATUS } from './noted-status.ts';
import { PLAN_SCHEDULE } from './plan-changes.ts';

type SubscriptionRow = Omit<Subscription, 'tax' | 'plan_id'> & {
  tax_rate: string;
  tax_treatment: TaxTreatment;
};

/**
 * Locks a subscription and reads it; null if it does not exist. Two statements: a single statement that waits for the
 * lock would read the other columns from a snapshot as old as the wait.
 */
export async function lockSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  await lockSubscriptions(db, environment_id, [id]);
  return readSubscription(db, environment_id, id);
}

/** Locks the customer of a subscription, then the subscription: the lock order of ARCHITECTURE.md, invariant 8. */
export async function lockCustomerAndSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  await lockCustomersOf(db, environment_id, [id]);
  return lockSubscription(db, environment_id, id);
}

/** Locks subscriptions in the order of their ids. */
export async function lockSubscriptions(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    'select from subscriptions where environment_id = $1 and id = any($2) order by id for no key update',
    [environment_id, ids],
  );
}

/** Locks all subscriptions of a customer, whose lock the caller holds. */
export async function lockSubscriptionsOf(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<void> {
  await db.query(
    'select from subscriptions where environment_id = $1 and customer_id = $2 order by id for no key update',
    [environment_id, customer_id],
  );
}

/** Locks the customers of subscriptions in the order of their ids; call it before any other lock on their rows. */
export async function lockCustomersOf(
  db: Db,
  environment_id: number,
  subscription_ids: readonly string[],
): Promise<void> {
  await db.query(
    `select from customers
     where environment_id = $1
       and id in (select customer_id from subscriptions where environment_id = $1 and id = any($2))
     order by id for no key update`,
    [environment_id, subscription_ids],
  );
}

/**
 * Locks customers, then subscriptions, that no other transaction has locked, and of each customer the first
 * subscription of `ids`, because two of them share credit and balance. Returns the ids of these; waits for no lock.
 */
export async function lockWhatIsFree(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows: customers } = await db.query<{ id: string }>(
    `select id from customers
     where environment_id = $1
       and id in (select customer_id from subscriptions where environment_id = $1 and id = any($2))
     order by id for no key update skip locked`,
    [environment_id, ids],
  );
  const { rows } = await db.query<{ id: string; customer_id: string }>(
    `select id, customer_id from subscriptions
     where environment_id = $1 and id = any($2) and customer_id = any($3) order by id for no key update skip locked`,
    [environment_id, ids, customers.map(({ id }) => id)],
  );
  const customer_of = new Map(rows.map(({ id, customer_id }) => [id, customer_id]));
  const subscription_of = new Map<string, string>();
  for (const id of ids) {
    const customer_id = customer_of.get(id);
    if (customer_id !== undefined && !subscription_of.has(customer_id)) subscription_of.set(customer_id, id);
  }
  return new Set(subscription_of.values());
}

/** Reads a subscription without a lock; null if it does not exist. */
export async function readSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  const [subscription] = await readSubscriptions(db, environment_id, [id]);
  return subscription ?? null;
}

/** Reads subscriptions without a lock, in the order of their ids; leaves out what does not exist. */
export async function readSubscriptions(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Subscription[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `select s.environment_id, n.livemode, s.id, ${PLAN_SCHEDULE}, s.cancel_at, s.cancel_settle, s.settle_left_out,
       s.attention,
       s.bill_at::text as bill_at, s.billing_failed, s.customer_id, c.key as customer_key, c.external_id,
       c.name as customer_name, c.email as customer_email,
       c.currency, (
         select coalesce(jsonb_agg(jsonb_build_object('discount_id', d.id, 'name', d.name,
           'percent', trim_scale(d.percent)::text, 'amount', d.amount::text, 'event_names', d.event_names,
           'from', instant_text(d."from"), 'until', instant_text(d.until)) order by d.id), '[]')
         from discounts d
         where d.environment_id = s.environment_id and d.customer_id = s.customer_id
           and (d.subscription_id is null or d.subscription_id = s.id)) as discounts,
       trim_scale(coalesce(c.tax_rate, n.tax_rate))::text as tax_rate, c.tax_treatment,
       coalesce(c.net_days, n.net_days) as net_days, c.balance::text as balance,
       ${CUSTOMER_NOW} as now, c.test_clock is not null as has_test_clock,
       c.hold_drafts, exists (
         select from subscriptions o
         where o.environment_id = s.environment_id and o.customer_id = s.customer_id and o.id <> s.id
           and o.finished_at is null) as has_siblings, ${HAS_NEW_STATUS} as has_new_status,
       s.cancel_at <= coalesce(s.trial_end_date, s.start_date) is true and exists (
         -- Before it ends no invoice has them.
         select from invoice_items x
         where x.environment_id = s.environment_id and x.subscription_id = s.id and x.deleted_at is null
       ) as ends_with_items, exists (
         select from quantity_changes q where q.environment_id = s.environment_id and q.subscription_id = s.id
       ) as has_quantities, due.*
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     join environments n on n.id = s.environment_id
     cross join lateral (
       select coalesce(bool_or(q.at <= ${CUSTOMER_NOW}), false) as has_quantity_to_settle,
         min(q.at) filter (where q.at > ${CUSTOMER_NOW}) as next_quantity_at
       from quantity_changes q
       where q.environment_id = s.environment_id and q.subscription_id = s.id and q.came_at is null) as due
     where s.environment_id = $1 and s.id = any($2) order by s.id`,
    [environment_id, ids],
  );
  return rows.map(({ tax_rate, tax_treatment, ...subscription }) => ({
    ...subscription,
    plan_id: phaseAt(subscription, subscription.now).plan_id,
    tax: taxTermsOf(tax_treatment, tax_rate),
  }));
}

/** Parks a subscription with a reason for a person to read. */
export async function setAttention(
  db: Db,
  environment_id: number,
  id: string,
  attention: string,
): Promise<void> {
  await db.query(
    'update subscriptions set attention = $3, billing_failed = true where environment_id = $1 and id = $2',
    [environment_id, id, attention],
  );
}

/**
 * Sets the end of a subscription, past or future, and the use of unused time of fees in advance; null takes the end
 * away. Where a change of plan has come at this instant, the fees of the plan before have ended by its `settle`, which
 * they keep (billing.md 10).
 */
export async function setCancelAt(
  db: Db,
  { environment_id, id, now }: Pick<Subscription, 'environment_id' | 'id' | 'now'>,
  { cancel_at, settle }: { cancel_at: string | null; settle: UnusedTime },
): Promise<void> {
  await db.query(
    `update subscriptions s set cancel_at = $3, settle_left_out = $4, cancel_settle = coalesce((
       select x.settle from plan_changes x
       where x.environment_id = s.environment_id and x.subscription_id = s.id and x.at = $3 and x.at <= $5
         and x.proration <> 'none'), $4)
     where s.environment_id = $1 and s.id = $2`,
    [environment_id, id, cancel_at, settle, now],
  );
}

/** Sets the end of a trial; `is_day` if it was sent as a day, which then holds for an anchor that follows the trial. */
export async function setTrialEnd(
  db: Db,
  { environment_id, id }: Pick<Subscription, 'environment_id' | 'id'>,
  { trial_end_date, is_day }: { trial_end_date: string; is_day: boolean },
): Promise<void> {
  await db.query(
    `update subscriptions
     set trial_end_date = $3, anchor_is_day = case when billing_anchor is null then $4 else anchor_is_day end
     where environment_id = $1 and id = $2`,
    [environment_id, id, trial_end_date, is_day],
  );
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

/**
 * Finishes subscriptions: every period is billed, and no workflow runs for them any more. Returns the ids of those that
 * were not finished.
 */
export async function finishSubscriptions(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<{ id: string }>(
    `update subscriptions set finished_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = any($2) and finished_at is null returning id`,
    [environment_id, ids],
  );
  return rows.map(({ id }) => id);
}

/** Returns parked subscriptions to billing, which tries them again. */
export async function clearAttention(db: Db, environment_id: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('update subscriptions set attention = null where environment_id = $1 and id = any($2)', [
    environment_id,
    ids,
  ]);
}

/** Notes that subscriptions which were parked are billed again. */
export async function noteRecovery(db: Db, environment_id: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query(
    'update subscriptions set billing_failed = false where environment_id = $1 and id = any($2) and billing_failed',
    [environment_id, ids],
  );
}
