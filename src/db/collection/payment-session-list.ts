import type { SessionStatus } from '../../domain/collection/payment-session.ts';
import type { PaymentSession } from '../../objects/payment-session.ts';
import type { Db } from '../connection/pool.ts';

const STATUS = `case y.status when 'complete' then 'paid' else y.status end`;

const SELECT = `
  select y.id, 'payment_session' as object, n.livemode, y.created_at, y.invoice_id, c.external_id as customer_id,
    y.amount::text as amount, y.currency, y.saves_method as save,
    case when y.status = 'open' and y.intent_reference is null then y.url end as url, ${STATUS} as status,
    y.payment_id, y.expires_at
  from payment_pages y
  join customers c on c.environment_id = y.environment_id and c.id = y.customer_id
  join environments n on n.id = y.environment_id`;

/** A session by its id; null if it does not exist. */
export async function findSession(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PaymentSession | null> {
  const { rows } = await db.query<PaymentSession>(
    `${SELECT} where y.environment_id = $1 and y.id = $2 and y.invoice_id is not null`,
    [environment_id, id],
  );
  return rows[0] ?? null;
}

/** `customer_id` is the external id or our `cus_` id. */
export type SessionFilter = {
  customer_id: string | null;
  invoice_id: string | null;
  status: SessionStatus | null;
};

/** Sessions, newest first. */
export async function listSessions(
  db: Db,
  environment_id: number,
  {
    customer_id,
    invoice_id,
    status,
    before,
    limit,
  }: SessionFilter & { before: string | null; limit: number },
): Promise<PaymentSession[]> {
  const { rows } = await db.query<PaymentSession>(
    `${SELECT} where y.environment_id = $1 and y.invoice_id is not null
       and ($2::text is null or c.external_id = $2 or c.id = $2) and ($3::text is null or y.invoice_id = $3)
       and ($4::text is null or ${STATUS} = $4) and ($5::text is null or y.id < $5)
     order by y.id desc limit $6`,
    [environment_id, customer_id, invoice_id, status, before, limit],
  );
  return rows;
}
