import type { Db } from '../connection/pool.ts';
import { OF_ROW } from '../usage/series.ts';
import { IN_SPAN } from '../usage/usage.ts';
import type { ArchivedCustomer } from './watermark.ts';

/** SQL: a sum that says which events there are, whatever their order: of the first 60 bits of the hash of each key. */
const KEY_SUM = `coalesce(sum(('x' || left(encode(uuid_send(e.key_hash), 'hex'), 15))::bit(60)::bigint), 0)`;

/**
 * SQL: the events in the spans of the lines `l` of the customer with the key $2, counted, with the sum of their keys.
 */
const COUNTED = `
  select l.environment_id, l.id as line_item_id, count(e.id) as events, ${KEY_SUM} as key_sum
  from line_items l
  join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
  join lateral (
    select p.*, u.epoch as up_to_epoch, u.snapshot as up_to_snapshot, a.epoch as after_epoch,
      a.snapshot as after_snapshot
    from line_item_spans p
    join cut_offs u on u.environment_id = p.environment_id and u.id = p.up_to_cut_off_id
    left join cut_offs a on a.environment_id = p.environment_id and a.id = p.after_cut_off_id
    where p.environment_id = l.environment_id and p.line_item_id = l.id offset 0) as span on true
  left join lateral (
    select e.* from events e
    where e.customer_key = $2 and e.event_name = h.event_name and ${IN_SPAN}
      and ${OF_ROW.passes} and ${OF_ROW.isOfLine({ series: 'l.series', own: OF_ROW.own_groups })}
    offset 0) as e on true`;

/**
 * Keeps of each line that begins before the customer's archived_to, and is not kept yet, how many events it holds and
 * the sum of their keys. The caller holds the customer's lock. Returns the number of lines.
 */
export async function keepArchivedLines(
  db: Db,
  { environment_id, customer_id, customer_key }: ArchivedCustomer,
): Promise<number> {
  const { rowCount } = await db.query(
    `insert into archived_lines (environment_id, line_item_id, events, key_sum)
     ${COUNTED}
     where l.environment_id = $1
       and l.invoice_id in (select id from invoices where environment_id = $1 and customer_id = $3)
       and l.full_period_start < (select archived_to from customers where environment_id = $1 and id = $3)
       and not exists (select from archived_lines a where a.environment_id = l.environment_id and a.line_item_id = l.id)
     group by l.environment_id, l.id`,
    [environment_id, customer_key, customer_id],
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
  const { rows } = await db.query<{ line_item_id: string }>(
    `with counted as (
       ${COUNTED}
       where l.environment_id = $1
         and l.invoice_id in (select id from invoices where environment_id = $1 and customer_id = $3)
         and l.full_period_start >= $4 and exists (
           select from archived_lines a where a.environment_id = l.environment_id and a.line_item_id = l.id)
       group by l.environment_id, l.id
     ), equal as (
       delete from archived_lines a using counted
       where a.environment_id = counted.environment_id and a.line_item_id = counted.line_item_id
         and (a.events, a.key_sum) = (counted.events, counted.key_sum)
       returning a.line_item_id
     )
     select line_item_id from counted where line_item_id not in (select line_item_id from equal) order by 1`,
    [environment_id, customer_key, customer_id, from],
  );
  return rows.map(({ line_item_id }) => line_item_id);
}

/** How many lines no check recounts, because their events are archived. */
export async function countArchivedLines(db: Db): Promise<number> {
  const { rows } = await db.query<{ lines: number }>('select count(*)::integer as lines from archived_lines');
  return rows[0]!.lines;
}
