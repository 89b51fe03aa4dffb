import type { Db } from '../connection/pool.ts';

/**
 * The smallest part of the data that a check covers: an invoice, a day of a customer's usage and so on. `id` is text of
 * the form that the kind says; with the environment it names the unit for ever, so that a breach can be checked again.
 */
export type Unit = { environment_id: number; id: string };

/** SQL: the columns that queries of a kind use, made from `u.environment_id` and `u.id`. */
const TABLE_ROW = 'u.environment_id, u.id';

const NUMBERS_AT_ONCE = 1000;
const BLOCKS_AT_ONCE = 256;
const ID_DIGITS = 12;

/** SQL: the unit id of a number's block, in the order of the numbers. */
export function numbersId(number: string): string {
  return `lpad(((${number} - 1) / ${NUMBERS_AT_ONCE})::text, ${ID_DIGITS}, '0')`;
}

/** SQL: an instant in an id. It may be infinite in a row that breaches I28. */
export function instantId(instant: string): string {
  return `case when isfinite(${instant}) then instant_text(${instant}) else ${instant}::text end`;
}

/** SQL: the id of two parts, the second an instant. */
export function idOf(first: string, instant: string): string {
  return `${first} || ' ' || ${instantId(instant)}`;
}

/** SQL: from the first to the last instant of a day. Added to an infinite one, it changes nothing. */
const TO_LAST = `interval '1 day' - interval '1 millisecond'`;

const FIRST = `split_part(u.id, ' ', 1)`;
const SECOND = `split_part(u.id, ' ', 2)`;

/** The columns of `unit` in a query of the kind. */
export const UNIT_COLUMNS = {
  invoice: TABLE_ROW,
  subscription: TABLE_ROW,
  grant: TABLE_ROW,
  customer: TABLE_ROW,
  item: TABLE_ROW,
  /** All versions of a plan; the id is their key. */
  plan_key: TABLE_ROW,
  plan_migration: TABLE_ROW,
  /** All parts of a period and their lines; the id is that of the subscription and the start. */
  full_period: `u.environment_id, u.id, ${FIRST} as subscription_id, ${SECOND}::timestamptz as full_period_start`,
  /**
   * A UTC day of a customer, with its last millisecond; the id is the key that events name it by and the day. The
   * environment is 0.
   */
  usage_day: `u.environment_id, u.id, ${FIRST}::bigint as customer_key, ${SECOND}::timestamptz as day,
    ${SECOND}::timestamptz + ${TO_LAST} as until`,
  /** A UTC day of an environment, with its last millisecond; the id is the day. */
  event_day: `u.environment_id, u.id, u.id::timestamptz as day, u.id::timestamptz + ${TO_LAST} as until`,
  /** A thousand numbers of invoices and of credit notes. */
  numbers: `u.environment_id, u.id, u.id::bigint * ${NUMBERS_AT_ONCE} + 1 as first,
    (u.id::bigint + 1) * ${NUMBERS_AT_ONCE} as last`,
  /**
   * Blocks of a table, for what is asked of every row; the id is the table and the first block. The environment is 0.
   */
  table_blocks: `u.environment_id, u.id, ${FIRST} as of_table, ${SECOND}::bigint as block`,
  /** An hour in which requests were claimed by an Idempotency-Key; the id is the hour. The environment is 0. */
  idempotency_hour: `u.environment_id, u.id, u.id::timestamptz as hour`,
  /** Small tables, and the server: they are checked as a whole. One unit. */
  database: TABLE_ROW,
  /** The client's log of acknowledged events. One unit. */
  client_log: TABLE_ROW,
  /** The workflows in Temporal. One unit. */
  workflows: TABLE_ROW,
} as const satisfies Record<string, string>;

export type Kind = keyof typeof UNIT_COLUMNS;

/** Units are given as two arrays: environments in $1, ids in $2. */
export function unitsOf(kind: Kind): string {
  return `unit as materialized (
    select ${UNIT_COLUMNS[kind]} from unnest($1::integer[], $2::text[]) as u(environment_id, id))`;
}

export function unitParameters(units: readonly Unit[]): [number[], string[]] {
  return [units.map(({ environment_id }) => environment_id), units.map(({ id }) => id)];
}

/** The ids by environment. */
export function byEnvironment(units: readonly Unit[]): Map<number, string[]> {
  const ids = new Map<number, string[]>();
  for (const { environment_id, id } of units)
    ids.set(environment_id, [...(ids.get(environment_id) ?? []), id]);
  return ids;
}

export const ONE_UNIT: Unit = { environment_id: 0, id: '' };

const pageOfTable = (table: string) => `
  select environment_id, id from ${table} where (environment_id, id) > ($1, $2) order by environment_id, id limit $3`;

/** SQL: the next full periods that have lines, by the index of the lines. */
const FULL_PERIODS = `
  select environment_id, ${idOf('subscription_id', 'full_period_start')} as id
  from (
    select distinct environment_id, subscription_id, full_period_start from line_items
    where (environment_id, subscription_id) >= ($1, split_part($2, ' ', 1))
      and (environment_id, subscription_id, full_period_start)
        > ($1, split_part($2, ' ', 1), coalesce(nullif(split_part($2, ' ', 2), ''), '-infinity')::timestamptz)
    order by environment_id, subscription_id, full_period_start limit $3) as page`;

