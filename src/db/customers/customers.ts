import { createParameters } from '../connection/parameters.ts';
import type { Customer } from '../../objects/customer.ts';
import type { Db } from '../connection/pool.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import type { TaxId } from '../../domain/people/party.ts';
import { searchTextOf } from '../../domain/people/search-text.ts';
import { KEPT } from '../../domain/people/redaction.ts';
import { pauseOf } from './collection-pauses.ts';
import { CUSTOMER_NOW } from './customer-now.ts';
import { REDACTION_OF_CUSTOMER } from './redactions.ts';

/** The columns that a patch may change, in full; the tax rate has a function of its own. */
const CUSTOMER_UPDATE = [
  ...(['name', 'email', 'metadata', 'tax_treatment', 'address', 'tax_ids', 'buyer_reference'] as const),
  ...([
    'timezone',
    'net_days',
    'billing_emails',
    'email_muted',
    'language',
    'reminder_days',
    'charge_mode',
  ] as const),
];

/** The columns that a request gives a new customer. */
const NEW_CUSTOMER = ['id', 'external_id', 'currency', 'tax_rate', ...CUSTOMER_UPDATE] as const;

/** The tax rate is in percent; null uses the account's current rate. */
export type NewCustomer = Pick<
  Omit<Customer, 'tax_rate' | 'tax_ids' | 'metadata'> & {
    tax_rate: string | null;
    tax_ids: readonly TaxId[];
    metadata: object;
  },
  (typeof NEW_CUSTOMER)[number]
>;

/** SQL: all customers `c`. */
export const SELECT_CUSTOMERS = `
  select c.id, 'customer' as object, n.livemode, c.created_at, c.external_id, c.name, c.email, c.currency,
    trim_scale(coalesce(c.tax_rate, n.tax_rate))::text as tax_rate, c.tax_treatment, c.address, c.tax_ids,
    c.buyer_reference, c.timezone, c.net_days, c.billing_emails, c.email_muted, c.language, c.reminder_days,
    c.charge_mode, ${pauseOf('c')} as collection_pause, c.metadata,
    (select coalesce(sum(g.remaining), 0)::float8 from credit_grants g
     where g.environment_id = c.environment_id and g.customer_id = c.id and g.voided_at is null
       and (g.expires_at is null or g.expires_at > ${CUSTOMER_NOW})) as credit_remaining,
    c.balance::text as balance, c.test_clock,
    ${REDACTION_OF_CUSTOMER} as redaction
  from customers c
  join environments n on n.id = c.environment_id`;

/**
 * Returns false if the `external_id` is taken. Waits for a concurrent transaction that inserts the same `external_id`.
 */
export async function insertCustomer(
  db: Db,
  environment_id: number,
  customer: NewCustomer,
): Promise<boolean> {
  const { values, parameter } = createParameters();
  const fields = NEW_CUSTOMER.map((name) => columnValue(customer[name]));
  const { rowCount } = await db.query(
    `insert into customers (environment_id, ${NEW_CUSTOMER.join(', ')}, search_text, created_at)
     values (${[environment_id, ...fields, searchTextOf(customer)].map(parameter).join(', ')},
       date_trunc('milliseconds', now()))
     on conflict (environment_id, external_id) do nothing`,
    values,
  );
  return rowCount === 1;
}

