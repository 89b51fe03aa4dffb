import type { PeriodChange } from '../../domain/invoice/period-change.ts';
import {
  openedAt,
  openPeriodBy,
  periodAtStart,
  type PeriodContext,
  type StoredPeriod,
  type SubscriptionPeriod,
} from '../../domain/subscription/following-period.ts';
import type { PlanSchedule } from '../../domain/subscription/plan-phase.ts';
import type { Db } from '../connection/pool.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';

/** The columns of a SubscriptionPeriod. */
const PERIOD_COLUMNS = [
  ...(['kind', 'period_start', 'period_end', 'interval_start', 'interval_end'] as const),
  ...(['full_period_start', 'plan_id'] as const),
];

/** SQL: the columns of a StoredPeriod from the period `p`. */
export function periodColumns(p: string): string {
  return [...PERIOD_COLUMNS, 'opened_at', 'closed_at'].map((column) => `${p}.${column}`).join(', ');
}

/**
 * SQL: true for a period `p` that is never billed because of a cancellation of its subscription `s`: one that starts at
 * or after the end, and the time before a start at which it ends.
 */
export const IS_LEFT_OUT = `(p.kind <> 'late' and coalesce(p.period_start >= s.cancel_at
  or s.cancel_at <= s.start_date and p.period_start < s.start_date, false))`;

/**
 * SQL: the invoice `i` is the one that closes the period `p`; where a late period begins, a billed one that the end
 * left out may have begun.
 */
export const IS_OF_PERIOD = `i.environment_id = p.environment_id and i.subscription_id = p.subscription_id
  and i.period_start = p.period_start and i.kind = case p.kind when 'late' then 'late' else 'period' end`;

/** Limit of openings that one call makes again. */
const OPENINGS_MAX = 50;

export type PeriodKey = { environment_id: number; subscription_id: string };

/** Opens a subscription's first period: its trial, or its first billing period. */
export async function openFirstPeriod(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { now, ...schedule }: PlanSchedule & { now: string },
): Promise<SubscriptionPeriod> {
  const period = periodAtStart(schedule);
  const stored = { ...period, opened_at: openedAt(period, { schedule, now, before: null }) };
  const columns = [...PERIOD_COLUMNS, 'opened_at'] as const;
  await db.query(
    `insert into periods (environment_id, subscription_id, ${columns.join(', ')})
     values ($1, $2, ${columns.map((_, at) => `$${at + 3}`).join(', ')})`,
    [environment_id, subscription_id, ...columns.map((column) => stored[column])],
  );
  return period;
}

/** Marks the beginning of the open period of a subscription as worked off. */
export async function markOpened(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  now: string,
): Promise<void> {
  await db.query(
    `update periods set opened_at = $3
     where environment_id = $1 and subscription_id = $2 and opened_at is null`,
    [environment_id, subscription_id, now],
  );
}

/**
 * Changes periods of subscriptions in one statement: closes them, opens the ones that follow, and closes late windows,
 * after which no late line can follow. Usage stored before `late_usage_until` was in time (billing.md 3). Throws if a
 * period to close is closed already: the caller holds the locks of the subscriptions, and has read it open.
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
         interval_end, full_period_start, plan_id, opened_at)
       select $1, c.subscription_id, f.period_start, f.period_end, f.kind, f.interval_start, f.interval_end,
         f.full_period_start, f.plan_id, f.opened_at
       from changed c cross join jsonb_to_record(c.following) as f(period_start timestamptz, period_end timestamptz,
         kind text, interval_start timestamptz, interval_end timestamptz, full_period_start timestamptz, plan_id text,
         opened_at timestamptz)
       where jsonb_typeof(c.following) = 'object'
     )
     select count(*)::integer as changed from changed`,
    [environment_id, JSON.stringify(changes)],
  );
  if (rows[0]!.changed !== changes.length)
    throw new Error(`${rows[0]!.changed} of ${changes.length} periods were as they were read`);
}

/**
 * Makes the open period what the trial, the plans and the end of its subscription make of it, once one of them has
 * changed.
 */
export async function fitOpenPeriod(db: Db, key: PeriodKey, context: PeriodContext): Promise<void> {
  const period = await findOpenPeriod(db, key);
  if (period === null) return;
  await replaceOpenPeriod(db, key, period, openPeriodBy(period, context));
}

async function replaceOpenPeriod(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { period_start }: StoredPeriod,
  replacement: StoredPeriod,
): Promise<void> {
  const columns = [...PERIOD_COLUMNS, 'opened_at', 'closed_at'] as const;
  await db.query(
    `update periods set end_noted = false, ${columns.map((column, at) => `${column} = $${at + 4}`).join(', ')}
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and closed_at is null`,
    [environment_id, subscription_id, period_start, ...columns.map((column) => replacement[column])],
  );
}

/**
 * Moves the end of an open period. Moved before its boundary, the period is cut in two; closing the first part opens
 * the second.
 */
