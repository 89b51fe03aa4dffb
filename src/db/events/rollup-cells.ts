import { createParameters } from '../connection/parameters.ts';
import { attempt, transaction, type Db, type Pool } from '../connection/pool.ts';
import { setAside } from '../customers/set-aside.ts';
import { isRolledUp, readPositions } from './rollup.ts';
import { queryWithHashes, tryRollupLock } from './rollup-turn.ts';

/** Limit of cells for each customer, event name and day; a day with more is read from the events. */
const CELLS_MAX = 1000;

/**
 * SQL: adds the events `e` of a step to usage_cells: one row for each customer, event name, day and combination of
 * values of the customer's dimensions, and another for each property that some charge sums or takes the maximum of.
 * `condition` selects the events. `offset 0` lets the planner choose their index for that condition alone. Returns the
 * days that may have too many cells now: `usage_cells` are those of before, and the stored ones may be some of them.
 */
function addCellsOf(condition: string): string {
  return `
  with dimension as materialized (
    select environment_id, customer_key, event_name, array_agg(property order by property) as properties
    from usage_dimensions group by 1, 2, 3
  ), placed as materialized (
    select e.environment_id, e.customer_key, e.event_name, date_bin('1 day', e.timestamp, '2000-01-01Z') as day,
      e.properties,
      (select jsonb_object_agg(p, dimension_value(e.properties -> p))
        from unnest(dimension.properties) as p) as "values"
    from (select e.* from events e where ${condition} offset 0) as e
    join dimension on dimension.customer_key = e.customer_key and dimension.environment_id = e.environment_id
      and dimension.event_name = e.event_name
    where not exists (
      select from usage_days u where u.customer_key = e.customer_key and u.event_name = e.event_name and u.property = ''
        and u.day = date_bin('1 day', e.timestamp, '2000-01-01Z') and u.has_no_cells)
  ), added as (
    select distinct environment_id, event_name, aggregation ->> 'property' as property from charges
    where aggregation ->> 'type' in ('sum', 'max')
  ), counted as (
    select environment_id, customer_key, event_name, day, md5("values"::text)::uuid as cell, '' as property, "values",
      count(*) as events, 0::bigint as skipped_events, null::numeric as total, null::numeric as maximum
    from placed group by 1, 2, 3, 4, 7
    union all
    select p.environment_id, p.customer_key, p.event_name, p.day, md5(p."values"::text)::uuid, added.property,
      p."values", count(*), count(*) filter (where value.number is null), sum(value.number), max(value.number)
    from added
    join placed p on p.environment_id = added.environment_id and p.event_name = added.event_name
    cross join lateral (select event_number(p.properties -> added.property) as number offset 0) as value
    group by 1, 2, 3, 4, 6, 7
  ), stored as (
  insert into usage_cells as c (environment_id, customer_key, event_name, day, cell, property, "values", events,
    skipped_events, total, maximum)
  select * from counted
  on conflict (customer_key, event_name, day, cell, property) do update set
    events = c.events + excluded.events, skipped_events = c.skipped_events + excluded.skipped_events,
    total = coalesce(c.total + excluded.total, c.total, excluded.total), maximum = greatest(c.maximum, excluded.maximum)
  returning customer_key, event_name, day, property)
  select customer_key, event_name, day from (
    select customer_key, event_name, day, count(*) as stored_cells from stored where property = '' group by 1, 2, 3
  ) as s
  where stored_cells + (
    select count(*) from usage_cells c
    where c.customer_key = s.customer_key and c.event_name = s.event_name and c.day = s.day
      and c.property = '') > ${CELLS_MAX}`;
}

/** SQL: deletes the cells of days that have too many, and keeps that they do. */
const LIMIT_CELLS = `
  with exceeded as (
    select customer_key, event_name, day
    from jsonb_to_recordset($1) as d(customer_key bigint, event_name text, day timestamptz)
    join usage_cells c using (customer_key, event_name, day)
    where c.property = '' group by 1, 2, 3 having count(*) > ${CELLS_MAX}
  ), gone as (
    delete from usage_cells c using exceeded x
    where c.customer_key = x.customer_key and c.event_name = x.event_name and c.day = x.day
  )
  update usage_days u set has_no_cells = true from exceeded x
  where u.customer_key = x.customer_key and u.event_name = x.event_name and u.property = '' and u.day = x.day`;

type DayOfName = { customer_key: string; event_name: string; day: string };

/** Adds the events `e` that `condition` selects with `values` to usage_cells. */
export async function addCells(
  db: Db,
  selection: { condition: string; values: readonly unknown[] },
): Promise<void> {
  const { rows } = await queryWithHashes<DayOfName>(db, addCellsOf(selection.condition), [
    ...selection.values,
  ]);
  if (rows.length > 0) await db.query(LIMIT_CELLS, [JSON.stringify(rows)]);
}

const UNFILLED = `
  select d.environment_id, c.id as customer_id, d.customer_key, d.event_name, max(u.day) as day
  from (
    select environment_id, customer_key, event_name, max(unfilled_before) as unfilled_before
    from usage_dimensions d
    where unfilled_before is not null and not exists (
      select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
      where s.job = 'rollup' and c.key = d.customer_key)
    group by 1, 2, 3
    order by 2, 3 limit 1
  ) as d
  join customers c on c.key = d.customer_key
  left join usage_days u on u.customer_key = d.customer_key and u.event_name = d.event_name and u.property = ''
    and u.day < d.unfilled_before and u.day >= coalesce(c.archived_to, '-infinity')
  group by 1, 2, 3, 4`;

const OF_DAY = `e.customer_key = $1 and e.event_name = $2 and e.timestamp >= $3
  and e.timestamp < $3::timestamptz + interval '24 hours'`;

type Unfilled = { environment_id: number; customer_id: string } & Omit<DayOfName, 'day'> & {
    day: string | null;
  };

/**
 * Reads one day of a customer and event name whose cells lack a dimension that a plan has named since; one transaction.
 * Returns false if there is none, or if another process is rolling up. Until then bills read the events of these days.
 */
export async function fillDimensions(pool: Pool): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return false;
    const { rows } = await db.query<Unfilled>(UNFILLED);
    const unfilled = rows[0];
    if (unfilled === undefined) return false;
    const failure = await attempt(db, () => fillDay(db, unfilled));
    if (failure !== null) await setAside(db, 'rollup', [unfilled], failure.message);
    return true;
  });
}

async function fillDay(db: Db, { customer_key, event_name, day }: Unfilled): Promise<void> {
  if (day !== null) {
    const key = [customer_key, event_name, day];
    await db.query('delete from usage_cells where customer_key = $1 and event_name = $2 and day = $3', key);
    await db.query(
      `update usage_days set has_no_cells = false
       where customer_key = $1 and event_name = $2 and day = $3 and has_no_cells`,
      key,
    );
    const { values, parameter } = createParameters(key);
    const condition = `${OF_DAY} and ${isRolledUp(await readPositions(db), parameter)}`;
    await addCells(db, { condition, values });
  }
  await db.query(
    `update usage_dimensions set unfilled_before = $3
     where customer_key = $1 and event_name = $2 and unfilled_before > coalesce($3, '-infinity'::timestamptz)`,
    [customer_key, event_name, day],
  );
}
