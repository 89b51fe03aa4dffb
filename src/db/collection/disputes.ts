import type { DisputeStatus } from '../../domain/collection/refund.ts';
import type { Db } from '../connection/pool.ts';

/** A dispute as its steps read it. `customer_id` is our `cus_` id. */
export type DisputeRow = {
  environment_id: number;
  id: string;
  payment_id: string;
  invoice_id: string | null;
  customer_id: string;
  amount: string;
  currency: string;
  reason: string;
  provider_id: string;
  charge_reference: string;
  provider_reference: string;
  status: DisputeStatus;
  taken_amount: string | null;
};

const SELECT = `
  select d.environment_id, d.id, d.payment_id, d.invoice_id, d.customer_id, d.amount::text as amount, d.currency,
    d.reason, d.provider_id, d.charge_reference, d.provider_reference, d.status, d.taken_amount::text as taken_amount
  from payment_disputes d`;

/** A dispute of a provider; null if it is unknown here. */
export async function findDisputeRow(
  db: Db,
  environment_id: number,
  { provider_id, reference }: { provider_id: string; reference: string },
): Promise<DisputeRow | null> {
  const { rows } = await db.query<DisputeRow>(
    `${SELECT} where d.environment_id = $1 and d.provider_id = $2 and d.provider_reference = $3`,
    [environment_id, provider_id, reference],
  );
  return rows[0] ?? null;
}

/** SQL: the status $n is that of a dispute whose end nobody knows. */
const isOpen = (status: string) => `${status} in ('inquiry', 'open')`;

/** Stores a dispute; one that is open is read each day. The caller holds the lock of the customer. */
export async function insertDispute(
  db: Db,
  { environment_id, taken_amount: _, ...dispute }: DisputeRow,
): Promise<void> {
  await db.query(
    `insert into payment_disputes (environment_id, id, payment_id, invoice_id, customer_id, amount, currency, reason,
       provider_id, charge_reference, provider_reference, status, ended_at, next_read_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
       case when not ${isOpen('$12')} then date_trunc('milliseconds', now()) end,
       case when ${isOpen('$12')} then now() + interval '1 day' end)`,
    [
      environment_id,
      dispute.id,
      dispute.payment_id,
      dispute.invoice_id,
      dispute.customer_id,
      dispute.amount,
      dispute.currency,
      dispute.reason,
      dispute.provider_id,
      dispute.charge_reference,
      dispute.provider_reference,
      dispute.status,
    ],
  );
}

/** Notes a dispute as the provider has it. The caller holds the lock of the customer. */
export async function noteDispute(
  db: Db,
  { environment_id, id }: Pick<DisputeRow, 'environment_id' | 'id'>,
  { status, amount }: { status: DisputeStatus; amount: string },
): Promise<void> {
  await db.query(
    `update payment_disputes set status = $3, amount = $4,
       ended_at = case when not ${isOpen('$3')} then coalesce(ended_at, date_trunc('milliseconds', now())) end,
       next_read_at = case when ${isOpen('$3')} then now() + interval '1 day' end
     where environment_id = $1 and id = $2`,
    [environment_id, id, status, amount],
  );
}

/** Disputes whose turn it is, the oldest first. */
export async function dueDisputes(db: Db, limit: number): Promise<DisputeRow[]> {
  const { rows } = await db.query<DisputeRow>(
    `${SELECT} join payment_providers p on p.environment_id = d.environment_id and p.id = d.provider_id
     where d.next_read_at <= now() and p.deleted_at is null order by d.next_read_at limit $1`,
    [limit],
  );
  return rows;
}
