/**
 * The smallest part of the data that a check covers: an invoice, a day of a customer's usage and so on. `id` is text of
 * the form that the kind says; with the environment it names the unit for ever, so that a breach can be checked again.
 */
export type Unit = { environment_id: number; id: string };

/** SQL: the columns that queries of a kind use, made from `u.environment_id` and `u.id`. */
const TABLE_ROW = 'u.environment_id, u.id';

/** How many numbers one unit has. */
export const NUMBERS_AT_ONCE = 1000;
/** How many blocks of a table one unit has. */
export const BLOCKS_AT_ONCE = 256;
/** Digits of a number in an id, so that ids sort as their numbers do. */
export const ID_DIGITS = 12;

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

/**
 * SQL: from the first to the last instant of a UTC day, in hours: a day would depend on the session's time zone. Added
 * to an infinite one, it changes nothing.
 */
export const TO_LAST = `interval '24 hours' - interval '1 millisecond'`;

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
  closed_month: TABLE_ROW,
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

/** SQL: the event `e` is of the customer's day `unit`, by the index of the customer's events. */
export const OF_DAY = `e.customer_key = unit.customer_key and e.timestamp between unit.day and unit.until`;

/** Units are given as two arrays: environments in $1, ids in $2. `place` is the place in both. */
export function unitsOf(kind: Kind): string {
  return `unit as materialized (
    select u.place, ${UNIT_COLUMNS[kind]}
    from unnest($1::integer[], $2::text[]) with ordinality as u(environment_id, id, place))`;
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
