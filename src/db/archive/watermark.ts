import type { Db } from '../connection/pool.ts';
import { PENDING } from '../reports/pending-days.ts';

/** A customer whose events may leave. */
export type ArchivedCustomer = { environment_id: number; customer_id: string; customer_key: string };

/**
 * The next customers, by key, without those whose counts or redactions are not complete: their events are still needed.
 */
export async function customersToArchive(
  db: Db,
  page: { after: string; limit: number },
): Promise<ArchivedCustomer[]> {
  const { rows } = await db.query<ArchivedCustomer>(
    `with pending as materialized (select p.customer_key from ${PENDING} as p)
     select c.environment_id, c.id as customer_id, c.key as customer_key from customers c
     where c.key > $1
       and not exists (select from set_aside s where s.environment_id = c.environment_id and s.customer_id = c.id)
       and not exists (select from pending p where p.customer_key = c.key)
       and not exists (select from redactions r where r.customer_key = c.key and r.finished_at is null)
     order by c.key limit $2`,
    [page.after, page.limit],
  );
  return rows;
}

/**
 * SQL: the first instants of the full periods of the customer $1, $2 that are not billed for good: open, without an
 * open or paid invoice, with an open late window, or with a line on a draft or on an invoice that waits for its
 * regeneration.
 */
const UNSETTLED = `
  select p.full_period_start from subscriptions s
  join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id
  where s.environment_id = $1 and s.customer_id = $2 and not (p.closed_at is not null and case p.kind
    when 'billing' then p.late_window_closed_at is not null and exists (
      select from invoices i where i.environment_id = $1 and i.subscription_id = s.id
        and i.period_start = p.period_start
        and i.status in ('open', 'paid') and i.kind = 'period')
    else true end)
  union all
  select least(l.full_period_start, i.period_start) from invoices i
  left join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
  where i.environment_id = $1 and i.customer_id = $2 and (i.status = 'draft' or exists (
    select from regenerations r where r.environment_id = i.environment_id and r.invoice_id = i.id
      and r.status = 'pending'))`;

/**
 * The day (UTC) before which the events of a customer may leave, at most `before`; the caller holds the customer's
 * lock. Whole days, because what is counted is counted by day.
 */
export async function settledUntil(
  db: Db,
  { environment_id, customer_id }: ArchivedCustomer,
  before: string,
): Promise<string> {
  const { rows } = await db.query<{ until: string }>(
    `select date_trunc('day', least($3::timestamptz, min(full_period_start)), 'UTC') as until
     from (${UNSETTLED}) as unsettled(full_period_start)`,
    [environment_id, customer_id, before],
  );
  return rows[0]!.until;
}

/** Locks a customer; false if it is gone. */
export async function lockArchivedCustomer(
  db: Db,
  { environment_id, customer_id }: ArchivedCustomer,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from customers where environment_id = $1 and id = $2 for no key update',
    [environment_id, customer_id],
  );
  return rowCount === 1;
}

/** Moves archived_to forward, never back. Returns false if it is there already. */
export async function moveArchivedTo(
  db: Db,
  { environment_id, customer_id }: ArchivedCustomer,
  archived_to: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update customers set archived_to = $3
     where environment_id = $1 and id = $2 and (archived_to is null or archived_to < $3)`,
    [environment_id, customer_id, archived_to],
  );
  return rowCount === 1;
}

/** Customers whose events at or after an instant are back in the database, although archived_to is later. */
export async function customersArchivedBeyond(
  db: Db,
  instant: string,
  page: { after: string; limit: number },
): Promise<ArchivedCustomer[]> {
  const { rows } = await db.query<ArchivedCustomer>(
    `select environment_id, id as customer_id, key as customer_key from customers
     where archived_to > $1 and key > $2 order by key limit $3`,
    [instant, page.after, page.limit],
  );
  return rows;
}

/**
 * Moves archived_to back to an instant, or to null if nothing before it is archived; the caller holds the customer's
 * lock.
 */
export async function moveArchivedToBack(
  db: Db,
  { environment_id, customer_id }: ArchivedCustomer,
  archived_to: string | null,
): Promise<void> {
  await db.query(
    `update customers set archived_to = $3
     where environment_id = $1 and id = $2 and archived_to > coalesce($3::timestamptz, $4)`,
    [environment_id, customer_id, archived_to, '-infinity'],
  );
}

/** The instant some days ago, by the database's clock. */
export async function daysAgo(db: Db, days: number): Promise<string> {
  const { rows } = await db.query<{ instant: string }>(
    `select date_trunc('milliseconds', now() - $1::integer * interval '1 day') as instant`,
    [days],
  );
  return rows[0]!.instant;
}
