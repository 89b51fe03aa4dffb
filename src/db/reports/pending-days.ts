import { countUnread, unread } from '../changes/consumers.ts';
import type { Db } from '../connection/pool.ts';
import { daysOf } from './days-of.ts';

/** Rows of the log that a request reads at most: some two thousand bills. */
const UNREAD_MAX = 20_000;

/**
 * SQL: customers of whose days in a range the stored counts may be wrong: changes are not counted yet, or the customer
 * is set aside, and then it may be any day. `noted_at` is the instant of the oldest change.
 */
export const PENDING = `(
  select d.*, exists (
    select from set_aside s where s.environment_id = d.environment_id and s.customer_id = d.customer_id
      and s.job in ('rollup', 'usage_report')) as is_set_aside
  from ${daysOf(unread('reports', UNREAD_MAX))} as d
  union all
  select c.environment_id, c.key, c.id, '1970-01-01Z', '9999-12-31Z', s.failed_at, true
  from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  where s.job = 'usage_report')`;

/** A customer with pending days; `is_set_aside`: they cannot be counted. */
export type PendingDays = {
  customer_key: string;
  from: string;
  to: string;
  noted_at: string;
  is_set_aside: boolean;
};

/** Whether so much of the log is not read that a request does not look at it. */
export async function isFarBehind(db: Db): Promise<boolean> {
  return (await countUnread(db, 'reports', UNREAD_MAX + 1)) > UNREAD_MAX;
}

/**
 * Finds the customers of an environment, or the one given, with pending days in [from, to); null if there are more than
 * `limit`, or if too much is not read.
 */
export async function pendingWithin(
  db: Db,
  within: { environment_id: number; customer_key: string | null; from: string; to: string; limit: number },
): Promise<PendingDays[] | null> {
  if (await isFarBehind(db)) return null;
  const { environment_id, customer_key, from, to, limit } = within;
  const { rows } = await db.query<PendingDays>(
    `select p.customer_key, bool_or(p.is_set_aside) as is_set_aside, min(p.noted_at) as noted_at,
       greatest(min(p.days_from), $3::timestamptz) as from, least(max(p.days_to), $4::timestamptz) as to
     from ${PENDING} as p
     where p.environment_id = $1 and ($2::bigint is null or p.customer_key = $2) and p.days_from < $4
       and p.days_to > date_trunc('day', $3::timestamptz, 'UTC')
     group by p.customer_key limit $5`,
    [environment_id, customer_key, from, to, limit + 1],
  );
  return rows.length > limit ? null : rows;
}

/**
 * The instant of the oldest change that the stored counts of an environment lack; null if there is none. The first rows
 * that are not read are enough: all other transactions got their ids, and committed, after these were noted.
 */
export async function oldestPending(db: Db, environment_id: number): Promise<string | null> {
  const { rows } = await db.query<{ oldest: string | null }>(
    `select least(
       (select min(r.noted_at) from ${unread('reports', UNREAD_MAX)} as r),
       (select min(failed_at) from set_aside where environment_id = $1 and job = 'usage_report')) as oldest`,
    [environment_id],
  );
  return rows[0]!.oldest;
}
