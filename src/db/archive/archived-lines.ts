import { byIndex } from '../connection/by-index.ts';
import type { Db } from '../connection/pool.ts';
import { OF_ROW } from '../usage/series.ts';
import { IN_SPAN } from '../usage/usage.ts';
import type { ArchivedCustomer } from './watermark.ts';

/** SQL: a sum that says which events there are, whatever their order: of the first 60 bits of the hash of each key. */
const KEY_SUM = `sum(('x' || left(encode(uuid_send(e.key_hash), 'hex'), 15))::bit(60)::bigint)`;

/**
 * SQL: a common table `counted` of the events in the spans of the lines in `line` of the customer with the key $2, by
 * line, with the sum of their keys, and those that it needs.
 */
const COUNTED = `
  charge as materialized (
    select h.environment_id, h.id, h.event_name, h.filters, h.pricing, h.group_by
    from (select distinct environment_id, charge_id from line) as l
    join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
  ), span as materialized (
    select l.environment_id, l.id as line_item_id, l.charge_id, l.series, ${OF_ROW.own_groups} as own,
      $2::bigint as customer_key, p.timestamp_from, p.timestamp_to, p.stored_from, p.stored_to, u.epoch as up_to_epoch,
      u.snapshot as up_to_snapshot, a.epoch as after_epoch, a.snapshot as after_snapshot
    from line l
    cross join lateral (
      select * from line_item_spans p
      where p.environment_id = l.environment_id and p.line_item_id = l.id offset 0) as p
    join cut_offs u on u.environment_id = p.environment_id and u.id = p.up_to_cut_off_id
    left join cut_offs a on a.environment_id = p.environment_id and a.id = p.after_cut_off_id
  ), held as materialized (
    select span.line_item_id, count(*) as events, ${KEY_SUM} as key_sum
    from span join charge h on h.environment_id = span.environment_id and h.id = span.charge_id
    join events e on e.customer_key = span.customer_key and e.event_name = h.event_name and ${IN_SPAN}
      and ${OF_ROW.passes} and ${OF_ROW.isOfLine({ series: 'span.series', own: 'span.own' })}
    group by span.line_item_id
  ), counted as materialized (
    select environment_id, line_item_id, coalesce(held.events, 0) as events, coalesce(held.key_sum, 0) as key_sum
    from (select distinct environment_id, line_item_id from span) as l full join held using (line_item_id)
  )`;

/** SQL: the lines `l` of the customer $1, $3. */
const LINES = `
  select l.environment_id, l.id, l.subscription_id, l.charge_id, l.series, l.full_period_start from line_items l
  where l.environment_id = $1
    and l.invoice_id in (select id from invoices where environment_id = $1 and customer_id = $3)`;

/**
 * Keeps of each line that begins before the customer's archived_to, and is not kept yet, how many events it holds and
 * the sum of their keys. The caller holds the customer's lock. Returns the number of lines.
 */
export async function keepArchivedLines(
  db: Db,
  { environment_id, customer_id, customer_key }: ArchivedCustomer,
): Promise<number> {
  const { rowCount } = await byIndex(db, () =>
    db.query(
      `with line as materialized (${LINES}
       and l.full_period_start < (select archived_to from customers where environment_id = $1 and id = $3)
       and not exists (select from archived_lines a where a.environment_id = l.environment_id and a.line_item_id = l.id)
     ), ${COUNTED}
     insert into archived_lines (environment_id, line_item_id, events, key_sum)
     select environment_id, line_item_id, events, key_sum from counted`,
      [environment_id, customer_key, customer_id],
    ),
  );
  return rowCount ?? 0;
}

/**
 * Compares the lines of a customer that begin at or after `from` with what was kept of them, and forgets what is equal:
 * their events are back. Returns the lines that differ.
 */
export async function compareRestoredLines(
  db: Db,
  { environment_id, customer_id, customer_key }: ArchivedCustomer,
  from: string,
): Promise<string[]> {
  const { rows } = await byIndex(db, () =>
    db.query<{ line_item_id: string }>(
      `with line as materialized (${LINES}
       and l.full_period_start >= $4 and exists (
         select from archived_lines a where a.environment_id = l.environment_id and a.line_item_id = l.id)
     ), ${COUNTED}, equal as (
       delete from archived_lines a using counted
       where a.environment_id = counted.environment_id and a.line_item_id = counted.line_item_id
         and (a.events, a.key_sum) = (counted.events, counted.key_sum)
       returning a.line_item_id
     )
     select line_item_id from counted where line_item_id not in (select line_item_id from equal) order by 1`,
      [environment_id, customer_key, customer_id, from],
    ),
  );
  return rows.map(({ line_item_id }) => line_item_id);
}

/** How many lines no check recounts, because their events are archived. */
export async function countArchivedLines(db: Db): Promise<number> {
  const { rows } = await db.query<{ lines: number }>('select count(*)::integer as lines from archived_lines');
  return rows[0]!.lines;
}
