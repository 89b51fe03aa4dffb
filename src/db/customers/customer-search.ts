import { patternsOf, searchTextOf, type Names } from '../../domain/people/search-text.ts';
import { presentCustomer, SELECT_CUSTOMERS, type Customer } from './customers.ts';
import type { Db } from '../connection/pool.ts';

type NamedCustomer = Names & { environment_id: number; id: string };

/** Customers whose search text is missing, at most `limit`. */
export async function withoutSearchText(db: Db, limit: number): Promise<NamedCustomer[]> {
  const { rows } = await db.query<NamedCustomer>(
    `select environment_id, id, external_id, name, email from customers
     where search_text is null order by environment_id, id limit $1`,
    [limit],
  );
  return rows;
}

/**
 * Writes the missing search text of customers, unless another process wrote it, or changed a name, since they were
 * read.
 */
export async function writeSearchTexts(db: Db, customers: readonly NamedCustomer[]): Promise<void> {
  const texts = customers.map((customer) => ({ ...customer, search_text: searchTextOf(customer) }));
  await db.query(
    `update customers c set search_text = t.search_text
     from jsonb_to_recordset($1) as t(environment_id integer, id text, external_id text, name text, email text,
       search_text text)
     where c.environment_id = t.environment_id and c.id = t.id and c.search_text is null
       and (c.external_id, c.name, c.email) is not distinct from (t.external_id, t.name, t.email)`,
    [JSON.stringify(texts)],
  );
}

/** `pattern`: parts of the search text, all of which a customer must have. */
type Search = {
  environment_id: number;
  pattern: readonly string[];
  before: string | null;
  limit: number;
};

/**
 * Customers with the words as a part of their external id, name or email, at most `limit`: first those of which it is
 * the whole, then those that begin with it, then those that contain it, then those that have each of the words
 * somewhere, the newest first.
 */
export async function searchCustomers(
  db: Db,
  environment_id: number,
  { words, limit }: { words: string; limit: number },
): Promise<Customer[]> {
  const ids = new Set<string>();
  for (const pattern of patternsOf(words)) {
    if (ids.size >= limit) break;
    for (const id of await newestWith(db, { environment_id, pattern, before: null, limit })) ids.add(id);
  }
  return inOrder(db, environment_id, [...ids].slice(0, limit));
}

/**
 * Lists the customers that searchCustomers finds, page by page and the newest first: customers with an id below
 * `before`.
 */
export async function listFoundCustomers(
  db: Db,
  environment_id: number,
  { words, ...page }: { words: string; before: string | null; limit: number },
): Promise<Customer[]> {
  // All that the other patterns find, the last one finds too.
  const pattern = patternsOf(words).at(-1);
  if (pattern === undefined) return [];
  return inOrder(db, environment_id, await newestWith(db, { environment_id, pattern, ...page }));
}

async function inOrder(db: Db, environment_id: number, ids: readonly string[]): Promise<Customer[]> {
  const { rows } = await db.query<Customer>(
    `${SELECT_CUSTOMERS} where c.environment_id = $1 and c.id = any($2) order by array_position($2, c.id)`,
    [environment_id, ids],
  );
  return rows.map(presentCustomer);
}

async function newestWith(db: Db, search: Search): Promise<string[]> {
  const newest = await amongNewest(db, search);
  return newest.length === search.limit ? newest : amongAll(db, search);
}

/**
 * A page of customers with what most customers have is quickly found here; by the index, all of them would be read and
 * sorted.
 */
const NEWEST = 1000;

/** SQL: the search text has all parts of a pattern, given as an array. */
const hasAll = (pattern: string) =>
  `not exists (select from unnest(${pattern}::text[]) as part where position(part in search_text) = 0)`;

async function amongNewest(db: Db, { environment_id, pattern, before, limit }: Search): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from (
       select id, search_text from customers
       where environment_id = $1 and ($5::text is null or id < $5) order by id desc limit $2) as newest
     where search_text is not null and ${hasAll('$3')} order by id desc limit $4`,
    [environment_id, NEWEST, pattern, limit, before],
  );
  return rows.map(({ id }) => id);
}

/** The longest pieces that search_grams has. */
const GRAM_LENGTH = 3;
/** Letters of a part of which pieces are looked up: more cost more, and find hardly fewer customers. */
const LOOKED_UP_LENGTH = 24;

/**
 * Searches in a materialized query, so that the index is used: the planner expects to find enough soon, and would read
 * customers in the order of their ids.
 */
async function amongAll(db: Db, { environment_id, pattern, before, limit }: Search): Promise<string[]> {
  const sizes = pattern.map((part) => Math.min([...part].length, GRAM_LENGTH));
  const { rows } = await db.query<{ id: string }>(
    `with found as materialized (
       select id from customers
       where environment_id = $1 and search_grams @> (
           select array_agg(distinct gram) from unnest($2::text[], $3::integer[]) as looked_up(part, size)
           cross join lateral unnest(search_grams($1, left(part, $5), array[size])) as gram)
         and ${hasAll('$2')} and ($6::text is null or id < $6))
     select id from found order by id desc limit $4`,
    [environment_id, pattern, sizes, limit, LOOKED_UP_LENGTH, before],
  );
  return rows.map(({ id }) => id);
}
