import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { addCount, countCauses, nextDay, type Count, type CountedDay } from './counted-causes.ts';
import type { Cell } from './event-sources.ts';

/** Adds to the stored counts. Rows that come to nothing are deleted. The caller holds the rollup's lock. */
export async function addCounts(db: Db, environment_id: number, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const events = counts.map((count) => count.events);
  await db.query(
    `insert into billing_days as d (environment_id, customer_key, event_name, day, cause, events)
     select $1, * from unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::bigint[])
     on conflict (customer_key, day, event_name, cause) do update set events = d.events + excluded.events`,
    [environment_id, ...keysOf(counts), events],
  );
  await db.query(
    `insert into report_days as d (environment_id, event_name, day, cause, events)
     select $1, event_name, day, cause, sum(events)
     from unnest($2::text[], $3::timestamptz[], $4::text[], $5::bigint[]) as a(event_name, day, cause, events)
     group by event_name, day, cause
     on conflict (environment_id, event_name, day, cause) do update set events = d.events + excluded.events`,
    [environment_id, ...keysOf(counts).slice(1), events],
  );
  const less = counts.filter((count) => count.events < 0);
  if (less.length > 0) await deleteEmpty(db, environment_id, less);
}

/** The columns customer_key, event_name, day and cause. */
function keysOf(counts: readonly Count[]): string[][] {
  return [
    counts.map(({ customer_key }) => customer_key),
    counts.map(({ event_name }) => event_name),
    counts.map(({ day }) => day),
    counts.map(({ cause }) => cause),
  ];
}

/**
 * Deletes rows of these keys that have no events. Each row is found by its key: the planner expects next to no row
 * without events, and would read the whole table for each key.
 */
async function deleteEmpty(db: Db, environment_id: number, less: readonly Count[]): Promise<void> {
  await db.query(
    `delete from billing_days where ctid = any(array(
       select found.ctid
       from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[]) as l(customer_key, event_name, day, cause)
       cross join lateral (
         select d.ctid from billing_days d
         where d.customer_key = l.customer_key and d.day = l.day and d.event_name = l.event_name and d.cause = l.cause
           and d.events = 0 offset 0) as found))`,
    keysOf(less),
  );
  await db.query(
    `delete from report_days where ctid = any(array(
       select found.ctid
       from (select distinct * from unnest($2::text[], $3::timestamptz[], $4::text[])) as l(event_name, day, cause)
       cross join lateral (
         select d.ctid from report_days d
         where d.environment_id = $1 and d.event_name = l.event_name and d.day = l.day and d.cause = l.cause
           and d.events = 0
         offset 0) as found))`,
    [environment_id, ...keysOf(less).slice(1)],
  );
}

/** Days of a customer whose causes may have changed: those that overlap [from, to). */
export type ChangedDays = { customer_key: string; from: string; to: string };

export type ChangesQuery = {
  environment_id: number;
  late_usage_days: number;
  changed: readonly ChangedDays[];
  judgements_max?: number;
};

/** The difference between the stored counts of these days and the events that are rolled up. */
export async function countDifference(db: Db, query: ChangesQuery): Promise<Count[]> {
  const days = await readRolledUp(db, query.changed);
  const { changed, ...counted } = query;
  const fresh = await countCauses(db, { ...counted, days, source: null });
  const stored = await readStored(db, changed);
  const sums = new Map<string, Count>();
  for (const count of fresh) addCount(sums, count);
  for (const count of stored) addCount(sums, { ...count, events: -count.events });
  return [...sums.values()].filter(({ events }) => events !== 0);
}

/**
 * SQL: the relation `changed` of these days, without those whose events are archived: nothing changes them any more.
 */
function relationOf(changed: readonly ChangedDays[], parameter: Parameter): string {
  const keys = parameter(changed.map(({ customer_key }) => customer_key));
  const starts = parameter(changed.map(({ from }) => from));
  const ends = parameter(changed.map(({ to }) => to));
  return `(
    select d.customer_key, greatest(date_trunc('day', d.starts_at, 'UTC'), c.archived_to) as from_day, d.ends_at
    from unnest(${keys}::bigint[], ${starts}::timestamptz[], ${ends}::timestamptz[])
      as d(customer_key, starts_at, ends_at)
    left join customers c on c.key = d.customer_key) as changed`;
}

/** Number of rolled up days of these, each of a customer and event name, counted up to `limit`. */
export async function countChangedDays(
  db: Db,
  changed: readonly ChangedDays[],
  limit: number,
): Promise<number> {
  const { values, parameter } = createParameters();
  const most = parameter(limit);
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select from ${relationOf(changed, parameter)}
       cross join lateral (
         select from usage_days d
         where d.customer_key = changed.customer_key and d.property = '' and d.day >= changed.from_day
           and d.day < changed.ends_at
         limit ${most}) as d
       limit ${most}) as counted`,
    values,
  );
  return rows[0]!.count;
}

type RolledUpRow = Cell &
  Pick<CountedDay, 'events' | 'first_stored_at' | 'last_stored_at' | 'last_epoch' | 'last_xid'>;

async function readRolledUp(db: Db, changed: readonly ChangedDays[]): Promise<CountedDay[]> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<RolledUpRow>(
    `select d.customer_key, d.event_name, d.day, d.events::integer, d.first_stored_at, d.last_stored_at, d.last_epoch,
       d.last_xid::text
     from ${relationOf(changed, parameter)}
     cross join lateral (
       select * from usage_days d
       where d.customer_key = changed.customer_key and d.property = '' and d.day >= changed.from_day
         and d.day < changed.ends_at
       offset 0) as d`,
    values,
  );
  return rows.map((row) => ({ ...row, starts_at: row.day, ends_at: nextDay(row.day), first: null }));
}

async function readStored(db: Db, changed: readonly ChangedDays[]): Promise<Count[]> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<Count>(
    `select d.customer_key, d.event_name, d.day, d.cause, d.events::integer
     from ${relationOf(changed, parameter)}
     cross join lateral (
       select * from billing_days d
       where d.customer_key = changed.customer_key and d.day >= changed.from_day and d.day < changed.ends_at
       offset 0) as d`,
    values,
  );
  return rows;
}
