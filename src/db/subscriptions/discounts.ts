import type { DiscountStatus } from '../../domain/pricing/discount.ts';
import type { DiscountObject } from '../../objects/discount.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';

/** `customer_id` is our `cus_` id; `subscription_id` is null for all, also later ones. */
export type NewDiscount = {
  id: string;
  customer_id: string;
  subscription_id: string | null;
  name: string;
  /** A percent or an amount; the other is null. */
  percent: string | null;
  amount: string | null;
  /** The event names of charges; null for all. */
  event_names: readonly string[] | null;
  from: string;
  until: string | null;
  created_at: string;
};

/** SQL: the status of the discount `d` by the clock of its customer `c`. */
const STATUS = `case when d.until <= ${CUSTOMER_NOW} then 'ended' else 'active' end`;

const SELECT = `
  select d.id, 'discount' as object, n.livemode, d.created_at, ${STATUS} as status, c.external_id as customer_id,
    d.subscription_id, c.currency, d.name, trim_scale(d.percent)::text as percent, d.amount::text as amount,
    d.event_names, d."from", d.until
  from discounts d
  join customers c on c.environment_id = d.environment_id and c.id = d.customer_id
  join environments n on n.id = d.environment_id`;

/** Stores a discount. The caller holds the lock of the customer. */
export async function insertDiscount(db: Db, environment_id: number, discount: NewDiscount): Promise<void> {
  await db.query(
    `insert into discounts (environment_id, id, customer_id, subscription_id, name, percent, amount, event_names,
       "from", until, created_at)
     select $1, id, customer_id, subscription_id, name, percent, amount, nullif(event_names, 'null'), "from", until,
       created_at
     from jsonb_to_record($2) as d(id text, customer_id text, subscription_id text, name text, percent numeric,
       amount numeric, event_names jsonb, "from" timestamptz, until timestamptz, created_at timestamptz)`,
    [environment_id, JSON.stringify(discount)],
  );
}

/** The discounts with these ids, in any order. */
export async function readDiscounts(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<DiscountObject[]> {
  const { rows } = await db.query<DiscountObject>(
    `${SELECT} where d.environment_id = $1 and d.id = any($2)`,
    [environment_id, ids],
  );
  return rows;
}

/** A discount by id; null if it does not exist. */
export async function findDiscount(
  db: Db,
  environment_id: number,
  id: string,
): Promise<DiscountObject | null> {
  return (await readDiscounts(db, environment_id, [id]))[0] ?? null;
}

export type DiscountFilter = {
  customer_id: string | null;
  subscription_id: string | null;
  status: DiscountStatus | null;
};

/** Discounts, newest first; `customer_id` is the external id, our `cus_` id, or null for all customers. */
export async function listDiscounts(
  db: Db,
  environment_id: number,
  page: DiscountFilter & { before: string | null; limit: number },
): Promise<DiscountObject[]> {
  const { rows } = await db.query<DiscountObject>(
    `${SELECT}
     where d.environment_id = $1 and ($2::text is null or d.id < $2)
       and ($3::text is null or d.customer_id = (
         select k.id from customers k where k.environment_id = $1 and (k.external_id = $3 or k.id = $3)))
       and ($5::text is null or d.subscription_id = $5) and ($6::text is null or ${STATUS} = $6)
     order by d.id desc limit $4`,
    [environment_id, page.before, page.customer_id, page.limit, page.subscription_id, page.status],
  );
  return rows;
}

/** The discounts of a customer: all, and those that have not ended at an instant and that one subscription has. */
export type DiscountCounts = { total: number; running: number };

/**
 * Counts the discounts of a customer, and those that have not ended at `now`: of one subscription, or for null the most
 * that any has.
 */
export async function countDiscounts(
  db: Db,
  environment_id: number,
  { customer_id, subscription_id, now }: { customer_id: string; subscription_id: string | null; now: string },
): Promise<DiscountCounts> {
  const { rows } = await db.query<DiscountCounts>(
    `with discount as (
       select subscription_id, until is null or until > $4 as is_running from discounts
       where environment_id = $1 and customer_id = $2
     )
     select (select count(*) from discount)::integer as total,
       ((select count(*) from discount where is_running and subscription_id is null) + (
         select coalesce(max(of_one.running), 0) from (
           select count(*) as running from discount
           where is_running and subscription_id is not null and ($3::text is null or subscription_id = $3)
           group by subscription_id) as of_one))::integer as running`,
    [environment_id, customer_id, subscription_id, now],
  );
  return rows[0]!;
}

/**
 * Locks the customer of a discount, before any other lock on the customer's rows, and returns its id; null if there is
 * no such discount.
 */
export async function lockCustomerOfDiscount(
  db: Db,
  environment_id: number,
  id: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from customers
     where environment_id = $1 and id = (select customer_id from discounts where environment_id = $1 and id = $2)
     for no key update`,
    [environment_id, id],
  );
  return rows[0]?.id ?? null;
}

/** Sets the end of a discount whose end is still the one that was read; returns whether it was. */
export async function setDiscountEnd(
  db: Db,
  environment_id: number,
  { id, before, until }: { id: string; before: string | null; until: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update discounts set until = $4 where environment_id = $1 and id = $2 and until is not distinct from $3`,
    [environment_id, id, before, until],
  );
  return rowCount === 1;
}
