import {
  latePeriod,
  periodFollowing,
  type PeriodContext,
  type SubscriptionPeriod,
} from '../../domain/following-period.ts';
import { firstPeriod, type Period, type Schedule } from '../../domain/period.ts';
import type { Db } from '../connection/pool.ts';
import type { Subscription } from './subscription-context.ts';

export type StoredPeriod = SubscriptionPeriod & { closed_at: string | null };

/** SQL: the columns of a StoredPeriod. */
export const PERIOD_COLUMNS =
  'kind, period_start, period_end, interval_start, interval_end, full_period_start, closed_at';

export type PeriodKey = { environment_id: number; subscription_id: string };

/** Opens a subscription's first period: its trial, or its first billing period. */
export async function openFirstPeriod(db: Db, key: PeriodKey, schedule: Schedule): Promise<Period> {
  const period = firstPeriod(schedule);
  await insertPeriod(db, key, { ...period, full_period_start: period.period_start });
  return period;
}

/**
 * Closes a period and opens the next one. Compare-and-set: returns false if the period is closed already, so that only one of two
 * concurrent closes opens the next period.
 */
export async function closePeriod(
  db: Db,
  key: PeriodKey,
  period: StoredPeriod,
  context: PeriodContext,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update periods set closed_at = $4
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and closed_at is null`,
    [key.environment_id, key.subscription_id, period.period_start, context.now],
  );
  if (rowCount === 0) return false;
  const next = periodFollowing(period, context);
  if (next !== null) await insertPeriod(db, key, next);
  return true;
}

async function insertPeriod(db: Db, key: PeriodKey, period: SubscriptionPeriod): Promise<void> {
  await db.query(
    `insert into periods (environment_id, subscription_id, period_start, period_end, kind, interval_start, interval_end,
       full_period_start)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.environment_id,
      key.subscription_id,
      period.period_start,
      period.period_end,
      period.kind,
      period.interval_start,
      period.interval_end,
      period.full_period_start,
    ],
  );
}

/**
 * Ends the open period at the subscription's end, which is at or after `now`. An open period that would start at or after the end turns
 * into the late period if earlier periods were billed; otherwise it closes without an invoice.
 */
export async function endOpenPeriod(
  db: Db,
  key: PeriodKey,
  end: string,
  context: PeriodContext,
): Promise<void> {
  const period = await findOpenPeriod(db, key);
  if (period === null || period.period_end <= end) return;
  if (period.period_start < end) return setPeriodEnd(db, key, period, end);
  const late = (await hasBillingPeriodBefore(db, key, period.period_start))
    ? latePeriod(end, context.late_usage_days)
    : null;
  const left_out = late ?? period;
  await db.query(
    `update periods set kind = $4, period_end = $5, interval_start = $6, interval_end = $7, full_period_start = $8,
       closed_at = $9
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and closed_at is null`,
    [
      key.environment_id,
      key.subscription_id,
      period.period_start,
      left_out.kind,
      left_out.period_end,
      left_out.interval_start,
      left_out.interval_end,
      left_out.full_period_start,
      late === null ? context.now : null,
    ],
  );
}

/** Moves the end of an open period. Moved before its boundary, the period is cut in two; closing the first part opens the second. */
export async function setPeriodEnd(db: Db, key: PeriodKey, period: StoredPeriod, end: string): Promise<void> {
  await db.query(
    `update periods set period_end = $4
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and closed_at is null`,
    [key.environment_id, key.subscription_id, period.period_start, end],
  );
}

async function hasBillingPeriodBefore(db: Db, key: PeriodKey, instant: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from periods where environment_id = $1 and subscription_id = $2 and kind = 'billing'
       and period_start < $3 limit 1`,
    [key.environment_id, key.subscription_id, instant],
  );
  return rowCount === 1;
}

/** The open period; null if the subscription has ended. */
export async function findOpenPeriod(db: Db, key: PeriodKey): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${PERIOD_COLUMNS} from periods where environment_id = $1 and subscription_id = $2 and closed_at is null`,
    [key.environment_id, key.subscription_id],
  );
  return rows[0] ?? null;
}

/** A period by its start; null if it does not exist. */
export async function findPeriod(db: Db, key: PeriodKey, period_start: string): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${PERIOD_COLUMNS} from periods where environment_id = $1 and subscription_id = $2 and period_start = $3`,
    [key.environment_id, key.subscription_id, period_start],
  );
  return rows[0] ?? null;
}

/** A part of a full period; `is_void` if it is closed and has no invoice but void ones. */
export type Part = StoredPeriod & { is_void: boolean };

/** The billing parts of a full period in order; a single part if it was not cut. */
export async function partsOfFullPeriod(db: Db, key: PeriodKey, full_period_start: string): Promise<Part[]> {
  const { rows } = await db.query<Part>(
    `select ${PERIOD_COLUMNS}, closed_at is not null and not exists (
       select from invoices i
       where i.environment_id = $1 and i.subscription_id = $2 and i.period_start = p.period_start
         and i.status <> 'void') as is_void
     from periods p
     where environment_id = $1 and subscription_id = $2 and full_period_start = $3 and kind = 'billing'
     order by period_start`,
    [key.environment_id, key.subscription_id, full_period_start],
  );
  return rows;
}

/**
 * The first ended period to bill: not closed yet, or closed without an invoice except void ones. A closed trial needs no invoice; a closed
 * late period needs one only if it had one.
 */
export async function findUnbilledPeriod(
  db: Db,
  subscription: Pick<Subscription, 'environment_id' | 'id' | 'now' | 'cancel_at'>,
): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select p.kind, p.period_start, p.period_end, p.interval_start, p.interval_end, p.full_period_start, p.closed_at
     from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.period_end <= $3
       and ($4::timestamptz is null or p.period_start < $4 or p.kind = 'late')
       and (p.closed_at is null or p.kind <> 'trial' and not exists (
         select from invoices i
         where i.environment_id = $1 and i.subscription_id = $2 and i.period_start = p.period_start
           and i.status <> 'void'))
       and (p.closed_at is null or p.kind <> 'late' or exists (
         select from invoices i
         where i.environment_id = $1 and i.subscription_id = $2 and i.period_start = p.period_start))
     order by p.period_start limit 1`,
    [subscription.environment_id, subscription.id, subscription.now, subscription.cancel_at],
  );
  return rows[0] ?? null;
}
