/** SQL: the instant that a row, before or after its change, has in a column. */
const at = (row: string, column: string) => `(${row} ->> '${column}')::timestamptz`;

/** SQL: what an invoice means to events; open and paid are the same, and no invoice is like a void one. */
const effectOf = (row: string) =>
  `case coalesce(${row} ->> 'status', 'void') when 'paid' then 'open' else coalesce(${row} ->> 'status', 'void') end`;

/** SQL: the customer `b` of a subscription of the row `r`. */
const customerOf = (subscription_id: string) => `cross join lateral (
      select customer_id from subscriptions
      where environment_id = r.environment_id and id = ${subscription_id} offset 0) as b`;

/** SQL: what a subscription means to events, a row before or after its change. */
const termsOf = (row: string) =>
  `(${row} - '{attention,noted_status,noted_renewal,noted_trial_end,billing_failed}'::text[])`;

/** A new subscription gives every event of its customer another reason; a cancellation those from then on. */
const OF_SUBSCRIPTION = `
    select r.after ->> 'customer_id', case
      when ${termsOf('r.before')} - 'cancel_at' = ${termsOf('r.after')} - 'cancel_at'
      then least(${at('r.before', 'cancel_at')}, ${at('r.after', 'cancel_at')}) end, null::timestamptz
    where r.table_name = 'subscriptions' and r.after is not null
      and ${termsOf('r.before')} is distinct from ${termsOf('r.after')}`;

/** Another plan has other charges from its instant on. */
const OF_PLAN = `
    select b.customer_id, ${at('x.row', 'at')}, null::timestamptz
    from (select coalesce(r.after, r.before) as row) as x
    ${customerOf(`x.row ->> 'subscription_id'`)}
    where r.table_name = 'plan_changes' and r.before ->> 'plan_id' is distinct from r.after ->> 'plan_id'`;

/** An open period that is no further part of a full period changes nothing: its events were pending before. */
const OF_PERIOD = `
    select b.customer_id, ${at('p.row', 'full_period_start')},
      greatest(${at('p.row', 'period_end')}, ${at('p.row', 'interval_end')}, ${at('r.before', 'period_end')})
    from (select coalesce(r.after, r.before) as row) as p
    ${customerOf(`p.row ->> 'subscription_id'`)}
    where r.table_name = 'periods' and 'billing' in (r.before ->> 'kind', r.after ->> 'kind') and case
      when r.before is null
        then r.after ->> 'closed_at' is not null or r.after ->> 'period_start' <> r.after ->> 'full_period_start'
      else r.before is distinct from r.after end`;

/** An invoice changes its own period, and what its lines hold. */
const OF_INVOICE = `
    select i.row ->> 'customer_id', min(range.starts_at), max(range.ends_at)
    from (select coalesce(r.after, r.before) as row) as i
    cross join lateral (
      select full_period_start as starts_at, greatest(period_end, interval_end) as ends_at from periods
      where environment_id = r.environment_id and subscription_id = i.row ->> 'subscription_id'
        and period_start = ${at('i.row', 'period_start')}
      union all
      select s.timestamp_from, s.timestamp_to from line_items l
      cross join lateral (
        select timestamp_from, timestamp_to from line_item_spans
        where environment_id = l.environment_id and line_item_id = l.id offset 0) as s
      where l.environment_id = r.environment_id and l.invoice_id = i.row ->> 'id'
    ) as range
    where r.table_name = 'invoices' and ${effectOf('r.before')} <> ${effectOf('r.after')}
    group by 1`;

const OF_SPAN = `
    select b.customer_id, ${at('s.row', 'timestamp_from')}, ${at('s.row', 'timestamp_to')}
    from (values (r.before), (r.after)) as s(row)
    cross join lateral (
      select subscription_id from line_items
      where environment_id = r.environment_id and id = s.row ->> 'line_item_id' offset 0) as l
    ${customerOf('l.subscription_id')}
    where r.table_name = 'line_item_spans'`;

/** The spans of a line that is deleted go with it. */
const OF_LINE = `
    select b.customer_id, ${at('r.before', 'full_period_start')}, ${at('r.before', 'period_end')}
    from (select r.before ->> 'subscription_id' as subscription_id) as l
    ${customerOf('l.subscription_id')}
    where r.table_name = 'line_items' and r.after is null`;

/** Counts that are to be made again, whatever changed (report-settings.ts). */
const OF_COUNTS = `
    select c.id, ${at('r.after', 'days_from')}, ${at('r.after', 'days_to')}
    from customers c where r.table_name = 'billing_days' and c.key = (r.after ->> 'customer_key')::bigint`;

const CHANGED_DAYS = [OF_SUBSCRIPTION, OF_PLAN, OF_PERIOD, OF_INVOICE, OF_SPAN, OF_LINE, OF_COUNTS];

/**
 * SQL: the days of customers whose causes logged rows, a relation, may have changed; one row a customer, from the start
 * of the first to the end of the last, with the instant of the oldest change. A deleted customer has no events.
 */
export function daysOf(rows: string): string {
  return `(
  select c.environment_id, c.key as customer_key, c.id as customer_id,
    min(coalesce(d.starts_at, '1970-01-01Z')) as days_from, max(coalesce(d.ends_at, '9999-12-31Z')) as days_to,
    min(r.noted_at) as noted_at
  from ${rows} as r
  cross join lateral (${CHANGED_DAYS.join('\n    union all')}
  ) as d(customer_id, starts_at, ends_at)
  join customers c on c.environment_id = r.environment_id and c.id = d.customer_id
  group by c.environment_id, c.key, c.id)`;
}
