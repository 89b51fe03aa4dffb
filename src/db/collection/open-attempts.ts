import { rowsOfBatch } from '../changes/consumers.ts';
import type { Db } from '../connection/pool.ts';
import { IS_OPEN } from '../invoicing/charged.ts';

/** An invoice with an open attempt. */
export type CollectedInvoice = { environment_id: number; invoice_id: string };

/** Open attempts of all environments, in the order of their ids, after `after`; for the reconciler. */
export async function pageOfOpenAttempts(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<(CollectedInvoice & { id: string })[]> {
  const { rows } = await db.query<CollectedInvoice & { id: string }>(
    `select a.environment_id, a.invoice_id, a.id from payment_attempts a
     where ${IS_OPEN} and a.id > $1 order by a.id limit $2`,
    [after, limit],
  );
  return rows;
}

/**
 * SQL: open attempts `a` that a row `r` of the log concerns: a new one, and those of an invoice, or of a customer, that
 * has changed.
 */
const CONCERNED = `
  select a.invoice_id from payment_attempts a
  where r.table_name = 'payment_attempts' and r.before is null
    and a.environment_id = r.environment_id and a.id = r.after ->> 'id' and ${IS_OPEN}
  union all
  select a.invoice_id from payment_attempts a
  where r.table_name = 'invoices' and r.before is not null
    and a.environment_id = r.environment_id and a.invoice_id = r.after ->> 'id' and ${IS_OPEN}
  union all
  select a.invoice_id from payment_attempts a
  where r.table_name = 'customers' and r.before is not null
    and a.environment_id = r.environment_id and a.customer_id = r.after ->> 'id' and ${IS_OPEN}`;

/** Invoices whose open attempt the next batch of the consumer `collections` concerns. */
export async function attemptsInBatch(db: Db, rows_max: number): Promise<CollectedInvoice[]> {
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
