import type { Db } from '../connection/pool.ts';
import {
  BLOCKS_AT_ONCE,
  ID_DIGITS,
  idOf,
  instantId,
  NUMBERS_AT_ONCE,
  ONE_UNIT,
  type Kind,
  type Unit,
} from './unit.ts';
import { pageOfUsageDays } from './usage-day-pages.ts';

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

const PAGES: Record<Exclude<Kind, 'usage_day'>, string | null> = {
  invoice: pageOfTable('invoices'),
  subscription: pageOfTable('subscriptions'),
  grant: pageOfTable('credit_grants'),
  customer: pageOfTable('customers'),
  item: pageOfTable('invoice_items'),
  plan_key: PLAN_KEYS,
  plan_migration: pageOfTable('plan_migrations'),
  closed_month: pageOfTable('closed_months'),
  full_period: FULL_PERIODS,
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
  if (kind === 'usage_day') return pageOfUsageDays(db, after ?? ONE_UNIT, limit);
  const page = PAGES[kind];
  if (page === null) return after === null ? [ONE_UNIT] : [];
  const { environment_id, id } = after ?? ONE_UNIT;
  const { rows } = await db.query<Unit>(page, [environment_id, id, limit]);
  return rows;
}
