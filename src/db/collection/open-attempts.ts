import { rowsOfBatch } from '../changes/consumers.ts';
import type { Db } from '../connection/pool.ts';
import { IS_OPEN } from '../invoicing/charged.ts';

/** An invoice with an open attempt, or a plan that goes on. */
export type CollectedInvoice = { environment_id: number; invoice_id: string };

/** SQL: the plan `k` goes on, or an attempt of its invoice is open. */
const GOES_ON = `k.status in ('scheduled', 'charging', 'processing')`;

/** SQL: by the clock of the customer `c` the plan `k` has its time; no timer of real time ends its wait. */
const IS_TIME = `k.status = 'scheduled' and k.next_attempt_at <= c.test_clock`;

/**
 * Plans that go on, of all environments, in the order of their invoices, after `after`; for the reconciler. `is_time`:
 * it is time by a test clock.
 */
export async function pageOfCollections(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<(CollectedInvoice & { is_time: boolean })[]> {
  const { rows } = await db.query<CollectedInvoice & { is_time: boolean }>(
    `select k.environment_id, k.invoice_id, coalesce(${IS_TIME}, false) as is_time
     from collections k join customers c on c.environment_id = k.environment_id and c.id = k.customer_id
     where ${GOES_ON} and k.invoice_id > $1 order by k.invoice_id limit $2`,
    [after, limit],
  );
  return rows;
}

/** The invoices of a customer, by its `cus_` id, whose plan has its time by the test clock. */
export async function timedByClock(
  db: Db,
  { environment_id, customer_id }: { environment_id: number; customer_id: string },
): Promise<CollectedInvoice[]> {
  const { rows } = await db.query<CollectedInvoice>(
    `select k.environment_id, k.invoice_id
     from collections k join customers c on c.environment_id = k.environment_id and c.id = k.customer_id
     where k.environment_id = $1 and k.customer_id = $2 and ${IS_TIME}`,
    [environment_id, customer_id],
  );
  return rows;
}

/** SQL: a row `r` of the log about an invoice without what changes nothing about its charges. */
const said = (row: 'before' | 'after') => `(r.${row} - '{sent_at,overdue_at,replaced_by}'::text[])`;

/**
 * SQL: plans `k` that a row `r` of the log concerns: a new one, that of a new attempt, those of an invoice or of a
 * customer that has changed, that of a page that has, and those that have ended of a customer with a new default
 * method.
 */
const CONCERNED = `
  select k.invoice_id from collections k
  where r.table_name = 'collections' and r.after ->> 'status' = 'scheduled'
    and coalesce(r.before ->> 'status', 'none') = 'none'
    and k.environment_id = r.environment_id and k.invoice_id = r.after ->> 'invoice_id' and ${GOES_ON}
  union all
  select a.invoice_id from payment_attempts a
  where r.table_name = 'payment_attempts' and r.before is null
    and a.environment_id = r.environment_id and a.id = r.after ->> 'id' and ${IS_OPEN}
  union all
  select k.invoice_id from collections k
  where r.table_name = 'invoices' and r.before ->> 'number' is not null and ${said('before')} <> ${said('after')}
    and k.environment_id = r.environment_id and k.invoice_id = r.after ->> 'id'
    and (k.first_at is not null or ${GOES_ON})
  union all
  select k.invoice_id from collections k
  where r.table_name = 'customers' and r.before ->> 'balance' = r.after ->> 'balance'
    and k.environment_id = r.environment_id and k.customer_id = r.after ->> 'id' and ${GOES_ON}
  union all
  select k.invoice_id from collections k
  where r.table_name = 'payment_methods' and r.after ->> 'is_default' = 'true'
    and r.before ->> 'is_default' is distinct from 'true'
    and k.environment_id = r.environment_id and k.customer_id = r.after ->> 'customer_id'
    and k.first_at is not null and not (${GOES_ON})
  union all
  select k.invoice_id from collections k
  where r.table_name = 'payment_pages' and r.before is not null
    and k.environment_id = r.environment_id and k.invoice_id = r.after ->> 'invoice_id' and ${GOES_ON}`;

/** Invoices whose plan or open attempt the next batch of the consumer `collections` concerns. */
export async function collectedInBatch(db: Db, rows_max: number): Promise<CollectedInvoice[]> {
  const { rows } = await db.query<CollectedInvoice>(
    `select distinct r.environment_id, w.invoice_id
     from ${rowsOfBatch('collections', rows_max)} as r cross join lateral (${CONCERNED}) as w`,
  );
  return rows;
}

/** The invoice of the open attempt that has an intent; null if there is none. */
export async function invoiceOfIntent(
  db: Db,
  { environment_id, reference }: { environment_id: number; reference: string },
): Promise<CollectedInvoice | null> {
  const { rows } = await db.query<CollectedInvoice>(
    `select a.environment_id, a.invoice_id from payment_attempts a
     where a.environment_id = $1 and a.provider_reference = $2 and ${IS_OPEN}`,
    [environment_id, reference],
  );
  return rows[0] ?? null;
}
