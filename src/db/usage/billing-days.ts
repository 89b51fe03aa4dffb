import type { Db } from '../pool.ts';
import { placeOf, countCauses, nextDay, type Count, type CountedDay } from './counted-causes.ts';
import type { Cell } from './event-sources.ts';

/** Adds to the stored counts. Rows that come to nothing are deleted. The caller holds the rollup's lock. */
export async function addCounts(db: Db, environment_id: number, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const columns = [
    counts.map(({ customer_key }) => customer_key),
    counts.map(({ event_name }) => event_name),
    counts.map(({ day }) => day),
    counts.map(({ cause }) => cause),
    counts.map(({ events }) => events),
  ];
  // No other process writes these tables, so that no row can appear or change between the join of a merge and its effect.
  await db.query(
    `merge into billing_days as d using ${ADDED}
       on d.customer_key = added.customer_key and d.day = added.day and d.event_name = added.event_name and d.cause = added.cause
     when matched and d.events + added.events = 0 then delete
     when matched then update set events = d.events + added.events
     when not matched then insert (environment_id, customer_key, event_name, day, cause, events)
       values ($1, added.customer_key, added.event_name, added.day, added.cause, added.events)`,
    [environment_id, ...columns],
  );
  await db.query(
    `merge into report_days as d
     using (select event_name, day, cause, sum(events) as events from ${ADDED} group by event_name, day, cause) as added
       on d.environment_id = $1 and d.event_name = added.event_name and d.day = added.day and d.cause = added.cause
     when matched and d.events + added.events = 0 then delete
     when matched then update set events = d.events + added.events
     when not matched then insert (environment_id, event_name, day, cause, events)
       values ($1, added.event_name, added.day, added.cause, added.events)`,
    [environment_id, ...columns],
  );
}

/** SQL: the counts to add, $2 to $6. */
const ADDED = `
  unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::bigint[])
    as added(customer_key, event_name, day, cause, events)`;

/** Days of a customer whose causes may have changed: those that overlap [from, to). */
export type ChangedDays = { customer_key: string; from: string; to: string };

export type ChangesQuery = {
  environment_id: number;
  late_usage_days: number;
  changed: readonly ChangedDays[];
};

/** What the stored counts of these days lack, or have too much, of the events that are rolled up. */
export async function countDifference(db: Db, query: ChangesQuery): Promise<Count[]> {
  const days = await readRolledUp(db, query.changed);
  const { environment_id, late_usage_days } = query;
  const fresh = await countCauses(db, { environment_id, late_usage_days, days, source: null });
  const stored = await readStored(db, query.changed);
  const sums = new Map<string, Count>();
  for (const count of fresh) add(sums, count);
  for (const count of stored) add(sums, { ...count, events: -count.events });
  return [...sums.values()].filter(({ events }) => events !== 0);
}

function add(sums: Map<string, Count>, count: Count): void {
  const key = `${placeOf(count)} ${count.cause}`;
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { ...count });
  else sum.events += count.events;
}

/** SQL: the relation `changed` of ChangedDays, $1 to $3. */
const CHANGED = `
  (select customer_key, date_trunc('day', starts_at, 'UTC') as from_day, ends_at
   from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as c(customer_key, starts_at, ends_at)) as changed`;

function changedColumns(changed: readonly ChangedDays[]): unknown[] {
  return [
    changed.map(({ customer_key }) => customer_key),
    changed.map(({ from }) => from),
    changed.map(({ to }) => to),
  ];
}

type RolledUpRow = Cell &
  Pick<CountedDay, 'events' | 'first_stored_at' | 'last_stored_at' | 'last_epoch' | 'last_xid'>;

async function readRolledUp(db: Db, changed: readonly ChangedDays[]): Promise<CountedDay[]> {
  const { rows } = await db.query<RolledUpRow>(
    `select d.customer_key, d.event_name, d.day, d.events::integer, d.first_stored_at, d.last_stored_at, d.last_epoch, d.last_xid::text
     from ${CHANGED}
     cross join lateral (
       select * from usage_days d
       where d.customer_key = changed.customer_key and d.property = '' and d.day >= changed.from_day and d.day < changed.ends_at
       offset 0) as d`,
    changedColumns(changed),
  );
  return rows.map((row) => ({ ...row, starts_at: row.day, ends_at: nextDay(row.day), first: null }));
}

async function readStored(db: Db, changed: readonly ChangedDays[]): Promise<Count[]> {
  const { rows } = await db.query<Count>(
    `select d.customer_key, d.event_name, d.day, d.cause, d.events::integer
     from ${CHANGED}
     cross join lateral (
       select * from billing_days d
       where d.customer_key = changed.customer_key and d.day >= changed.from_day and d.day < changed.ends_at
       offset 0) as d`,
    changedColumns(changed),
  );
  return rows;
}
