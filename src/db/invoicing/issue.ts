import type { Issue } from '../../domain/invoice/close.ts';
import { sumsOfLines } from '../../domain/invoice/revenue.ts';
import { CONTENT_HASH_VERSION, contentHash } from './content-hash.ts';
import { BILLED_CUSTOMER, INVOICE_COLUMNS, present, SELLER, type InvoiceRow } from './invoices.ts';
import type { LineItem } from './line-items.ts';
import { MAY_NUMBER, numberingRefusal } from './numbering.ts';
import { invalidState } from './owed.ts';
import type { Db } from '../connection/pool.ts';

/** A draft to issue, whose totals are stored, with its lines as they are stored. */
export type DraftToIssue = Issue & { id: string; lines: readonly LineItem[] };

/** SQL: the number of the issued draft `a`, of the count drafts that the counter of `n` has just gone past. */
const NUMBER = 'n.last_invoice_number - n.issued + a.place';
/** SQL: the whole number of an invoice: the environment's prefix, and six digits at least. */
const FULL_NUMBER = `n.invoice_prefix || lpad((${NUMBER})::text, greatest(6, length((${NUMBER})::text)), '0')`;

/**
 * Draft to open, or to paid if nothing is due: gives the numbers of all, one after the other in the order of the list,
 * from the environment's counter in the same transaction, so that a rollback returns them. Stores seller, logo and
 * customer as they are now, the due date, what the balance covers, the sums of the lines by type, and the content hash
 * (billing.md 6). From here to the end of the transaction every other invoice of the environment waits, so nothing is
 * done after it. Throws conflict
 * `invalid_state` if an invoice is not a draft, or if live invoices wait for the count of numbers (operations.md,
 * backup and restore).
 */
export async function issueDrafts(
  db: Db,
  environment_id: number,
  drafts: readonly DraftToIssue[],
): Promise<void> {
  if (drafts.length === 0) return;
  const numbered_drafts = drafts.map(({ lines, ...draft }, at) => ({
    ...draft,
    ...sumsOfLines(lines),
    place: at + 1,
  }));
  const { rows } = await db.query<InvoiceRow>(
    `with counter as (
       update environments set last_invoice_number = last_invoice_number + $3 where id = $1 and ${MAY_NUMBER}
       returning *, $3::integer as issued
     )
     update invoices i set status = a.status, number = ${NUMBER}, full_number = ${FULL_NUMBER},
       issued_at = a.issued_at, paid_at = case when a.status = 'paid' then a.issued_at end,
       due_date = a.due_date, due_at = a.due_at, hide_zero_lines = n.hide_zero_lines,
       balance_at_issue = a.balance, balance_applied = a.balance, seller = ${SELLER}, customer = ${BILLED_CUSTOMER},
       logo_sha256 = n.logo_sha256, fees = a.fees, usage = a.usage, late_usage = a.late_usage, items = a.items,
       discounts = a.discounts, minimums = a.minimums
     from counter n, customers c, jsonb_to_recordset($2) as a(id text, place integer, status text,
       issued_at timestamptz, due_date date, due_at timestamptz, balance numeric, fees numeric, usage numeric,
       late_usage numeric, items numeric, discounts numeric, minimums numeric)
     where i.environment_id = $1 and i.id = a.id and i.status = 'draft'
       and c.environment_id = $1 and c.id = i.customer_id
     returning ${INVOICE_COLUMNS}`,
    [environment_id, JSON.stringify(numbered_drafts), drafts.length],
  );
  const issued = new Map(rows.map((row) => [row.id, row]));
  const refused = drafts.find(({ id }) => !issued.has(id));
  if (refused !== undefined)
    throw (await numberingRefusal(db, environment_id)) ?? invalidState(refused.id, 'is no longer a draft');
  const hashes = drafts.map(({ id, lines }) => {
    const hash = contentHash(present(issued.get(id)!, lines)).toString('hex');
    return { id, hash };
  });
  await db.query(
    `update invoices i set content_hash = decode(h.hash, 'hex'), content_hash_version = $3
     from jsonb_to_recordset($2) as h(id text, hash text) where i.environment_id = $1 and i.id = h.id`,
    [environment_id, JSON.stringify(hashes), CONTENT_HASH_VERSION],
  );
}