/** The driver writes a list as an array of SQL, which jsonb does not take. */
function columnValue(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

/** The customers with these `cus_` ids, in any order. */
export async function readCustomers(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Customer[]> {
  const { rows } = await db.query<Customer>(
    `${SELECT_CUSTOMERS} where c.environment_id = $1 and c.id = any($2)`,
    [environment_id, ids],
  );
  return rows.map(presentCustomer);
}

/** A customer by our `cus_` id or by external id; null if it does not exist. */
export async function findCustomer(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<Customer | null> {
  const column = columnOf(id_or_external_id);
  const { rows } = await db.query<Customer>(
    `${SELECT_CUSTOMERS} where c.environment_id = $1 and c.${column} = $2`,
    [environment_id, id_or_external_id],
  );
  return rows.map(presentCustomer)[0] ?? null;
}

/**
 * A row of SELECT_CUSTOMERS with the balance in the minor digits of the currency, because the stored 0 of a new
 * customer has none, and with what a redaction keeps.
 */
export function presentCustomer({ balance, redaction, ...customer }: Customer): Customer {
  return {
    ...customer,
    balance: toAmount(decimal(balance), customer.currency),
    redaction: redaction === null ? null : { ...redaction, kept: [...KEPT] },
  };
}

/**
 * The keys of a customer: both ids, and the key under which its events are stored; its now, and before when its events
 * are archived.
 */
export type CustomerKey = {
  id: string;
  external_id: string;
  key: string;
  now: string;
  archived_to: string | null;
};

/** Finds the key by our `cus_` id or by external id; null if there is no such customer. */
export async function findCustomerKey(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<CustomerKey | null> {
  const column = columnOf(id_or_external_id);
  const { rows } = await db.query<CustomerKey>(
    `select c.id, c.external_id, c.key, c.archived_to, ${CUSTOMER_NOW} as now from customers c
     where c.environment_id = $1 and c.${column} = $2`,
    [environment_id, id_or_external_id],
  );
  return rows[0] ?? null;
}

/** An `external_id` never begins with `cus_`. */
export function columnOf(id_or_external_id: string): 'id' | 'external_id' {
  return id_or_external_id.startsWith('cus_') ? 'id' : 'external_id';
}

/** Customers, newest first. */
export async function listCustomers(
  db: Db,
  environment_id: number,
  page: { before: string | null; limit: number },
): Promise<Customer[]> {
  const { rows } = await db.query<Customer>(
    `${SELECT_CUSTOMERS} where c.environment_id = $1 and ($2::text is null or c.id < $2)
     order by c.id desc limit $3`,
    [environment_id, page.before, page.limit],
  );
  return rows.map(presentCustomer);
}

/**
 * Locks a customer, before any other lock (ARCHITECTURE.md, invariant 8), and reads it then: before the lock it may
 * have been changed or deleted. By our `cus_` id or by external id; null if it does not exist.
 */
export async function lockedCustomer(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<Customer | null> {
  const id = await lockNamedCustomer(db, environment_id, id_or_external_id);
  return id === null ? null : findCustomer(db, environment_id, id);
}

/** Locks a customer as lockedCustomer does. Returns our `cus_` id. Rows read before the lock may be stale. */
export async function lockNamedCustomer(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<string | null> {
  const column = columnOf(id_or_external_id);
  const { rows } = await db.query<{ id: string }>(
    `select id from customers where environment_id = $1 and ${column} = $2 for no key update`,
    [environment_id, id_or_external_id],
  );
  return rows[0]?.id ?? null;
}

/** Locks a customer that cannot be deleted, because something refers to it. Rows read before the lock may be stale. */
export async function lockCustomer(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await db.query('select from customers where environment_id = $1 and id = $2 for no key update', [
    environment_id,
    customer_id,
  ]);
}

export type CustomerUpdate = Pick<NewCustomer, 'id' | (typeof CUSTOMER_UPDATE)[number]>;

/** Overwrites all fields of the update. A new name or email takes the search text away (writeSearchTexts). */
export async function updateCustomer(
  db: Db,
  environment_id: number,
  customer: CustomerUpdate,
): Promise<void> {
  const { values, parameter } = createParameters();
  const changes = CUSTOMER_UPDATE.map((name) => `${name} = ${parameter(columnValue(customer[name]))}`);
  const charge_mode = `${parameter(customer.charge_mode)}::text`;
  await db.query(
    `update customers set ${changes.join(', ')}, charge_mode_at = case
       when charge_mode is not distinct from ${charge_mode} then charge_mode_at else date_trunc('milliseconds', now()) end
     where environment_id = ${parameter(environment_id)} and id = ${parameter(customer.id)}`,
    values,
  );
}

/** Sets the currency. */
export async function setCurrency(
  db: Db,
  environment_id: number,
  customer: { id: string; currency: string },
): Promise<void> {
  await db.query('update customers set currency = $3 where environment_id = $1 and id = $2', [
    environment_id,
    customer.id,
    customer.currency,
  ]);
}

/** Sets the tax rate in percent; null uses the account's. */
export async function setTaxRate(
  db: Db,
  environment_id: number,
  customer: { id: string; tax_rate: string | null },
): Promise<void> {
  await db.query('update customers set tax_rate = $3 where environment_id = $1 and id = $2', [
    environment_id,
    customer.id,
    customer.tax_rate,
  ]);
}

/**
 * The `cus_` ids of customers, each by its external id or our `cus_` id, in the order of the names; null for one that
 * does not exist.
 */
export async function customerIdsOf(
  db: Db,
  environment_id: number,
  names: readonly string[],
): Promise<(string | null)[]> {
  const { rows } = await db.query<{ id: string | null }>(
    `select coalesce(
       (select id from customers where environment_id = $1 and id = n.name),
       (select id from customers where environment_id = $1 and external_id = n.name)) as id
     from unnest($2::text[]) with ordinality as n(name, place) order by n.place`,
    [environment_id, names],
  );
  return rows.map(({ id }) => id);
}
