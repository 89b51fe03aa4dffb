import { idOf, instantId, numbersId } from './unit.ts';

/** A day of an environment with more events is left to the sweep: it would be counted again each minute. */
const EVENT_DAY_MAX = 500_000;

/** SQL: a unit that the row `v` of a table is, or that its column names. */
const unitOf = (table: string, column: string) =>
  `case table_name when '${table}' then v ->> 'id' else v ->> '${column}' end`;

/**
 * SQL: the units that a row `v` names, each a kind and a unit. An invoice, a subscription and a notice of usage do not
 * concern their customer.
 */
const NAMED = `values
    ('invoice', ${unitOf('invoices', 'invoice_id')}),
    ('invoice', case when table_name = 'emails' and v ->> 'kind' = 'invoice' then v ->> 'object_id' end),
    ('subscription', ${unitOf('subscriptions', 'subscription_id')}),
    ('grant', ${unitOf('credit_grants', 'grant_id')}),
    ('item', ${unitOf('invoice_items', 'invoice_item_id')}),
    ('plan_key', case when table_name = 'plans' then v ->> 'key' end),
    ('plan_migration', case when table_name = 'plan_migrations' then v ->> 'id' end),
    ('closed_month', case when table_name = 'closed_months' then v ->> 'id' end),
    ('customer', case when table_name not in ('invoices', 'subscriptions', 'usage_notices')
      then ${unitOf('customers', 'customer_id')} end),
    ('full_period', ${idOf(`(v ->> 'subscription_id')`, `(v ->> 'full_period_start')::timestamptz`)}),
    ('numbers', case when (v ->> 'number')::bigint > 0 then ${numbersId(`(v ->> 'number')::bigint`)} end)`;

/**
 * SQL: the units that logged rows, a relation, concern: those that a row names before or after its change, and those of
 * the invoices that these belong to. Each a kind, an environment and a unit.
 */
export function unitsOfRows(rows: string): string {
  return `
with version as materialized (
  select distinct r.table_name, r.environment_id as environment, state.v
  from ${rows} as r cross join lateral (values (r.before), (r.after)) as state(v) where state.v is not null
), named as materialized (
  select unit.kind, environment, unit.unit from version cross join lateral (${NAMED}) as unit(kind, unit)
  union all
  select 'invoice', environment, l.invoice_id from version cross join lateral (
    select invoice_id from line_items
    where environment_id = environment and id = v ->> 'line_item_id' offset 0) as l
  union all
  select 'invoice', environment, k.invoice_id from version cross join lateral (
    select invoice_id from credit_notes
    where environment_id = environment and id = coalesce(v ->> 'credit_note_id', v ->> 'object_id') offset 0) as k
), invoice as materialized (
  select distinct environment, unit as id from named where kind = 'invoice' and unit is not null
), line as materialized (
  select i.environment, l.* from invoice i cross join lateral (
    select subscription_id, full_period_start, type, invoice_item_id from line_items
    where environment_id = i.environment and invoice_id = i.id offset 0) as l
)
select kind, environment, unit from named where unit is not null
union
select 'subscription', i.environment, v.subscription_id from invoice i cross join lateral (
  select subscription_id from invoices where environment_id = i.environment and id = i.id offset 0) as v
union
select 'numbers', i.environment, ${numbersId('v.number')} from invoice i cross join lateral (
  select number from invoices where environment_id = i.environment and id = i.id and number > 0
  union all
  select number from credit_notes where environment_id = i.environment and invoice_id = i.id offset 0) as v
union
select 'full_period', environment, ${idOf('p.subscription_id', 'p.full_period_start')} from version cross join lateral (
  select subscription_id, full_period_start from periods
  where environment_id = environment and subscription_id = v ->> 'subscription_id' and kind = 'billing'
    and period_start <= (v ->> 'at')::timestamptz and period_end > (v ->> 'at')::timestamptz offset 0) as p
where table_name = 'quantity_changes'
union
select 'full_period', environment, ${idOf('subscription_id', 'full_period_start')} from line where type <> 'item'
union
select 'item', environment, invoice_item_id from line where invoice_item_id is not null`;
}

/**
 * SQL: the units that stored events, `stored`, concern. An environment's day is counted as a whole, so only while it is
 * small.
 */
export const OF_EVENTS = `
  select 'usage_day' as kind, 0 as environment, ${idOf('customer_key', 'day')} as unit
  from (select distinct customer_key, day from stored) as d
  union all
  select 'event_day', d.environment_id, ${instantId('d.day')}
  from (select distinct environment_id, day from stored) as d
  where (select coalesce(sum(n.events), 0) from event_days n
    where n.environment_id = d.environment_id and n.day = d.day) <= ${EVENT_DAY_MAX}`;