/**
 * SQL: the next days on which a customer has events or totals. The days of the events are found one by one, each by the
 * index, so that no event between them is read.
 */
const USAGE_DAYS = `
  with recursive after as (
    select coalesce(nullif(split_part($2, ' ', 1), ''), '-9223372036854775808')::bigint as customer_key,
      coalesce(nullif(split_part($2, ' ', 2), '')::timestamptz + ${TO_LAST}, '-infinity') as until,
      $1::integer as environment
  ), day as (
    select next.*, 1 as place from after cross join lateral (
      select e.customer_key, date_trunc('day', e.timestamp, 'UTC') as day from events e
      where (e.customer_key, e.timestamp) > (after.customer_key, after.until)
      order by e.customer_key, e.timestamp limit 1) as next
    union all
    select next.*, day.place + 1 from day cross join lateral (
      select e.customer_key, date_trunc('day', e.timestamp, 'UTC') as day from events e
      where (e.customer_key, e.timestamp) > (day.customer_key, day.day + ${TO_LAST})
      order by e.customer_key, e.timestamp limit 1) as next
    where day.place < $3
  ), total as (
    select distinct d.customer_key, d.day from usage_days d cross join after
    where d.customer_key >= after.customer_key and (d.customer_key > after.customer_key or d.day > after.until)
    order by d.customer_key, d.day limit $3
  )
  select 0 as environment_id, ${idOf('customer_key', 'day')} as id
  from (select customer_key, day from day union select customer_key, day from total) as page
  order by customer_key, day limit $3`;

const PLAN_KEYS = `
  select environment_id, key as id from plans
  where (environment_id, key) > ($1, $2) and key is not null
  group by environment_id, key order by environment_id, key limit $3`;

const EVENT_DAYS = `
  select environment_id, ${instantId('day')} as id from (
    select distinct environment_id, day from event_days
    where (environment_id, day) > ($1, coalesce(nullif($2, ''), '-infinity')::timestamptz)
    order by environment_id, day limit $3) as page`;

const NUMBERS = `
  select environment_id, id from (
    select n.id as environment_id, lpad(block::text, ${ID_DIGITS}, '0') as id
    from environments n
    cross join lateral generate_series(0,
      greatest(n.last_invoice_number, n.last_credit_note_number) / ${NUMBERS_AT_ONCE}) as block
    where n.id >= $1) as page
  where (environment_id, id) > ($1, $2) order by environment_id, id limit $3`;

/** SQL: the blocks of the tables that refer to others. */
const TABLE_BLOCKS = `
  select 0 as environment_id, id from (
    select child.name || ' ' || lpad(block::text, ${ID_DIGITS}, '0') as id
    from (select distinct k.conrelid, k.conrelid::regclass::text as name from pg_constraint k
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace) as child
    cross join lateral generate_series(0,
      greatest(pg_relation_size(child.conrelid) / current_setting('block_size')::bigint - 1, 0),
      ${BLOCKS_AT_ONCE}) as block
    where child.name >= split_part($2, ' ', 1) and $1::integer is not null) as page
  where id collate "C" > $2 order by id collate "C" limit $3`;

const IDEMPOTENCY_HOURS = `
  select 0 as environment_id, instant_text(hour) as id
  from generate_series(
    coalesce(nullif($2, '')::timestamptz + interval '1 hour',
      date_trunc('hour', (select min(claimed_at) from idempotency_keys), 'UTC')), now(), interval '1 hour') as hour
  where $1::integer is not null order by hour limit $3`;

/** One unit, once: nothing is after it. */
const ONCE = null;

const PAGES: Record<Kind, string | null> = {
  invoice: pageOfTable('invoices'),
  subscription: pageOfTable('subscriptions'),
  grant: pageOfTable('credit_grants'),
  customer: pageOfTable('customers'),
  item: pageOfTable('invoice_items'),
  plan_key: PLAN_KEYS,
  plan_migration: pageOfTable('plan_migrations'),
  full_period: FULL_PERIODS,
  usage_day: USAGE_DAYS,
  event_day: EVENT_DAYS,
  numbers: NUMBERS,
  table_blocks: TABLE_BLOCKS,
  idempotency_hour: IDEMPOTENCY_HOURS,
  database: ONCE,
  client_log: ONCE,
  workflows: ONCE,
};

/** The next units of a kind in its order, after the given one; null: from the first. */
export async function pageOfUnits(db: Db, kind: Kind, after: Unit | null, limit: number): Promise<Unit[]> {
  const page = PAGES[kind];
  if (page === null) return after === null ? [ONE_UNIT] : [];
  const { environment_id, id } = after ?? ONE_UNIT;
  const { rows } = await db.query<Unit>(page, [environment_id, id, limit]);
  return rows;
}

/** How many blocks of a table one unit has. */
export { BLOCKS_AT_ONCE };
