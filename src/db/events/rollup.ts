import { readOnly, transaction, type Db, type Pool } from '../pool.ts';

/** Events of one step, more where one transaction stored more: a step takes seconds at most. */
const STEP_EVENTS = 1_000_000;
/** The sums of a step, while they are made. */
const WORK_MEMORY = '64MB';

/** Events that are not rolled up and worth looking through for those of one customer or name; where there are more, nothing is known. */
export const UNROLLED_READ_MAX = 20_000;

/** What a step takes: the events of an epoch whose transaction ids are in [from_xid, to_xid). */
type Step = { epoch: number; from_xid: string; to_xid: string };

/**
 * Adds the next events to the days of usage_days and event_days, in the order of storing, in one transaction; returns false where
 * there are none, or another process is at it. Nothing but the speed of billing depends on how often it runs: what is not
 * rolled up is read from the events.
 */
export async function rollUp(pool: Pool, step_events = STEP_EVENTS): Promise<boolean> {
  return transaction(pool, async (db) => {
    const { rows } = await db.query<{ is_mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('tidemark.rollup')) as is_mine`,
    );
    if (!rows[0]!.is_mine) return false;
    const step = await nextStep(db, step_events);
    if (step === null) return false;
    await db.query(`set local work_mem = '${WORK_MEMORY}'`);
    // By hashes: to sort a step takes three times as long, which the planner does where it knows nothing of the table yet.
    await db.query('set local enable_sort = off');
    await addDays(db, step);
    await db.query('update epochs set rolled_up_to = $2 where epoch = $1', [step.epoch, step.to_xid]);
    return true;
  });
}

/** Forgets what was rolled up, so that all of it is rolled up again. Until then billing reads the events. */
export async function forgetRollup(pool: Pool): Promise<void> {
  await transaction(pool, async (db) => {
    await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.rollup'))`);
    await db.query(`update epochs set rolled_up_to = '0'`);
    await db.query('delete from usage_days');
    await db.query('delete from event_days');
  });
}

/** How many events are not rolled up yet, counted up to `limit`. */
export async function countUnrolled(pool: Pool, limit: number): Promise<number> {
  const { rows } = await readOnly(pool, (db) =>
    db.query<{ count: number }>(`select count(*)::integer as count from ${unrolled('$1')} as e`, [limit]),
  );
  return rows[0]!.count;
}

/**
 * The events `e` that are not rolled up, of each epoch the first so many. Ordered and cut, so that no planner reads anything
 * but events_stored, whatever it believes of the table.
 */
export function unrolled(limit: string): string {
  return `(
    select recent.* from epochs cross join lateral (
      select e.environment_id, e.customer_key, e.event_name, e.timestamp from events e
      where e.epoch = epochs.epoch and e.created_xid >= epochs.rolled_up_to
      order by e.created_xid limit ${limit}) as recent)`;
}

/**
 * The oldest epoch that has more. Of the last one what is below the oldest transaction that still runs: all of it is committed or
 * gone, and nothing can come below any more. Of the epochs before it everything.
 */
async function nextStep(db: Db, step_events: number): Promise<Step | null> {
  const { rows } = await db.query<Step>(
    `with finished as (
       select epoch, rolled_up_to, case when epoch = max(epoch) over () then pg_snapshot_xmin(pg_current_snapshot())
         else '18446744073709551615' end as up_to
       from epochs
     )
     select f.epoch, f.rolled_up_to::text as from_xid, (last.xid::text::numeric + 1)::text as to_xid
     from finished f cross join lateral (
       select max(created_xid) as xid from (
         select e.created_xid from events e
         where e.epoch = f.epoch and e.created_xid >= f.rolled_up_to and e.created_xid < f.up_to
         order by e.created_xid limit $1) as taken
     ) as last
     where last.xid is not null
     order by f.epoch limit 1`,
    [step_events],
  );
  return rows[0] ?? null;
}

const TAKEN = 'e.epoch = $1 and e.created_xid >= $2 and e.created_xid < $3';
/** What date_trunc says of UTC, for which it takes 0.4 microseconds an event: a third of adding events up. */
const DAY = `date_bin('1 day', e.timestamp, '2000-01-01Z')`;
const ROW = 'e.environment_id, e.customer_key, e.event_name';
const STORED = `min(e.created_at) as first_stored_at, max(e.created_at) as last_stored_at, $1::integer as last_epoch,
  max(e.created_xid) as last_xid`;

/** Of a customer, name and day one row that counts, and one for each property whose numbers some charge adds up. */
async function addDays(db: Db, { epoch, from_xid, to_xid }: Step): Promise<void> {
  await db.query(
    `with counted as materialized (
       select ${ROW}, ${DAY} as day, count(*) as events, ${STORED} from events e where ${TAKEN} group by 1, 2, 3, 4
     ), added_to_event_days as (
       insert into event_days as d (environment_id, event_name, day, events)
       select environment_id, event_name, day, sum(events) from counted group by 1, 2, 3
       on conflict (environment_id, event_name, day) do update set events = d.events + excluded.events
     )
     insert into usage_days as d (environment_id, customer_key, event_name, property, day, events, skipped_events, total,
       maximum, first_stored_at, last_stored_at, last_epoch, last_xid)
     select environment_id, customer_key, event_name, '', day, events, 0, null, null, first_stored_at, last_stored_at,
       last_epoch, last_xid
     from counted
     union all
     select ${ROW}, added.property, ${DAY}, count(*), count(*) filter (where value.number is null), sum(value.number),
       max(value.number), ${STORED}
     from (
       select distinct environment_id, event_name, aggregation ->> 'property' as property from charges
       where aggregation ->> 'type' in ('sum', 'max') and filters is null
     ) as added
     join events e on e.environment_id = added.environment_id and e.event_name = added.event_name
     cross join lateral (select event_number(e.properties -> added.property) as number offset 0) as value
     where ${TAKEN} group by 1, 2, 3, 4, 5
     on conflict (customer_key, event_name, property, day) do update set
       events = d.events + excluded.events, skipped_events = d.skipped_events + excluded.skipped_events,
       total = coalesce(d.total + excluded.total, d.total, excluded.total),
       maximum = greatest(d.maximum, excluded.maximum),
       first_stored_at = least(d.first_stored_at, excluded.first_stored_at),
       last_stored_at = greatest(d.last_stored_at, excluded.last_stored_at),
       last_epoch = excluded.last_epoch, last_xid = excluded.last_xid`,
    [epoch, from_xid, to_xid],
  );
}
