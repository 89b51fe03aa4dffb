import type { Db } from '../connection/pool.ts';

/** Limit of the invoices, and of the credit notes, that a search by a part of a number or by a total looks at. */
export const DOCUMENTS_SEARCHED_MAX = 10_000;

/** `part`: of a number, in lower case; `total`: a decimal. Null searches for none. */
export type DocumentWords = { part: string | null; total: string | null; limit: number };

/**
 * The ids of the documents of a kind with a part in their number, or with a total, among the newest, the newest first.
 */
export async function searchDocuments(
  db: Db,
  environment_id: number,
  { kind, part, total, limit }: DocumentWords & { kind: 'invoices' | 'credit_notes' },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from (
       select id, full_number, total from ${kind} where environment_id = $1 order by id desc limit $2) as newest
     where position($3::text in lower(full_number)) > 0 or total = $4::numeric order by id desc limit $5`,
    [environment_id, DOCUMENTS_SEARCHED_MAX, part, total, limit],
  );
  return rows.map(({ id }) => id);
}

/** The newest invoices of a customer, at most `limit`. */
export async function newestInvoicesOf(
  db: Db,
  environment_id: number,
  { customer_id, limit }: { customer_id: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from invoices where environment_id = $1 and customer_id = $2 order by id desc limit $3`,
    [environment_id, customer_id, limit],
  );
  return rows.map(({ id }) => id);
}
