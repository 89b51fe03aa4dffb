import type { PauseReason } from '../../domain/invoice/collection-pause.ts';
import type { Db } from '../connection/pool.ts';
import { isPaused } from '../customers/collection-pauses.ts';

/** The table of money that goes back to a payer: by a refund, or by a dispute. */
export type TakenBackTable = 'payment_refunds' | 'payment_disputes';
type Key = { environment_id: number; id: string };

/** Seconds after which what cannot be booked is tried again. */
const AGAIN_SECONDS = 300;

/** Notes what is booked of a refund or a dispute, or why nothing can be, which is tried again. */
export async function noteBooked(
  db: Db,
  table: TakenBackTable,
  { environment_id, id }: Key,
  { taken_amount, fault }: { taken_amount: string | null; fault: string | null },
): Promise<void> {
  await db.query(
    `update ${table} set taken_amount = $3, fault = $4,
       next_read_at = case when $4::text is null then next_read_at else now() + make_interval(secs => $5) end
     where environment_id = $1 and id = $2`,
    [environment_id, id, taken_amount, fault, AGAIN_SECONDS],
  );
}

/** Has a refund or a dispute read, or asked for, again after some seconds. */
export async function putOffTakenBack(
  db: Db,
  table: TakenBackTable,
  { environment_id, id }: Key,
  seconds: number,
): Promise<void> {
  await db.query(
    `update ${table} set next_read_at = now() + make_interval(secs => $3)
     where environment_id = $1 and id = $2 and next_read_at is not null`,
    [environment_id, id, seconds],
  );
}

/** SQL: a refund or a dispute of the invoice `i` stands: its money is away, or the payer's bank asks. */
const HAS_TAKEN_BACK = `(exists (
    select from payment_refunds f
    where f.environment_id = i.environment_id and f.invoice_id = i.id and f.taken_amount > 0) or exists (
    select from payment_disputes d
    where d.environment_id = i.environment_id and d.invoice_id = i.id and d.status <> 'won'))`;

/**
 * Pauses the collection of an open invoice by a refund or a dispute, `by`, at the customer's now. A pause without a last
 * day stays as it is.
 */
export async function holdInvoice(
  db: Db,
  environment_id: number,
  pause: { invoice_id: string; reason: PauseReason; at: string; by: string },
): Promise<void> {
  const { invoice_id, reason, at: created_at, by: created_by } = pause;
  const written = { reason, until: null, ends_at: null, created_at, created_by };
  await db.query(
    `update invoices i set collection_pause = $3, collection_note = null
     where i.environment_id = $1 and i.id = $2 and i.status = 'open'
       and (not ${isPaused('i', '$4::timestamptz')} or i.collection_pause ->> 'ends_at' is not null)`,
    [environment_id, invoice_id, JSON.stringify(written), created_at],
  );
}

/** Ends the pause that a refund or a dispute has made, once none of the invoice stands. */
export async function releaseInvoice(
  db: Db,
  environment_id: number,
  { invoice_id, at }: { invoice_id: string; at: string },
): Promise<void> {
  await db.query(
    `update invoices i set collection_pause = null, collection_note = null, collection_resumed_at = $3
     where i.environment_id = $1 and i.id = $2 and i.collection_pause ->> 'created_by' ~ '^(prf|pdp)_'
       and not ${HAS_TAKEN_BACK}`,
    [environment_id, invoice_id, at],
  );
}
