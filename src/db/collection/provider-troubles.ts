import type { Db } from '../connection/pool.ts';

/** Days for which money that came twice is listed. */
const LISTED_DAYS = 30;

type Environment = 'test' | 'live';

/** SQL: the environment of `n`, as metrics and the doctor name it. */
const ENVIRONMENT = `case when n.livemode then 'live' else 'test' end`;

/** Why the provider of an environment is failing, in its words; null without one, or while all is well. */
export async function readProviderFault(db: Db, environment_id: number): Promise<string | null> {
  const { rows } = await db.query<{ status_reason: string }>(
    `select status_reason from payment_providers
     where environment_id = $1 and deleted_at is null and status = 'failing'`,
    [environment_id],
  );
  return rows[0]?.status_reason ?? null;
}

/** Money of a charge that went to the balance: `amount` of a payment, of an invoice that was settled meanwhile. */
export type ReceivedTwice = {
  payment_id: string;
  customer_id: string;
  invoice_id: string | null;
  amount: string;
  currency: string;
  created_at: string;
};

/**
 * Payments by charges and pages, and those that a night has found, whose money went to the balance in whole or in part,
 * the newest first, while the customer has a balance: once it is paid out or used, there is nothing left to do.
 */
export async function listReceivedTwice(
  db: Db,
  environment_id: number,
  limit: number,
): Promise<ReceivedTwice[]> {
  const { rows } = await db.query<ReceivedTwice>(
    `select p.id as payment_id, c.external_id as customer_id,
       coalesce(p.invoice_id, a.invoice_id, y.invoice_id) as invoice_id,
       p.to_balance::text as amount, c.currency, p.created_at
     from payments p
     join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
     left join payment_attempts a on a.environment_id = p.environment_id and a.payment_id = p.id
     left join payment_pages y on y.environment_id = p.environment_id and y.payment_id = p.id
     where p.environment_id = $1 and p.created_at >= now() - interval '${LISTED_DAYS} days'
       and p.created_by ~ '^(pat|pys|pp)_'
       and p.to_balance > 0 and p.reversed_at is null and c.balance > 0
     order by p.id desc limit $2`,
    [environment_id, limit],
  );
  return rows;
}

/** Whether each connected provider is failing, by environment. */
export async function readFailing(db: Db): Promise<{ environment: Environment; is_failing: boolean }[]> {
  const { rows } = await db.query<{ environment: Environment; is_failing: boolean }>(
    `select ${ENVIRONMENT} as environment, bool_or(p.status = 'failing') as is_failing
     from payment_providers p join environments n on n.id = p.environment_id
     where p.deleted_at is null group by 1 order by 1`,
  );
  return rows;
}

/** Providers that are connected, as the doctor names them. */
export type ConnectedProvider = {
  environment: Environment;
  account: string;
  status_reason: string | null;
  webhook_url: string;
  takes_events: boolean;
};

/** The first providers that are connected, those of live data before those of test data. */
export async function listConnected(db: Db, limit: number): Promise<ConnectedProvider[]> {
  const { rows } = await db.query<ConnectedProvider>(
    `select ${ENVIRONMENT} as environment, p.account, p.status_reason, p.webhook_url,
       p.webhook_secret is not null as takes_events
     from payment_providers p join environments n on n.id = p.environment_id
     where p.deleted_at is null order by n.livemode desc, p.id limit $1`,
    [limit],
  );
  return rows;
}

/** The time for which the oldest attempt that is no charge of days has been open; 0 if there is none. */
export async function attemptWaitSeconds(db: Db): Promise<number> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from now() - min(created_at))::float8 as seconds from payment_attempts
     where status = 'pending'`,
  );
  return Math.max(rows[0]!.seconds ?? 0, 0);
}
