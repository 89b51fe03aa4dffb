import type { AttemptStatus } from '../../domain/collection/attempt.ts';
import type { PaymentAttempt } from '../../objects/payment-attempt.ts';
import type { Db } from '../connection/pool.ts';

const SELECT = `
  select a.id, 'payment_attempt' as object, n.livemode, a.created_at, a.invoice_id, c.external_id as customer_id,
    a.number, a.amount::text as amount, a.currency, a.payment_method_id, a.by, a.status, a.decline_code,
    a.provider_reference, a.payment_id, a.ended_at
  from payment_attempts a
  join customers c on c.environment_id = a.environment_id and c.id = a.customer_id
  join environments n on n.id = a.environment_id`;

/** The attempts with these ids, in any order. */
export async function readAttempts(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<PaymentAttempt[]> {
  const { rows } = await db.query<PaymentAttempt>(
    `${SELECT} where a.environment_id = $1 and a.id = any($2)`,
    [environment_id, ids],
  );
  return rows;
}

/** An attempt by its id; null if it does not exist. */
export async function findAttempt(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PaymentAttempt | null> {
  return (await readAttempts(db, environment_id, [id]))[0] ?? null;
}

/** The id of the attempt of an earlier request with a key; null if there is none. */
export async function findAttemptByKey(
  db: Db,
  environment_id: number,
  request_key: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select id from payment_attempts where environment_id = $1 and request_key = $2',
    [environment_id, request_key],
  );
  return rows[0]?.id ?? null;
}

/** `customer_id` is the external id or our `cus_` id. */
export type AttemptFilter = {
  customer_id: string | null;
  invoice_id: string | null;
  status: AttemptStatus | null;
};

/** Attempts, newest first. */
export async function listAttempts(
  db: Db,
  environment_id: number,
  {
    customer_id,
    invoice_id,
    status,
    before,
    limit,
  }: AttemptFilter & { before: string | null; limit: number },
): Promise<PaymentAttempt[]> {
  const { rows } = await db.query<PaymentAttempt>(
    `${SELECT} where a.environment_id = $1
       and ($2::text is null or c.external_id = $2 or c.id = $2) and ($3::text is null or a.invoice_id = $3)
       and ($4::text is null or a.status = $4) and ($5::text is null or a.id < $5)
     order by a.id desc limit $6`,
    [environment_id, customer_id, invoice_id, status, before, limit],
  );
  return rows;
}
