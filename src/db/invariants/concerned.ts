import { idOf, instantId, numbersId } from './unit.ts';

/** A day of an environment with more events is left to the sweep: it would be counted again each minute. */
const EVENT_DAY_MAX = 500_000;

/** SQL: the units that a set of changes, `noted`, concerns, beside the changed ones: each a query of kind, environment and unit. */
export const CONCERNED = `
  select kind, environment, unit from noted where kind <> 'full_period'
  union
  select n.kind, n.environment, ${idOf(`split_part(n.unit, ' ', 1)`, `split_part(n.unit, ' ', 2)::timestamptz`)}
  from noted n where n.kind = 'full_period'
  union
  select 'subscription', i.environment_id, i.subscription_id
  from noted n join invoices i on i.environment_id = n.environment and i.id = n.unit where n.kind = 'invoice'
  union
  select 'full_period', l.environment_id, ${idOf('l.subscription_id', 'l.full_period_start')}
  from noted n join line_items l on l.environment_id = n.environment and l.invoice_id = n.unit
  where n.kind = 'invoice' and l.type <> 'item'
  union
  select 'item', l.environment_id, l.invoice_item_id
  from noted n join line_items l on l.environment_id = n.environment and l.invoice_id = n.unit
  where n.kind = 'invoice' and l.invoice_item_id is not null
  union
  select 'numbers', i.environment_id, ${numbersId('i.number')}
  from noted n join invoices i on i.environment_id = n.environment and i.id = n.unit
  where n.kind = 'invoice' and i.number > 0
  union
  select 'numbers', k.environment_id, ${numbersId('k.number')}
  from noted n join credit_notes k on k.environment_id = n.environment and k.invoice_id = n.unit
  where n.kind = 'invoice'
  union
  -- An invoice that is gone may have had any number.
  select 'numbers', e.id, lpad(block::text, 12, '0')
  from noted n join environments e on e.id = n.environment
  cross join lateral generate_series(0, e.last_invoice_number / 1000) as block
  where n.kind = 'invoice' and not exists (select from invoices i
    where i.environment_id = n.environment and i.id = n.unit)`;

/**
 * SQL: the units that stored events, `stored`, concern. An environment's day is counted as a whole, so only while it is small.
 */
export const OF_EVENTS = `
  select 'usage_day' as kind, 0 as environment, ${idOf('customer_key', 'day')} as unit
  from (select distinct customer_key, day from stored) as d
  union all
  select 'event_day', d.environment_id, ${instantId('d.day')}
  from (select distinct environment_id, day from stored) as d
  where (select coalesce(sum(n.events), 0) from event_days n
    where n.environment_id = d.environment_id and n.day = d.day) <= ${EVENT_DAY_MAX}`;
