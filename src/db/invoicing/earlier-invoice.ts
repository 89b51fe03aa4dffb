import type { Invoice } from '../../objects/invoice.ts';
import { SELECT, withLines, type InvoiceRow } from './invoices.ts';
import type { Db } from '../connection/pool.ts';

/** An invoice, issued or not; `id` is null for one that is not made yet. */
export type LaterInvoice = Pick<Invoice, 'subscription_id' | 'kind' | 'period_start'> & { id: string | null };

/**
 * Finds the invoice before another one of the same subscription and kind: of the issued ones that are not void the one
 * whose period ends last, at or before the start of the other's; null if there is none.
 */
export async function findEarlierInvoice(
  db: Db,
  environment_id: number,
  { id, subscription_id, kind, period_start }: LaterInvoice,
): Promise<Invoice | null> {
  const { rows } = await db.query<InvoiceRow>(
    `${SELECT} where i.environment_id = $1 and i.subscription_id = $2 and i.kind = $3
       and i.status <> 'void' and i.issued_at is not null
       and i.period_start <= $4 and i.period_end <= $4 and i.id is distinct from $5
     order by i.period_end desc, i.id desc limit 1`,
    [environment_id, subscription_id, kind, period_start, id],
  );
  return (await withLines(db, rows))[0] ?? null;
}
