import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';
import { ENDS_AT } from './credit-draws.ts';

type CustomerKey = { environment_id: number; customer_id: string };

/**
 * SQL: a grant past its expiry, by the instant `now`, with credit left, while every period that it covers is issued.
 * `issued` are invoices that count as issued.
 */
function toWriteOff(now: string, issued: string): string {
  return `g.remaining > 0 and g.voided_at is null and ${ENDS_AT} <= ${now}
  and not exists (
    select from subscriptions s
    join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.kind = 'billing'
      and p.period_start < ${ENDS_AT} and p.period_end > g.created_at
    where s.environment_id = g.environment_id and s.customer_id = g.customer_id
      and s.id = coalesce(g.subscription_id, s.id)
      and (p.closed_at is null or exists (
        select from invoices i where i.environment_id = s.environment_id and i.subscription_id = s.id
          and i.period_start = p.period_start and i.status = 'draft' and i.id <> all (${issued}))))`;
}

/** A customer, and its now. */
type CustomerAt = { customer_id: string; now: string };

/**
 * Writes off expired grants that no open period or draft can use any more. Bookkeeping only: the expiry limits the time
 * of the usage, not of the draw, so a grant keeps its credit while a period that it covers is a draft. `issuing` are
 * drafts that this transaction issues.
 */
export async function expireGrants(
  db: Db,
  environment_id: number,
  { customers, issuing }: { customers: readonly CustomerAt[]; issuing: readonly string[] },
): Promise<void> {
  await db.query(
    `with lost as (
       select g.id, g.remaining, asked.now
       from jsonb_to_recordset($2) as asked(customer_id text, now timestamptz)
       join credit_grants g on g.environment_id = $1 and g.customer_id = asked.customer_id
       where ${toWriteOff('asked.now', '$3')}
       order by g.id for no key update of g
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
       select $1, id, 'expired', -remaining, now from lost
     )
     update credit_grants g set remaining = 0, expiry_noted_at = coalesce(g.expiry_noted_at, ${ENDS_AT})
     from lost where g.environment_id = $1 and g.id = lost.id`,
    [environment_id, JSON.stringify(customers), issuing],
  );
}

/**
 * Customers of all environments with a grant to write off, and each customer's now; for the reconciler. Leaves out
 * customers that failed within `rest_ms`, so that failing customers do not fill the limit.
 */
export async function customersWithExpiredGrants(
  db: Db,
  { limit, rest_ms }: { limit: number; rest_ms: number },
): Promise<(CustomerKey & { now: string })[]> {
  const { rows } = await db.query<CustomerKey & { now: string }>(
    `select distinct c.environment_id, c.id as customer_id, ${CUSTOMER_NOW} as now
     from credit_grants g join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
     where ${toWriteOff(CUSTOMER_NOW, "'{}'")} and not exists (
       select from set_aside s where s.environment_id = c.environment_id and s.job = 'expired_credit'
         and s.customer_id = c.id
         and s.tried_at > now() - $2 * interval '1 millisecond')
     limit $1`,
    [limit, rest_ms],
  );
  return rows;
}
