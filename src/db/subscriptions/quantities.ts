import type { QuantityChange } from '../../domain/subscription/quantity.ts';
import type { Db } from '../connection/pool.ts';
import type { PeriodKey } from './periods.ts';

/** SQL: the members of a QuantityChange, of the row `q`; one with which the subscription begins has no instant. */
const MEMBERS = `q.event_name, case when isfinite(q.at) then q.at end as at, trim_scale(q.quantity)::text as quantity,
  q.settle, q.bill, q.came_at is not null as is_settled`;

/** SQL: the changes of quantity of a name of the subscription `s`, in the order of time, as QuantityChanges. */
export function quantitiesOf(event_name: string): string {
  return `(
    select coalesce(jsonb_agg(jsonb_build_object('event_name', q.event_name,
      'at', case when isfinite(q.at) then instant_text(q.at) end, 'quantity', trim_scale(q.quantity)::text,
      'settle', q.settle, 'bill', q.bill, 'is_settled', q.came_at is not null) order by q.at), '[]')
    from quantity_changes q
    where q.environment_id = s.environment_id and q.subscription_id = s.id and q.event_name = ${event_name})`;
}

/**
 * The changes of quantity of subscriptions from an instant on, and of each name the last one before it, in the order of
 * time.
 */
export async function quantitiesSince(
  db: Db,
  environment_id: number,
  keys: readonly { subscription_id: string; from: string }[],
): Promise<(QuantityChange & { subscription_id: string })[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<QuantityChange & { subscription_id: string }>(
    `select q.subscription_id, ${MEMBERS}
     from jsonb_to_recordset($2) as a(subscription_id text, "from" timestamptz)
     join quantity_changes q on q.environment_id = $1 and q.subscription_id = a.subscription_id
       and (q.at >= a."from" or q.at = (
         select max(l.at) from quantity_changes l
         where l.environment_id = $1 and l.subscription_id = q.subscription_id and l.event_name = q.event_name
           and l.at < a."from"))
     order by q.subscription_id, q.at, q.event_name`,
    [environment_id, JSON.stringify(keys)],
  );
  return rows;
}

/** Instants of a subscription: those that are to come at `now`, and those from `from` on, each without `at`. */
export async function countInstants(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { now, from, at }: { now: string; from: string; at: string },
): Promise<{ to_come: number; since: number }> {
  const { rows } = await db.query<{ to_come: number; since: number }>(
    `select count(distinct q.at) filter (where q.at > $3)::integer as to_come,
       count(distinct q.at) filter (where q.at >= $4)::integer as since
     from quantity_changes q
     where q.environment_id = $1 and q.subscription_id = $2 and isfinite(q.at) and q.at <> $5`,
    [environment_id, subscription_id, now, from, at],
  );
  return rows[0]!;
}

/** Changes of quantity of one request; `came_at` is set where nothing is to be done as they come. */
type NewQuantities = {
  at: string | null;
  quantities: Readonly<Record<string, string>>;
  with_change: boolean;
  came_at: string | null;
} & Pick<QuantityChange, 'settle' | 'bill'>;

/**
 * Stores quantities in place of those of their names at the same instant. The caller holds the lock of the customer.
 */
export async function putQuantities(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { at, quantities, ...terms }: NewQuantities,
): Promise<void> {
  await db.query(
    `insert into quantity_changes (environment_id, subscription_id, event_name, at, quantity, settle, bill, with_change,
       came_at)
     select $1, $2, n.key, coalesce($3::timestamptz, '-infinity'), n.value::numeric, $5, $6, $7, $8
     from jsonb_each_text($4) as n order by n.key
     on conflict (environment_id, subscription_id, event_name, at) do update set quantity = excluded.quantity,
       settle = excluded.settle, bill = excluded.bill, with_change = excluded.with_change,
       came_at = excluded.came_at`,
    [
      environment_id,
      subscription_id,
      at,
      JSON.stringify(quantities),
      terms.settle,
      terms.bill,
      terms.with_change,
      terms.came_at,
    ],
  );
}

/** Deletes the quantities of names up to an instant, for those with which billing begins. */
export async function dropQuantitiesUpTo(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { names, at }: { names: readonly string[]; at: string },
): Promise<void> {
  await db.query(
    `delete from quantity_changes
     where environment_id = $1 and subscription_id = $2 and event_name = any($3) and isfinite(at) and at <= $4`,
    [environment_id, subscription_id, names, at],
  );
}

/** Deletes the quantities at an instant or later, which an end of the subscription drops. */
export async function dropQuantities(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  from: string,
): Promise<void> {
  await db.query(
    `delete from quantity_changes where environment_id = $1 and subscription_id = $2 and at >= $3`,
    [environment_id, subscription_id, from],
  );
}

/** Deletes the quantities at one instant that is still to come at `now`. Returns how many. */
export async function takeBackQuantitiesAt(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { at, now }: { at: string; now: string },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from quantity_changes where environment_id = $1 and subscription_id = $2 and at = $3 and at > $4`,
    [environment_id, subscription_id, at, now],
  );
  return rowCount!;
}

/**
 * Deletes the quantities that were sent with changes of plan still to come at `now`, and with one at an instant.
 * Returns how many.
 */
export async function dropQuantitiesOfChanges(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { now, at }: { now: string; at: string | null },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from quantity_changes
     where environment_id = $1 and subscription_id = $2 and with_change and (at > $3 or at = $4)`,
    [environment_id, subscription_id, now, at],
  );
  return rowCount!;
}

/** A change of quantity whose notes and openings are to be made, and whether it raises the quantity before it. */
export type DueQuantity = QuantityChange & { is_higher: boolean };

/** The changes of quantity that have come by an instant and are not settled, in the order of time. */
export async function quantitiesToSettle(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  up_to: string,
): Promise<DueQuantity[]> {
  const { rows } = await db.query<DueQuantity>(
    `select ${MEMBERS}, q.quantity > coalesce((
         select b.quantity from quantity_changes b
         where b.environment_id = q.environment_id and b.subscription_id = q.subscription_id
           and b.event_name = q.event_name and b.at < q.at
         order by b.at desc limit 1), 1) as is_higher
     from quantity_changes q
     where q.environment_id = $1 and q.subscription_id = $2 and q.came_at is null and q.at <= $3
     order by q.at, q.event_name`,
    [environment_id, subscription_id, up_to],
  );
  return rows;
}

/** Marks the quantities that have come by an instant as settled. */
export async function markSettled(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { up_to, now }: { up_to: string; now: string },
): Promise<void> {
  await db.query(
    `update quantity_changes set came_at = $4
     where environment_id = $1 and subscription_id = $2 and came_at is null and at <= $3`,
    [environment_id, subscription_id, up_to, now],
  );
}
