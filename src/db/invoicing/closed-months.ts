import { conflict } from '../../domain/money/errors.ts';
import type { ClosedMonth } from '../../objects/closed-month.ts';
import { newId } from '../../keys/ids.ts';
import type { Db } from '../connection/pool.ts';
import { IS_AUTOMATIC } from './amount-due.ts';

const SELECT = `
  select 'closed_month' as object, m.month, n.livemode, m.month_from as "from", m.month_to as "to", m.closed_at,
    m.closed_by, m.entries::float8 as entries, m.journal_sha256, m.data
  from closed_months m join environments n on n.id = m.environment_id
  where m.environment_id = $1 and m.opened_at is null`;

/** A month that is closed; null for any other. */
export async function findClosedMonth(
  db: Db,
  environment_id: number,
  month: string,
): Promise<ClosedMonth | null> {
  const { rows } = await db.query<ClosedMonth>(`${SELECT} and m.month = $2`, [environment_id, month]);
  return rows[0] ?? null;
}

/** SQL: the issued documents that are void with $2, an invoice or a credit note: itself, and automatic notes. */
const VOIDED_WITH = `
  select i.id, i.issued_at from invoices i
  where i.environment_id = $1 and i.id = $2 and i.status in ('open', 'paid')
  union all
  select k.id, k.issued_at from credit_notes k
  where k.environment_id = $1 and k.status = 'issued'
    and (k.id = $2 or ${IS_AUTOMATIC} and (k.invoice_id = $2 or k.cause_invoice_id = $2))`;

/** SQL: the document `d` was issued in the closed month `m`. */
const WAS_ISSUED_IN = `d.issued_at >= m.month_from and d.issued_at < m.month_to`;

/**
 * Closed months, the latest first; with an `object_id`, an invoice or a credit note, only those that keep it from being
 * voided.
 */
export async function listClosedMonths(
  db: Db,
  environment_id: number,
  { object_id, before, limit }: { object_id: string | null; before: string | null; limit: number },
): Promise<ClosedMonth[]> {
  const { rows } = await db.query<ClosedMonth>(
    `${SELECT}
       and ($2::text is null or exists (select from (${VOIDED_WITH}) as d where ${WAS_ISSUED_IN}))
       and ($3::text is null or m.month < $3)
     order by m.month desc limit $4`,
    [environment_id, object_id, before, limit],
  );
  return rows;
}

/** How many invoices and credit notes were issued in a half-open range. */
export async function countDocuments(
  db: Db,
  environment_id: number,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const { rows } = await db.query<{ documents: number }>(
    `select (
       (select count(*) from invoices where environment_id = $1 and issued_at >= $2 and issued_at < $3)
       + (select count(*) from credit_notes where environment_id = $1 and issued_at >= $2 and issued_at < $3)
     )::float8 as documents`,
    [environment_id, from, to],
  );
  return rows[0]!.documents;
}

/** Returns false if the month is closed already. Waits for a concurrent transaction that closes it. */
export async function insertClosedMonth(
  db: Db,
  environment_id: number,
  month: Pick<ClosedMonth, 'month' | 'from' | 'to' | 'closed_by' | 'entries' | 'journal_sha256' | 'data'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into closed_months (environment_id, id, month, month_from, month_to, closed_by, entries, journal_sha256,
       data)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (environment_id, month) where opened_at is null do nothing`,
    [
      environment_id,
      newId('clm'),
      month.month,
      month.from,
      month.to,
      month.closed_by,
      month.entries,
      month.journal_sha256,
      JSON.stringify(month.data),
    ],
  );
  return rowCount === 1;
}

/** Opens a closed month again. Returns false if it is not closed. */
export async function markOpened(
  db: Db,
  environment_id: number,
  { month, reason, by }: { month: string; reason: string; by: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update closed_months set opened_at = date_trunc('milliseconds', now()), opened_by = $3, open_reason = $4
     where environment_id = $1 and month = $2 and opened_at is null`,
    [environment_id, month, by, reason],
  );
  return rowCount === 1;
}

/**
 * Throws conflict `month_closed` if an invoice that is to be voided or billed again, or a credit note that is to be
 * voided, was issued in a closed month, or an automatic note that would be void with it.
 */
export async function refuseClosedMonth(
  db: Db,
  environment_id: number,
  { kind, id }: { kind: 'invoice' | 'credit note'; id: string },
): Promise<void> {
  const { rows } = await db.query<{ document_id: string; month: string; closed_at: string }>(
    `select d.id as document_id, m.month, m.closed_at
     from (${VOIDED_WITH}) as d
     join closed_months m on m.environment_id = $1 and m.opened_at is null and ${WAS_ISSUED_IN}
     order by d.id <> $2, m.month, d.id limit 1`,
    [environment_id, id],
  );
  if (rows[0] === undefined) return;
  const { document_id, month, closed_at } = rows[0];
  const document =
    document_id === id ? `${kind} ${id}` : `credit note ${document_id}, void with ${kind} ${id},`;
  const way_out = kind === 'invoice' ? 'write a credit note' : 'post an invoice item';
  throw conflict(
    null,
    'month_closed',
    `${document} was issued in ${month}, which was closed at ${closed_at}: ${way_out} instead`,
  );
}
