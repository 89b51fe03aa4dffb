import type { CreditGrant } from '../../objects/credit-grant.ts';
import type { Db } from '../connection/pool.ts';
import { ENDS_AT, WRITTEN_OFF } from './credit-draws.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';

export type NewCreditGrant = {
  id: string;
  customer_id: string;
  amount: string;
  expires_in_days: number | null;
  rollover: boolean;
  /** The events whose charges it covers; null for all. */
  event_names: readonly string[] | null;
  /** The subscription that it covers alone; null for all of the customer. */
  subscription_id: string | null;
  note: string | null;
  period_bound: string | null;
  expires_at: string | null;
  created_at: string;
} & Partial<OfPlan>;

/**
 * The full period that has a plan's grant, the place in the plan's list, and the units that may cover the full period
 * after it.
 */
type OfPlan = { full_period_start: string; place: number; carry_over_max: string | null };

/** SQL: the status of the grant `g` by the clock of its customer `c`. */
const STATUS = `case
      when g.voided_at is not null then 'voided'
      when g.remaining + ${WRITTEN_OFF} = 0 then 'depleted'
      when ${ENDS_AT} <= ${CUSTOMER_NOW} then 'expired'
      else 'active' end`;

const SELECT_GRANTS = `
  select g.id, 'credit_grant' as object, n.livemode, g.created_at, c.external_id as customer_id,
    g.amount::float8 as amount, g.remaining::float8 as remaining,
    ${STATUS} as status,
    g.expires_at, g.rollover, g.event_names, g.subscription_id, g.note, g.carry_over_max::float8, g.carry_over_until,
    (select json_agg(json_build_object(
       'type', l.type, 'amount', l.amount, 'invoice_id', l.invoice_id, 'line_item_id', l.line_item_id,
       'created_at', to_char(l.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by l.id)
     from credit_ledger l where l.environment_id = g.environment_id and l.grant_id = g.id) as ledger
  from credit_grants g
  join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
  join environments n on n.id = g.environment_id`;

/** Stores grants and the `granted` entries of their ledgers. */
export async function insertGrants(
  db: Db,
  environment_id: number,
  grants: readonly NewCreditGrant[],
): Promise<void> {
  if (grants.length === 0) return;
  await db.query(
    `with granted as (
       insert into credit_grants (environment_id, id, customer_id, amount, remaining, expires_in_days, rollover,
         event_names, subscription_id, note, period_bound, expires_at, created_at, full_period_start, place,
         carry_over_max)
       select $1, id, customer_id, amount, amount, expires_in_days, rollover, nullif(event_names, 'null'),
         subscription_id, note, period_bound, expires_at, created_at, full_period_start, place, carry_over_max
       from jsonb_to_recordset($2) as g(id text, customer_id text, amount numeric, expires_in_days integer,
         rollover boolean, event_names jsonb, subscription_id text, note text, period_bound timestamptz,
         expires_at timestamptz, created_at timestamptz, full_period_start timestamptz, place integer,
         carry_over_max numeric)
       order by id
       returning environment_id, id, amount, created_at
     )
     insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
     select environment_id, id, 'granted', amount, created_at from granted order by id`,
    [environment_id, JSON.stringify(grants)],
  );
}

/** The grants with these ids, in any order. */
export async function readGrants(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<CreditGrant[]> {
  const { rows } = await db.query<CreditGrant>(
    `${SELECT_GRANTS} where g.environment_id = $1 and g.id = any($2)`,
    [environment_id, ids],
  );
  return rows;
}

/** A grant by id; null if it does not exist. */
export async function findGrant(db: Db, environment_id: number, id: string): Promise<CreditGrant | null> {
  return (await readGrants(db, environment_id, [id]))[0] ?? null;
}

/**
 * Locks the customer of a grant. Call it before any other lock on the customer's rows. Does nothing if the grant does
 * not exist.
 */
export async function lockCustomerOfGrant(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `select 1 from customers
     where environment_id = $1 and id = (select customer_id from credit_grants where environment_id = $1 and id = $2)
     for no key update`,
    [environment_id, id],
  );
}

/**
 * Voids grants and writes the remaining credit of each as a `voided` ledger entry; writes no entry if nothing remains.
 * Returns how many are void now that were not before. The caller holds the customer's lock, so that no draw comes in
 * between.
 */
export async function voidGrants(db: Db, environment_id: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rowCount } = await db.query(
    `with changed as (
       select g.id, g.remaining, ${CUSTOMER_NOW} as now
       from credit_grants g join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
       where g.environment_id = $1 and g.id = any($2) and g.voided_at is null for no key update of g
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
       select $1, id, 'voided', -remaining, now from changed where remaining > 0
     )
     update credit_grants g set remaining = 0, voided_at = changed.now
     from changed where g.environment_id = $1 and g.id = changed.id and g.voided_at is null`,
    [environment_id, ids],
  );
  return rowCount!;
}

/** `from` and `to` bound the creation of the grant. */
export type GrantFilter = { customer_id: string | null; from: string | null; to: string | null };

/** Grants, newest first; `customer_id` is the external id, our `cus_` id, or null for all customers. */
export async function listGrants(
  db: Db,
  environment_id: number,
  page: GrantFilter & { before: string | null; limit: number },
): Promise<CreditGrant[]> {
  const { rows } = await db.query<CreditGrant>(
    `${SELECT_GRANTS}
     where g.environment_id = $1 and ($2::text is null or g.id < $2)
       and ($3::text is null or g.customer_id = (
         select k.id from customers k where k.environment_id = $1 and (k.external_id = $3 or k.id = $3)))
       and ($5::timestamptz is null or g.created_at >= $5) and ($6::timestamptz is null or g.created_at < $6)
     order by g.id desc limit $4`,
    [environment_id, page.before, page.customer_id, page.limit, page.from, page.to],
  );
  return rows;
}

/** A grant without rollover whose expiry depends on the customer's first billing period, which is not known yet. */
export type PendingGrant = {
  id: string;
  created_at: string;
  expires_in_days: number | null;
  rollover: false;
  subscription_id: string | null;
};

/** Pending grants of a customer, in the order of their ids. */
export async function findPendingGrants(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<PendingGrant[]> {
  const { rows } = await db.query<PendingGrant>(
    `select id, created_at, expires_in_days, rollover, subscription_id from credit_grants
     where environment_id = $1 and customer_id = $2 and period_bound is null and not rollover order by id`,
    [environment_id, customer_id],
  );
  return rows;
}

/** Stores the expiry of grants. */
export async function setExpiries(
  db: Db,
  environment_id: number,
  grants: readonly { id: string; period_bound: string | null; expires_at: string | null }[],
): Promise<void> {
  await db.query(
    `update credit_grants g set period_bound = b.period_bound, expires_at = b.expires_at
     from jsonb_to_recordset($2) as b(id text, period_bound timestamptz, expires_at timestamptz)
     where g.environment_id = $1 and g.id = b.id`,
    [environment_id, JSON.stringify(grants)],
  );
}
