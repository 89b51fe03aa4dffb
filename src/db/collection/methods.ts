import type { PaymentMethod } from '../../objects/payment-method.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';

const SELECT = `
  select m.id, 'payment_method' as object, n.livemode, m.created_at, c.external_id as customer_id, m.type, m.label,
    m.expires, m.status, m.is_default
  from payment_methods m
  join environments n on n.id = m.environment_id
  join customers c on c.environment_id = m.environment_id and c.id = m.customer_id`;

/** Methods with these ids, in any order. */
export async function readMethods(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<PaymentMethod[]> {
  const { rows } = await db.query<PaymentMethod>(`${SELECT} where m.environment_id = $1 and m.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows;
}

/** A method by its id; null if it does not exist. */
export async function findMethod(db: Db, environment_id: number, id: string): Promise<PaymentMethod | null> {
  return (await readMethods(db, environment_id, [id]))[0] ?? null;
}

/** Methods, newest first; `customer_id` is the external id or our `cus_` id. */
export async function listMethods(
  db: Db,
  environment_id: number,
  { customer_id, before, limit }: { customer_id: string | null; before: string | null; limit: number },
): Promise<PaymentMethod[]> {
  const { rows } = await db.query<PaymentMethod>(
    `${SELECT} where m.environment_id = $1 and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or m.id < $3)
     order by m.id desc limit $4`,
    [environment_id, customer_id, before, limit],
  );
  return rows;
}

/** Customer of a method by its `cus_` id; null if there is no such method. */
export async function customerOfMethod(db: Db, environment_id: number, id: string): Promise<string | null> {
  const { rows } = await db.query<{ customer_id: string }>(
    'select customer_id from payment_methods where environment_id = $1 and id = $2',
    [environment_id, id],
  );
  return rows[0]?.customer_id ?? null;
}

/** A method as the provider says it. */
export type MethodAtProvider = { reference: string; type: string; label: string; expires: string | null };

/**
 * Stores a method, as the default of a customer without one. Does nothing for one that is stored. The caller holds the
 * customer's lock.
 */
export async function insertMethod(
  db: Db,
  environment_id: number,
  method: MethodAtProvider & { id: string; customer_id: string; provider_id: string },
): Promise<void> {
  const { id, customer_id, provider_id, reference, type, label, expires } = method;
  await db.query(
    `insert into payment_methods (environment_id, id, customer_id, provider_id, reference, type, label, expires,
       default_since, is_default)
     select $1, $2, $3, $4, $5, $6, $7, $8, ${CUSTOMER_NOW}, not exists (select from payment_methods m
       where m.environment_id = $1 and m.customer_id = $3 and m.is_default)
     from customers c where c.environment_id = $1 and c.id = $3
     on conflict (environment_id, provider_id, reference) do nothing`,
    [environment_id, id, customer_id, provider_id, reference, type, label, expires],
  );
}

/**
 * Makes a method the only default of its customer. Returns false if it is removed. The caller holds the customer's
 * lock.
 */
export async function setDefaultMethod(
  db: Db,
  environment_id: number,
  { id, customer_id }: { id: string; customer_id: string },
): Promise<boolean> {
  await db.query(
    `update payment_methods set is_default = false
     where environment_id = $1 and customer_id = $2 and is_default and id <> $3
       and exists (select from payment_methods m
         where m.environment_id = $1 and m.id = $3 and m.customer_id = $2 and m.status <> 'removed')`,
    [environment_id, customer_id, id],
  );
  const { rowCount } = await db.query(
    `update payment_methods m set is_default = true,
       default_since = case when m.is_default then m.default_since else ${CUSTOMER_NOW} end
     from customers c
     where m.environment_id = $1 and m.id = $2 and m.customer_id = $3 and m.status <> 'removed'
       and c.environment_id = m.environment_id and c.id = m.customer_id`,
    [environment_id, id, customer_id],
  );
  return rowCount === 1;
}

/** Removes a method, which is ended at the provider next. Returns false if it is removed already. */
export async function markMethodRemoved(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_methods set status = 'removed', is_default = false, next_read_at = now()
     where environment_id = $1 and id = $2 and status <> 'removed'`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Removes all methods of a provider that is deleted, which nobody can end there any more. */
export async function removeMethodsOf(db: Db, environment_id: number, provider_id: string): Promise<void> {
  await db.query(
    `update payment_methods set status = 'removed', is_default = false, next_read_at = null
     where environment_id = $1 and provider_id = $2 and (status <> 'removed' or next_read_at is not null)`,
    [environment_id, provider_id],
  );
}

/** Removes the methods of a customer, which are ended at the provider next, and blanks what names them. */
export async function eraseMethods(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await db.query(
    `update payment_methods m set status = 'removed', is_default = false, label = m.type, expires = null,
       next_read_at = case when p.deleted_at is null then now() end
     from payment_providers p
     where m.environment_id = $1 and m.customer_id = $2
       and p.environment_id = m.environment_id and p.id = m.provider_id`,
    [environment_id, customer_id],
  );
}
