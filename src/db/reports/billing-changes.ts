import type { Db } from '../connection/pool.ts';

/** Changes of a customer that are not folded into billing_days: the days that they concern, and the transactions that made them. */
export type CustomerChanges = {
  environment_id: number;
  customer_key: string;
  /** Null if the customer was deleted: it has no events. */
  customer_id: string | null;
  from: string;
  to: string;
  changed_in: string[];
  /** The instant of the first of the changes. */
  changed_at: string;
};

const CHANGES = `
  select b.environment_id, b.customer_key, c.id as customer_id, min(b.days_from) as from, max(b.days_to) as to,
    array_agg(b.changed_in::text) as changed_in, min(b.changed_at) as changed_at
  from billing_changes b
  left join customers c on c.key = b.customer_key`;

const IS_SET_ASIDE = `exists (
  select from set_aside s where s.environment_id = c.environment_id and s.customer_id = c.id
    and s.job in ('rollup', 'usage_report'))`;

/** The customers whose changes are oldest, without those that are set aside. */
export async function oldestChanges(db: Db, limit: number): Promise<CustomerChanges[]> {
  const { rows } = await db.query<CustomerChanges>(
    `with oldest as (
       select b.customer_key from billing_changes b left join customers c on c.key = b.customer_key
       where not ${IS_SET_ASIDE} order by b.changed_at limit $1
     )
     ${CHANGES}
     where b.customer_key in (select customer_key from oldest)
     group by b.environment_id, b.customer_key, c.id order by min(b.changed_at)`,
    [limit],
  );
  return rows;
}

/** All changes of a customer; null if there are none. */
export async function changesOf(db: Db, customer_key: string): Promise<CustomerChanges | null> {
  const { rows } = await db.query<CustomerChanges>(
    `${CHANGES} where b.customer_key = $1 group by b.environment_id, b.customer_key, c.id`,
    [customer_key],
  );
  return rows[0] ?? null;
}

/** A customer with changes that overlap a range; `is_set_aside`: its days cannot be counted. */
export type PendingChanges = CustomerChanges & { is_set_aside: boolean };

/** Finds at most `limit` customers of an environment, or the one given, with changes of days in [from, to). */
export async function changesWithin(
  db: Db,
  within: { environment_id: number; customer_key: string | null; from: string; to: string; limit: number },
): Promise<PendingChanges[]> {
  const { environment_id, customer_key, from, to, limit } = within;
  const { rows } = await db.query<PendingChanges>(
    `select b.environment_id, b.customer_key, c.id as customer_id, ${IS_SET_ASIDE} as is_set_aside,
       greatest(min(b.days_from), $3::timestamptz) as from, least(max(b.days_to), $4::timestamptz) as to,
       array_agg(b.changed_in::text) as changed_in, min(b.changed_at) as changed_at
     from billing_changes b left join customers c on c.key = b.customer_key
     where b.environment_id = $1 and ($2::bigint is null or b.customer_key = $2) and b.days_from < $4
       and b.days_to > date_trunc('day', $3::timestamptz, 'UTC')
     group by b.environment_id, b.customer_key, c.id, c.environment_id limit $5`,
    [environment_id, customer_key, from, to, limit],
  );
  return rows;
}

/** Deletes changes that are folded; those that were made since stay. */
export async function deleteChanges(db: Db, folded: readonly CustomerChanges[]): Promise<void> {
  const made = folded.flatMap(({ customer_key, changed_in }) =>
    changed_in.map((xid) => ({ customer_key, xid })),
  );
  await db.query(
    `delete from billing_changes b using unnest($1::bigint[], $2::text[]) as f(customer_key, changed_in)
     where b.customer_key = f.customer_key and b.changed_in = f.changed_in::xid8`,
    [made.map(({ customer_key }) => customer_key), made.map(({ xid }) => xid)],
  );
}

/** Notes that all days of these customers must be counted again. */
export async function noteAllDays(
  db: Db,
  customers: readonly { environment_id: number; customer_id: string }[],
): Promise<void> {
  await db.query(
    `select note_billing_change(environment_id, customer_id, null, null)
     from unnest($1::integer[], $2::text[]) as c(environment_id, customer_id)`,
    [customers.map(({ environment_id }) => environment_id), customers.map(({ customer_id }) => customer_id)],
  );
}

/** LATE_USAGE_DAYS by which the stored counts tell late events from those that are too late. */
export async function readLateUsageDays(db: Db): Promise<number> {
  const { rows } = await db.query<{ late_usage_days: number }>('select late_usage_days from report_settings');
  return rows[0]!.late_usage_days;
}

/** Applies another LATE_USAGE_DAYS: late events, and those that are too late, are counted again. */
export async function changeLateUsageDays(db: Db, late_usage_days: number): Promise<void> {
  await db.query(
    `with changed as (
       update report_settings set late_usage_days = $1 where late_usage_days <> $1 returning true
     )
     insert into billing_changes as b (environment_id, customer_key, days_from, days_to)
     select environment_id, customer_key, min(day), max(day) + interval '24 hours'
     from billing_days where cause in ('late', 'too_late') and exists (select from changed)
     group by environment_id, customer_key
     on conflict (customer_key, changed_in) do update
     set days_from = least(b.days_from, excluded.days_from), days_to = greatest(b.days_to, excluded.days_to)`,
    [late_usage_days],
  );
}
