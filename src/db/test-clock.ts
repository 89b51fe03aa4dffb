import { invalid } from '../domain/errors.ts';
import { boundary, countPeriodEnds, type Schedule } from '../domain/period.ts';
import { lockCustomer } from './customers.ts';
import type { StoredPeriod } from './periods.ts';
import { CUSTOMER_NOW } from './customer-now.ts';
import type { Db } from './pool.ts';

export const ADVANCE_YEARS_MAX = 5;
export const ADVANCE_PERIODS_MAX = 100;

type CustomerKey = { environment_id: number; customer_id: string };

/**
 * Sets where a customer's clock is going, and from the first time on lets it stand still between advances. An advance that was
 * cut off goes on when it is asked for again. Throws invalid_request for a step back (`clock_moved_back`), for more than five years
 * (`out_of_range`) and for more than 100 periods (`too_many_periods`).
 */
export async function beginAdvance(
  db: Db,
  key: CustomerKey,
  advance: { to: string; hold_drafts: boolean },
): Promise<void> {
  const { to, hold_drafts } = advance;
  await lockCustomer(db, key.environment_id, key.customer_id);
  const { rows } = await db.query<{ now: string; target: string | null }>(
    `select ${CUSTOMER_NOW} as now, c.test_clock_target as target from customers c where environment_id = $1 and id = $2`,
    [key.environment_id, key.customer_id],
  );
  const { now, target } = rows[0]!;
  const earliest = target ?? now;
  if (to < earliest)
    throw invalid('to', 'clock_moved_back', `to must not be before the customer's time, ${earliest}`);
  const limit = boundary(now, 'year', ADVANCE_YEARS_MAX, 1);
  if (to > limit)
    throw invalid('to', 'out_of_range', `to must be at most ${ADVANCE_YEARS_MAX} years ahead, ${limit}`);
  await refuseTooManyPeriods(db, key, to);
  await db.query(
    `update customers c set test_clock = ${CUSTOMER_NOW}, test_clock_target = $3, hold_drafts = $4,
       test_clock_reported = coalesce(c.test_clock_reported, ${CUSTOMER_NOW})
     where environment_id = $1 and id = $2`,
    [key.environment_id, key.customer_id, to, hold_drafts],
  );
  if (!hold_drafts) await releaseHeldDrafts(db, key, now);
}

/**
 * Marks the invoices of periods that end by `to` as reported by the caller's answer, and returns after which end they begin: of
 * several advances that walked together one reports them. What had ended when the clock first stood still is nobody's.
 */
export async function claimReport(db: Db, key: CustomerKey, to: string): Promise<string> {
  await lockCustomer(db, key.environment_id, key.customer_id);
  const { rows } = await db.query<{ reported: string }>(
    `with before as (select test_clock_reported as reported from customers where environment_id = $1 and id = $2)
     update customers set test_clock_reported = greatest(test_clock_reported, $3) from before
     where environment_id = $1 and id = $2 returning before.reported`,
    [key.environment_id, key.customer_id, to],
  );
  return rows[0]!.reported;
}

async function refuseTooManyPeriods(db: Db, key: CustomerKey, to: string): Promise<void> {
  const { rows } = await db.query<OpenPeriod>(
    `select s.start_date, s.trial_end_date, s.billing_anchor, s.cancel_at, pl.interval, pl.interval_count, p.kind, p.period_start, p.period_end
     from subscriptions s
     join plans pl on pl.environment_id = s.environment_id and pl.id = s.plan_id
     join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
     where s.environment_id = $1 and s.customer_id = $2`,
    [key.environment_id, key.customer_id],
  );
  let periods = 0;
  for (const open of rows) periods += endsBy(open, to);
  if (periods <= ADVANCE_PERIODS_MAX) return;
  const message = `more than ${ADVANCE_PERIODS_MAX} periods end by ${to}; advance in smaller steps`;
  throw invalid('to', 'too_many_periods', message);
}

type OpenPeriod = Schedule &
  Pick<StoredPeriod, 'kind' | 'period_start' | 'period_end'> & { cancel_at: string | null };

/** How many periods end by `to`, from the open one on, the time of late usage after a cancellation included. */
function endsBy(open: OpenPeriod, to: string): number {
  const { kind, period_start, period_end, cancel_at } = open;
  if (kind === 'late') return period_end <= to ? 1 : 0;
  // The end of a trial makes no invoice.
  const after = kind === 'trial' ? period_end : period_start;
  const isCanceled = cancel_at !== null && cancel_at <= to;
  const ends = countPeriodEnds(open, {
    after,
    up_to: isCanceled ? cancel_at : to,
    limit: ADVANCE_PERIODS_MAX,
  });
  // A period that is cut short, and the late usage after it.
  return isCanceled ? ends + 2 : ends;
}

/** An advance without hold_drafts ends the hold of what earlier ones left as drafts. */
async function releaseHeldDrafts(db: Db, key: CustomerKey, now: string): Promise<void> {
  await db.query(
    `update invoices set hold_until = $3
     where environment_id = $1 and customer_id = $2 and status = 'draft' and hold_until > $3`,
    [key.environment_id, key.customer_id, now],
  );
}

/**
 * Subscriptions with work that is due at the customer's time, which must be done before the clock may move on: a period that has
 * ended, a draft whose hold is over, or one that does not show its credit yet. Parked ones wait for a person instead.
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
             and p.period_end <= ${CUSTOMER_NOW})
         or exists (
           select from invoices i
           where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status = 'draft'
             and (i.hold_until <= ${CUSTOMER_NOW} or i.credit_revision < i.usage_revision)))
     order by s.id`,
    [key.environment_id, key.customer_id],
  );
  return rows.map(({ id }) => id);
}

/**
 * Moves the clock to the next end of a period on its way, or to where it was going, unless something is due where it stands.
 * Returns true when it has arrived. One end at a time, so that the periods of all subscriptions are billed in the order of their
 * ends; under the customer's lock, so that of two advances that walk together neither passes the other by.
 */
export async function stepClock(db: Db, key: CustomerKey): Promise<boolean> {
  await lockCustomer(db, key.environment_id, key.customer_id);
  if ((await dueSubscriptions(db, key)).length > 0) return false;
  const { rows } = await db.query<{ arrived: boolean }>(
    `with next as (
       select min(p.period_end) as period_end from periods p
       join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       where s.environment_id = $1 and s.customer_id = $2 and s.attention is null
         and p.closed_at is null and p.period_end > c.test_clock and p.period_end < c.test_clock_target
     )
     update customers c set test_clock = coalesce(next.period_end, c.test_clock_target, c.test_clock),
       test_clock_target = case when next.period_end is null then null else c.test_clock_target end
     from next where c.environment_id = $1 and c.id = $2
     returning c.test_clock_target is null as arrived`,
    [key.environment_id, key.customer_id],
  );
  return rows[0]!.arrived;
}