export async function setPeriodEnd(db: Db, key: PeriodKey, period: StoredPeriod, end: string): Promise<void> {
  await replaceOpenPeriod(db, key, period, { ...period, period_end: end });
}

/** A period by its start; null if it does not exist. */
export async function findPeriod(db: Db, key: PeriodKey, period_start: string): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${periodColumns('p')} from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.period_start = $3`,
    [key.environment_id, key.subscription_id, period_start],
  );
  return rows[0] ?? null;
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

/** The parts of the full periods of which one ends at an instant and the other begins there. */
export async function periodsFrom(db: Db, key: PeriodKey, at: string): Promise<StoredPeriod[]> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${periodColumns('p')} from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.kind = 'billing'
       and (p.full_period_start = $3 or p.full_period_start = (
         select e.full_period_start from periods e
         where e.environment_id = $1 and e.subscription_id = $2 and e.period_end = $3 and e.kind = 'billing'))
     order by p.period_start`,
    [key.environment_id, key.subscription_id, at],
  );
  return rows;
}

/** The parts of full periods by the starts of these. */
export async function partsOfFullPeriods(
  db: Db,
  key: PeriodKey,
  starts: readonly string[],
): Promise<StoredPeriod[]> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${periodColumns('p')} from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.kind = 'billing' and p.full_period_start = any($3)
     order by p.period_start`,
    [key.environment_id, key.subscription_id, starts],
  );
  return rows;
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

/** The periods with the numbers of their opening invoices that are void, the oldest first. */
export async function periodsWithoutOpening(
  db: Db,
  key: PeriodKey,
): Promise<(StoredPeriod & { opening_number: number })[]> {
  const { rows } = await db.query<StoredPeriod & { opening_number: number }>(
    `select ${periodColumns('p')}, o.opening_number from periods p
     join (
       select period_start, opening_number from invoices
       where environment_id = $1 and subscription_id = $2 and kind = 'opening'
       group by period_start, opening_number having bool_and(status = 'void')) as o on o.period_start = p.period_start
     where p.environment_id = $1 and p.subscription_id = $2
     order by p.period_start, o.opening_number limit ${OPENINGS_MAX}`,
    [key.environment_id, key.subscription_id],
  );
  return rows;
}

/** The number of the next further opening of a full period: void ones have theirs. */
export async function nextOpeningNumber(db: Db, key: PeriodKey, period_start: string): Promise<number> {
  const { rows } = await db.query<{ next: number }>(
    `select coalesce(max(opening_number), 1) + 1 as next from invoices
     where environment_id = $1 and subscription_id = $2 and period_start = $3`,
    [key.environment_id, key.subscription_id, period_start],
  );
  return rows[0]!.next;
}

/**
 * The first ended period to bill: not closed yet, or closed without an invoice except void ones. A closed trial needs
 * no invoice; a closed late period needs one only if it had one.
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
         select from invoices i where ${IS_OF_PERIOD} and i.status <> 'void'))
       and (p.closed_at is null or p.kind <> 'late' or exists (select from invoices i where ${IS_OF_PERIOD}))
     order by p.period_start limit 1`,
    [subscription.environment_id, subscription.id, subscription.now, subscription.cancel_at],
  );
  return rows[0] ?? null;
}

/** SQL: the opening invoice of the period `p` that is not void. */
const OPENING = `(
       select i.id from invoices i
       where i.environment_id = p.environment_id and i.subscription_id = p.subscription_id
         and i.period_start = p.period_start and i.status <> 'void' and i.opening_number = 1 and p.kind <> 'late')`;

/** A period as the API shows it. */
export type ListedPeriod = Pick<SubscriptionPeriod, 'kind' | 'plan_id' | 'period_start' | 'period_end'> & {
  /** The start, as a cursor has it. */
  id: string;
  /** Null without an invoice that is not void. */
  invoice_id: string | null;
  /** The invoice that bills the fees in advance of the period as it begins; null without one that is not void. */
  opening_invoice_id: string | null;
};

/**
 * The periods of a subscription without those that its end left out, newest first; `before` is the start of the last
 * period of the page before.
 */
export async function listPeriods(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { before, limit }: { before: string | null; limit: number },
): Promise<ListedPeriod[]> {
  const { rows } = await db.query<ListedPeriod>(
    `select instant_text(p.period_start) as id, p.kind, p.plan_id, p.period_start, p.period_end,
       (select i.id from invoices i where ${IS_OF_PERIOD} and i.status <> 'void') as invoice_id,
       ${OPENING} as opening_invoice_id
     from periods p
     join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
     where p.environment_id = $1 and p.subscription_id = $2 and not ${IS_LEFT_OUT}
       and ($3::timestamptz is null or p.period_start < $3)
     order by p.period_start desc limit $4`,
    [environment_id, subscription_id, before, limit],
  );
  return rows;
}
