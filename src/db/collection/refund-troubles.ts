import type { Db } from '../connection/pool.ts';

/** Days for which a refund of a credit note that has failed is listed. */
const LISTED_DAYS = 30;

/** Money of a charge that a person has to look at. */
export type RefundTrouble = {
  id: string;
  kind: 'refund' | 'dispute' | 'note';
  customer_id: string;
  invoice_id: string | null;
  amount: string;
  currency: string;
  created_at: string;
  /** Why it cannot be booked; of a credit note, whose refund has failed, null. */
  fault: string | null;
};

/** Refunds and disputes that cannot be booked, and refunds of credit notes that have failed, newest first. */
export async function listRefundTroubles(
  db: Db,
  environment_id: number,
  limit: number,
): Promise<RefundTrouble[]> {
  const { rows } = await db.query<RefundTrouble>(
    `select t.id, t.kind, c.external_id as customer_id, t.invoice_id, t.amount::text as amount, t.currency,
       t.created_at, t.fault
     from (
       select f.environment_id, f.customer_id, f.id, 'refund' as kind, f.invoice_id, f.amount, f.currency, f.created_at,
         f.fault
       from payment_refunds f where f.environment_id = $1 and f.fault is not null
       union all
       select d.environment_id, d.customer_id, d.id, 'dispute', d.invoice_id, d.amount, d.currency, d.created_at, d.fault
       from payment_disputes d where d.environment_id = $1 and d.fault is not null
       union all
       select f.environment_id, f.customer_id, f.id, 'note', f.invoice_id, f.amount, f.currency, f.created_at, null
       from payment_refunds f where f.environment_id = $1 and f.status = 'failed' and f.credit_note_id is not null
         and f.ended_at > now() - interval '${LISTED_DAYS} days') as t
     join customers c on c.environment_id = t.environment_id and c.id = t.customer_id
     order by t.created_at desc, t.id desc limit $2`,
    [environment_id, limit],
  );
  return rows;
}
