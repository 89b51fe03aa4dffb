import type { DisputeStatus, RefundStatus } from '../../domain/collection/refund.ts';
import type { PaymentDispute } from '../../objects/payment-dispute.ts';
import type { PaymentRefund } from '../../objects/payment-refund.ts';
import type { Db } from '../connection/pool.ts';

const REFUND = `
  select f.id, 'payment_refund' as object, n.livemode, f.created_at, f.payment_id, f.invoice_id,
    c.external_id as customer_id, f.credit_note_id, f.amount::text as amount, f.currency, f.reason, f.status,
    f.provider_reference, f.created_by, f.ended_at
  from payment_refunds f
  join customers c on c.environment_id = f.environment_id and c.id = f.customer_id
  join environments n on n.id = f.environment_id`;

const DISPUTE = `
  select d.id, 'payment_dispute' as object, n.livemode, d.created_at, d.payment_id, d.invoice_id,
    c.external_id as customer_id, d.amount::text as amount, d.currency, d.reason, d.status, d.provider_reference,
    d.ended_at
  from payment_disputes d
  join customers c on c.environment_id = d.environment_id and c.id = d.customer_id
  join environments n on n.id = d.environment_id`;

/** The refunds with these ids, in any order. */
export async function readRefunds(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<PaymentRefund[]> {
  const { rows } = await db.query<PaymentRefund>(`${REFUND} where f.environment_id = $1 and f.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows;
}

/** The disputes with these ids, in any order. */
export async function readDisputes(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<PaymentDispute[]> {
  const { rows } = await db.query<PaymentDispute>(
    `${DISPUTE} where d.environment_id = $1 and d.id = any($2)`,
    [environment_id, ids],
  );
  return rows;
}

/** `customer_id` is the external id or our `cus_` id. */
export type TakenBackFilter<Status> = {
  payment_id: string | null;
  invoice_id: string | null;
  customer_id: string | null;
  status: Status | null;
};
type PageOf<Status> = TakenBackFilter<Status> & { before: string | null; limit: number };

/** SQL: a page of the rows `r` that pass a filter, newest first. */
const passing = (r: string) => `where ${r}.environment_id = $1
       and ($2::text is null or ${r}.payment_id = $2) and ($3::text is null or ${r}.invoice_id = $3)
       and ($4::text is null or c.external_id = $4 or c.id = $4) and ($5::text is null or ${r}.status = $5)
       and ($6::text is null or ${r}.id < $6)
     order by ${r}.id desc limit $7`;

function valuesOf<Status>(environment_id: number, page: PageOf<Status>) {
  const { payment_id, invoice_id, customer_id, status, before, limit } = page;
  return [environment_id, payment_id, invoice_id, customer_id, status, before, limit];
}

/** Refunds, newest first. */
export async function listRefunds(
  db: Db,
  environment_id: number,
  page: PageOf<RefundStatus>,
): Promise<PaymentRefund[]> {
  const { rows } = await db.query<PaymentRefund>(`${REFUND} ${passing('f')}`, valuesOf(environment_id, page));
  return rows;
}

/** Disputes, newest first. */
export async function listDisputes(
  db: Db,
  environment_id: number,
  page: PageOf<DisputeStatus>,
): Promise<PaymentDispute[]> {
  const { rows } = await db.query<PaymentDispute>(
    `${DISPUTE} ${passing('d')}`,
    valuesOf(environment_id, page),
  );
  return rows;
}
