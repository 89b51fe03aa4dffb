import type { PlanSchedule } from '../../domain/subscription/plan-phase.ts';
import { notFound } from '../../domain/money/errors.ts';
import { lockNamedCustomer } from '../customers/customers.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';
import { subscriptionsOfCustomer } from './live-subscriptions.ts';
import { NOTICE_TIMES, noteNotices } from './notices.ts';
import { noteStatusesOf } from './noted-status.ts';
import { PLAN_SCHEDULE } from './plan-changes.ts';
import { REMINDER_TIMES } from './reminder-times.ts';

export type CustomerKey = { environment_id: number; customer_id: string };

/** Locks the customer whose clock is to move. Throws not_found if it was deleted since it was looked up. */
export async function lockClock(db: Db, { environment_id, customer_id }: CustomerKey): Promise<void> {
  if ((await lockNamedCustomer(db, environment_id, customer_id)) === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
}

/** The customer's time, and the target of an advance that has not arrived; null if there is none. */
export async function readClock(db: Db, key: CustomerKey): Promise<{ now: string; target: string | null }> {
  const { rows } = await db.query<{ now: string; target: string | null }>(
    `select ${CUSTOMER_NOW} as now, c.test_clock_target as target from customers c
     where environment_id = $1 and id = $2`,
    [key.environment_id, key.customer_id],
  );
  return rows[0]!;
}

/** Sets the target of the clock and stops the clock if it runs. `hold_drafts` is for the drafts of this advance. */
export async function setClockTarget(
  db: Db,
  key: CustomerKey,
  { to, hold_drafts }: { to: string; hold_drafts: boolean },
): Promise<void> {
  await db.query(
    `update customers c set test_clock = ${CUSTOMER_NOW}, test_clock_target = $3, hold_drafts = $4,
       test_clock_reported = coalesce(c.test_clock_reported, ${CUSTOMER_NOW})
     where environment_id = $1 and id = $2`,
    [key.environment_id, key.customer_id, to, hold_drafts],
  );
}

/**
 * Claims the invoices of periods that end by `to` for this caller's response. Returns the instant after which their
 * ends begin, and the ids of those that were made before the clock moved. Of several concurrent advances, one alone
 * reports each invoice. Periods that had ended when the clock was first stopped are never reported.
 */
export async function claimReport(
  db: Db,
  key: CustomerKey,
  to: string,
): Promise<{ after: string; invoice_ids: string[] }> {
  await lockClock(db, key);
  const { rows } = await db.query<{ after: string; invoice_ids: string[] }>(
    `with before as (
       select test_clock_reported as after, test_clock_unreported as invoice_ids from customers
       where environment_id = $1 and id = $2)
     update customers set test_clock_reported = greatest(test_clock_reported, $3), test_clock_unreported = '{}'
     from before where environment_id = $1 and id = $2 returning before.after, before.invoice_ids`,
    [key.environment_id, key.customer_id, to],
  );
  return rows[0]!;
}

/** True until the running advance moves the clock: it stands where the last response left it. */
export async function isBeforeMove(db: Db, key: CustomerKey): Promise<boolean> {
  const { rows } = await db.query<{ is_before: boolean }>(
    `select test_clock <= test_clock_reported as is_before from customers where environment_id = $1 and id = $2`,
    [key.environment_id, key.customer_id],
  );
  return rows[0]!.is_before;
}

/** Keeps invoices whose periods end where the clock stands for the response of the advance that made them. */
export async function keepForReport(db: Db, key: CustomerKey, invoice_ids: readonly string[]): Promise<void> {
  await db.query(
    `update customers set test_clock_unreported = test_clock_unreported || $3 where environment_id = $1 and id = $2`,
    [key.environment_id, key.customer_id, invoice_ids],
  );
}

/** The open period of a subscription, with its schedule and its cancellation. */
export type OpenPeriod = PlanSchedule &
  Pick<StoredPeriod, 'kind' | 'period_start' | 'period_end'> & { cancel_at: string | null };

/** The open periods of a customer's subscriptions, one each. */
export async function openPeriodsOf(db: Db, key: CustomerKey): Promise<OpenPeriod[]> {
  const { rows } = await db.query<OpenPeriod>(
    `select ${PLAN_SCHEDULE}, s.cancel_at, p.kind, p.period_start, p.period_end
     from subscriptions s
     join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
     where s.environment_id = $1 and s.customer_id = $2`,
    [key.environment_id, key.customer_id],
  );
  return rows;
}

/** Stops the clock of a customer at an instant, for a preview that is rolled back. */
export async function setClock(
  db: Db,
  { environment_id, customer_id }: CustomerKey,
  at: string,
): Promise<void> {
  await db.query('update customers set test_clock = $3 where environment_id = $1 and id = $2', [
    environment_id,
    customer_id,
    at,
  ]);
}

/** Ends the hold of drafts that earlier advances with `hold_drafts` left. */
export async function releaseHeldDrafts(db: Db, key: CustomerKey, now: string): Promise<void> {
  await db.query(
    `update invoices set hold_until = $3
     where environment_id = $1 and customer_id = $2 and status = 'draft' and hold_until > $3`,
    [key.environment_id, key.customer_id, now],
  );
}

/**
 * Subscriptions with work due at the customer's time: a period that has ended, or whose beginning is work, a draft
 * whose hold is over, a draft without provisional credit, or a quantity that has come. The clock must not move before
 * that work is done. Parked subscriptions are left out.
 */
export async function dueSubscriptions(db: Db, key: CustomerKey): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select s.id
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where s.environment_id = $1 and s.customer_id = $2 and s.attention is null
       and (exists (
           select from periods p
           where p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
             and (p.period_end <= ${CUSTOMER_NOW} or p.opened_at is null and p.period_start <= ${CUSTOMER_NOW}))
         or exists (
           select from invoices i
           where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status = 'draft'
             and (i.hold_until <= ${CUSTOMER_NOW} or i.credit_revision < i.usage_revision))
         or s.finished_at is null and exists (
           select from quantity_changes q
           where q.environment_id = s.environment_id and q.subscription_id = s.id and q.came_at is null
             and q.at <= ${CUSTOMER_NOW}))
     order by s.id`,
    [key.environment_id, key.customer_id],
  );
  return rows.map(({ id }) => id);
}

/** The notices of a customer that one step of the clock makes; the next step, or a sweep, makes the rest. */
const NOTICES_MAX = 10_000;

/**
 * Moves the clock to the next period end on its way, the next start with work, quantity, notice or day of a reminder,
 * or to the target; not while work is due. Returns true once the target is reached. One end at a time, so that the
 * periods of all subscriptions are billed in the order of their ends. Notes the statuses and makes the notices that are
 * due before it moves, and notices at the new time before that is billed. The customer's lock keeps one of two
 * concurrent advances from passing the other.
 */
export async function stepClock(db: Db, key: CustomerKey): Promise<boolean> {
  await lockClock(db, key);
  if ((await dueSubscriptions(db, key)).length > 0) return false;
  await noteDue(db, key);
  const arrived = await moveClock(db, key);
  await noteNotices(db, { customer_id: key.customer_id, limit: NOTICES_MAX });
  return arrived;
}

/** Notes the statuses and makes the notices that are due once everything is billed at the customer's time. */
export async function noteAtClock(db: Db, key: CustomerKey): Promise<void> {
  await lockClock(db, key);
  await noteDue(db, key);
}

/** Notes statuses before notices: a trial has ended before the notice of a renewal is due. */
async function noteDue(db: Db, { environment_id, customer_id }: CustomerKey): Promise<void> {
  const subscriptions = await subscriptionsOfCustomer(db, environment_id, customer_id);
  const ids = subscriptions.map(({ subscription_id }) => subscription_id);
  await noteStatusesOf(db, environment_id, ids);
  await noteNotices(db, { customer_id, limit: NOTICES_MAX });
}

async function moveClock(db: Db, key: CustomerKey): Promise<boolean> {
  const { rows } = await db.query<{ arrived: boolean }>(
    `with stop as (
       select b.at from periods p
       cross join lateral (
         values (p.period_end), (case when p.opened_at is null then p.period_start end)) as b(at)
       join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
       where s.environment_id = $1 and s.customer_id = $2 and s.attention is null and p.closed_at is null
       union all
       select q.at from quantity_changes q
       join subscriptions s on s.environment_id = q.environment_id and s.id = q.subscription_id
       where s.environment_id = $1 and s.customer_id = $2 and s.attention is null and s.finished_at is null
         and q.came_at is null
       union all ${NOTICE_TIMES}
       union all ${REMINDER_TIMES}
     ), next as (
       select min(stop.at) as at from customers c
       left join stop on stop.at > c.test_clock and stop.at < c.test_clock_target
       where c.environment_id = $1 and c.id = $2
     )
     update customers c set test_clock = coalesce(next.at, c.test_clock_target, c.test_clock),
       test_clock_target = case when next.at is null then null else c.test_clock_target end
     from next where c.environment_id = $1 and c.id = $2
     returning c.test_clock_target is null as arrived`,
    [key.environment_id, key.customer_id],
  );
  return rows[0]!.arrived;
}
