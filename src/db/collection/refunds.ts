import type { RefundStatus } from '../../domain/collection/refund.ts';
import type { Db } from '../connection/pool.ts';

/** A refund as its steps read it. `customer_id` is our `cus_` id. */
export type RefundRow = {
  environment_id: number;
  id: string;
  payment_id: string;
  invoice_id: string | null;
  customer_id: string;
  credit_note_id: string | null;
  amount: string;
  currency: string;
  reason: string | null;
  provider_id: string;
  charge_reference: string;
  provider_reference: string | null;
  status: RefundStatus;
  taken_amount: string | null;
};

const SELECT = `
  select f.environment_id, f.id, f.payment_id, f.invoice_id, f.customer_id, f.credit_note_id, f.amount::text as amount,
    f.currency, f.reason, f.provider_id, f.charge_reference, f.provider_reference, f.status,
    f.taken_amount::text as taken_amount
  from payment_refunds f`;

/** `request_key` is null without an Idempotency-Key, `created_by` for one that was made at the provider. */
export type NewRefund = Omit<
  RefundRow,
  'environment_id' | 'provider_reference' | 'status' | 'taken_amount'
> & {
  request_key: string | null;
  created_by: string | null;
};

/** Stores a refund, which is asked of the provider, or read there, after some seconds if nobody has done so before. */
export async function insertRefund(
  db: Db,
  environment_id: number,
  refund: NewRefund,
  seconds: number,
): Promise<void> {
  await db.query(
    `insert into payment_refunds (environment_id, id, payment_id, invoice_id, customer_id, credit_note_id, amount,
       currency, reason, provider_id, charge_reference, request_key, created_by, next_read_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + make_interval(secs => $14))`,
    [
      environment_id,
      refund.id,
      refund.payment_id,
      refund.invoice_id,
      refund.customer_id,
      refund.credit_note_id,
      refund.amount,
      refund.currency,
      refund.reason,
      refund.provider_id,
      refund.charge_reference,
      refund.request_key,
      refund.created_by,
      seconds,
    ],
  );
}

/** The payment of the refund of an earlier request with a key; null if there is none. */
export async function findRefundByKey(
  db: Db,
  environment_id: number,
  request_key: string,
): Promise<string | null> {
  const { rows } = await db.query<{ payment_id: string }>(
    'select payment_id from payment_refunds where environment_id = $1 and request_key = $2',
    [environment_id, request_key],
  );
  return rows[0]?.payment_id ?? null;
}

/**
 * The row of a refund at a provider: with its id there, else the one that asked for it, of the charge, by `refund_id`;
 * null if it is unknown here.
 */
export async function findRefundRow(
  db: Db,
  environment_id: number,
  at: { provider_id: string; reference: string; charge_reference: string; refund_id: string | null },
): Promise<RefundRow | null> {
  const { rows } = await db.query<RefundRow>(
    `${SELECT} where f.environment_id = $1 and f.provider_id = $2
       and (f.provider_reference = $3 or f.provider_reference is null and f.id = $4 and f.charge_reference = $5)
     order by f.provider_reference nulls last limit 1`,
    [environment_id, at.provider_id, at.reference, at.refund_id, at.charge_reference],
  );
  return rows[0] ?? null;
}

/** The ids at the provider of the refunds of a charge that are known here, or that a row here has asked for. */
export async function knownRefunds(
  db: Db,
  environment_id: number,
  { provider_id, charge_reference }: { provider_id: string; charge_reference: string },
): Promise<{ id: string; provider_reference: string | null }[]> {
  const { rows } = await db.query<{ id: string; provider_reference: string | null }>(
    `select id, provider_reference from payment_refunds
     where environment_id = $1 and provider_id = $2 and charge_reference = $3`,
    [environment_id, provider_id, charge_reference],
  );
  return rows;
}

/**
 * Notes a refund as the provider has it; a pending one is read each hour from then on. The caller holds the lock of the
 * customer.
 */
export async function noteRefund(
  db: Db,
  { environment_id, id }: Pick<RefundRow, 'environment_id' | 'id'>,
  { reference, status }: { reference: string | null; status: RefundStatus },
): Promise<void> {
  await db.query(
    `update payment_refunds set provider_reference = coalesce($3, provider_reference), status = $4,
       ended_at = case when $4 <> 'pending' then coalesce(ended_at, date_trunc('milliseconds', now())) end,
       next_read_at = case when $4 = 'pending' then now() + interval '1 hour' end
     where environment_id = $1 and id = $2`,
    [environment_id, id, reference, status],
  );
}

/** Refunds whose turn it is, the oldest first. */
export async function dueRefunds(db: Db, limit: number): Promise<RefundRow[]> {
  const { rows } = await db.query<RefundRow>(
    `${SELECT} join payment_providers p on p.environment_id = f.environment_id and p.id = f.provider_id
     where f.next_read_at <= now() and p.deleted_at is null order by f.next_read_at limit $1`,
    [limit],
  );
  return rows;
}
