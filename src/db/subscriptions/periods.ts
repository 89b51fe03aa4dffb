import type { PeriodChange } from '../../domain/period-change.ts';
import {
  periodAtEnd,
  type PeriodContext,
  type StoredPeriod,
  type SubscriptionPeriod,
} from '../../domain/following-period.ts';
import { firstPeriod, type Period, type Schedule } from '../../domain/period.ts';
import type { Db } from '../connection/pool.ts';
import type { Subscription } from '../../domain/subscription.ts';

/** SQL: the columns of a StoredPeriod from the period `p`. */
export function periodColumns(p: string): string {
  const columns = [
    'kind',
    'period_start',
    'period_end',
    'interval_start',
    'interval_end',
    'full_period_start',
    'closed_at',
  ];
  return columns.map((column) => `${p}.${column}`).join(', ');
}

export type PeriodKey = { environment_id: number; subscription_id: string };

/** Opens a subscription's first period: its trial, or its first billing period. */
export async function openFirstPeriod(db: Db, key: PeriodKey, schedule: Schedule): Promise<Period> {
  const period = firstPeriod(schedule);
  await insertPeriod(db, key, { ...period, full_period_start: period.period_start });
  return period;
}

/**
 * Changes periods of subscriptions in one statement: closes them, opens the ones that follow, and closes late windows, after which no late
 * line can follow. Usage stored before `late_usage_until` was in time (billing.md 3). Throws if a period to close is closed already: the
 * caller holds the locks of the subscriptions, and has read it open.
 */
export async function changePeriods(
  db: Db,
  environment_id: number,
  changes: readonly (PeriodChange & { subscription_id: string })[],
): Promise<void> {
  if (changes.length === 0) return;
  const { rows } = await db.query<{ changed: number }>(
    `with change as (
       select * from jsonb_to_recordset($2) as c(subscription_id text, period_start timestamptz, closed_at timestamptz,
         late_window jsonb, following jsonb)
     ), changed as (
       update periods p set closed_at = coalesce(p.closed_at, c.closed_at),
         late_window_closed_at = coalesce(p.late_window_closed_at, (c.late_window ->> 'closed_at')::timestamptz),
         late_usage_until = coalesce(p.late_usage_until, (c.late_window ->> 'late_usage_until')::timestamptz)
       from change c
       where p.environment_id = $1 and p.subscription_id = c.subscription_id and p.period_start = c.period_start
         and (c.closed_at is null or p.closed_at is null)
       returning c.*
     ), opened as (
       insert into periods (environment_id, subscription_id, period_start, period_end, kind, interval_start,
         interval_end, full_period_start)
       select $1, c.subscription_id, f.period_start, f.period_end, f.kind, f.interval_start, f.interval_end,
         f.full_period_start
       from changed c cross join jsonb_to_record(c.following) as f(period_start timestamptz, period_end timestamptz,
         kind text, interval_start timestamptz, interval_end timestamptz, full_period_start timestamptz)
       where jsonb_typeof(c.following) = 'object'
     )
     select count(*)::integer as changed from changed`,
    [environment_id, JSON.stringify(changes)],
  );
  if (rows[0]!.changed !== changes.length)
    throw new Error(`${rows[0]!.changed} of ${changes.length} periods were as they were read`);
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

/** Ends the open period with its subscription, at `cancel_at`: changes it to what the end makes of it, or closes it without an invoice. */
export async function endOpenPeriod(
  db: Db,
  key: PeriodKey,
  context: PeriodContext & { cancel_at: string },
): Promise<void> {
  const period = await findOpenPeriod(db, key);
  if (period === null || period.period_end <= context.cancel_at) return;
  const ended = periodAtEnd(period, context);
  const { kind, period_start, period_end, full_period_start } = ended ?? period;
  await db.query(
    `update periods set kind = $4, period_start = $5, period_end = $6, full_period_start = $7, closed_at = $8
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and closed_at is null`,
    [
      ...[key.environment_id, key.subscription_id, period.period_start],
      ...[kind, period_start, period_end, full_period_start],
      ended === null ? context.now : null,
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

/** The open period; null if the subscription has ended. */
export async function findOpenPeriod(db: Db, key: PeriodKey): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${periodColumns('p')} from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.closed_at is null`,
    [key.environment_id, key.subscription_id],
  );
  return rows[0] ?? null;
}

/** Reopens the late windows of a void invoice's periods: their usage may be late again. */
export async function reopenLateWindowsOf(db: Db, key: PeriodKey & { invoice_id: string }): Promise<void> {
  await db.query(
    `update periods set late_window_closed_at = null, late_usage_until = null
     where environment_id = $1 and subscription_id = $2 and late_window_closed_at is not null
       and full_period_start in (select full_period_start from line_items
         where environment_id = $1 and invoice_id = $3)`,
    [key.environment_id, key.subscription_id, key.invoice_id],
  );
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
    `select ${periodColumns('p')}
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
