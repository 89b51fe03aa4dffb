import { insertPlan, NOT_CUSTOM } from '../../src/db/subscriptions/plans.ts';
import { CONTENT_HASH_VERSION } from '../../src/db/invoicing/content-hash.ts';
import { BILLED_CUSTOMER, SELLER } from '../../src/db/invoicing/invoices.ts';
import type { Db, Pool } from '../../src/db/connection/pool.ts';
import type { Charge } from '../../src/domain/pricing/charge.ts';
import { newId } from '../../src/keys/ids.ts';
import type { Say } from '../../dev/progress.ts';

/** Months that each customer was billed for; the last of them ended in the days before today. */
export const MONTHS = 24;

/** Flat amounts a month of the plans of each currency. */
const PLANS = [
  ...['49', '99', '199', '490', '990'].map((flat_amount) => ({ currency: 'EUR', flat_amount })),
  ...['59', '119', '590'].map((flat_amount) => ({ currency: 'USD', flat_amount })),
];

/** SQL: an id that sorts by time, as those of newId. */
const idOf = (prefix: string, at: string, number: string) =>
  `'${prefix}_01' || lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || lpad(to_hex(${number}), 12, '0')`;

/** SQL: the customers, with their subscriptions; they begin in 25 days, by day in three time zones. */
const PAYERS = `
  create temporary table payer as
  select k, ${idOf('cus', 'start_date', 'k')} as customer_id, ${idOf('sub', 'start_date', 'k')} as subscription_id,
    case when k % 4 = 3 then 'USD' else 'EUR' end as currency, timezone, starts, start_date
  from (
    select *, starts at time zone timezone as start_date from (
      select k, date_trunc('day', now() at time zone 'UTC') - interval '2 days' - interval '${MONTHS} months'
          - k % 25 * interval '1 day' + interval '8 hours' + k % 720 * interval '1 minute' as starts,
        (array['UTC', 'Europe/Berlin', 'America/New_York'])[k % 3 + 1] as timezone
      from generate_series(0, $1::integer - 1) as k) as s) as s`;

/**
 * SQL: the months of every customer, the last of them open. Every tenth customer changes its plan after a year. `fate`
 * is the same for one month in 200: what becomes of its invoice.
 */
const TERMS = `
  create temporary table term as
  with plan as (
    select p.id as plan_id, h.id as charge_id, p.currency, round((h.pricing ->> 'flat_amount')::numeric, 2) as amount,
      row_number() over own - 1 as place, count(*) over (partition by p.currency) as places
    from plans p join charges h on h.environment_id = p.environment_id and h.plan_id = p.id
    where p.environment_id = $1
    window own as (partition by p.currency order by p.id)
  )
  select t.*, plan.plan_id, plan.charge_id, plan.amount as subtotal, round(plan.amount / 5, 2) as tax,
    round(plan.amount * 6 / 5, 2) as total, period_end + interval '1 minute' as issued_at,
    period_end + ((k * 7 + n * 11) % 30 + 1) * interval '1 day' as paying_at
  from (
    select p.*, n, (k * ${MONTHS} + n) % 200 as fate,
      case when k % 10 = 0 and n >= 12 then k / 4 + 1 else k / 4 end as of_plan,
      (starts + n * interval '1 month') at time zone timezone as period_start,
      (starts + (n + 1) * interval '1 month') at time zone timezone as period_end
    from payer p cross join generate_series(0, ${MONTHS}) as n) as t
  join plan on plan.currency = t.currency and plan.place = t.of_plan % plan.places`;

/** SQL: an instant that lies within some days after the settlement; null where it has not come. */
const daysLater = (days: number, of = 'paying_at') =>
  `case when ${of} + interval '${days} days' < now() then ${of} + interval '${days} days' end`;

/**
 * SQL: the invoices. Of 200, five stay open, one of them paid in part; one is void; one stays open with a credit note,
 * two have one after their payment, of which one goes to the balance; the payment of one is reversed, and comes again.
 * Who pays within the next days has not paid yet.
 */
const BILLS = `
  create temporary table bill as
  select *, row_number() over (order by issued_at, k) as number, ${idOf('inv', 'period_end', 'k')} as id,
    case when fate = 5 then ${daysLater(3, 'issued_at')} end as voided_at,
    case when (fate = 4 or fate > 5 and fate <> 8) and paying_at < now() then paying_at end as paid_at,
    case when fate = 9 then ${daysLater(5)} end as reversed_at,
    case when fate = 9 then ${daysLater(12)} end as paid_again_at,
    case when fate between 6 and 8 then ${daysLater(5)} end as noted_at
  from term where n < ${MONTHS}`;

const MASTER = [
  `insert into customers (environment_id, id, external_id, name, email, currency, tax_rate, metadata, timezone,
     created_at)
   select $1, customer_id, 'payer-' || k, 'Payer ' || k || ' Ltd', 'billing@payer-' || k || '.example', currency, 20,
     '{}', timezone, start_date from payer`,
  `insert into subscriptions (environment_id, id, customer_id, plan_id, start_date, created_at, timezone, noted_status)
   select $1, subscription_id, customer_id, plan_id, start_date, start_date, timezone, 'active' from term where n = 0`,
  `insert into plan_changes (environment_id, subscription_id, at, plan_id, is_day, noted_at, created_at)
   select $1, subscription_id, period_start, plan_id, false, period_start, period_start
   from term where n = 12 and k % 10 = 0`,
  `insert into periods (environment_id, subscription_id, period_start, period_end, kind, interval_start, interval_end,
     full_period_start, plan_id, opened_at, closed_at, end_noted, late_usage_until, late_window_closed_at)
   select $1, subscription_id, period_start, period_end, 'billing', period_start, period_end, period_start, plan_id,
     period_start, case when n < ${MONTHS} then issued_at end, n < ${MONTHS}, ${daysLater(35, 'period_end')},
     ${daysLater(35, 'period_end')}
   from term order by period_start`,
];

/** Invoices of one statement, and SQL: the bill `b` is one of them. */
const SLICE = 100_000;
const IN_SLICE = 'b.number > $2 and b.number <= $3';

/** SQL: invoices in the order of their issue. No report reads their hash, so it is no real one. */
const INVOICES = `
  insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, number, full_number, status,
    currency, period_start, period_end, subtotal, tax_rate, tax_amount, total, amount_paid, credited, credits_applied,
    hold_until, usage_revision, credit_revision, customer, seller, content_hash, content_hash_version, created_at,
    issued_at, paid_at, voided_at, payment_reference, timezone, due_date, due_at, overdue_at, fees, usage, late_usage, items,
    discounts, minimums)
  select $1, b.id, b.subscription_id, b.customer_id, b.plan_id, b.number,
    n.invoice_prefix || lpad(b.number::text, greatest(6, length(b.number::text)), '0'),
    case when b.voided_at is not null then 'void' when is_paid then 'paid' else 'open' end, b.currency, b.period_start,
    b.period_end, b.subtotal, 20, b.tax, b.total, amount_paid, credited, 0, b.issued_at, 1, 1, ${BILLED_CUSTOMER},
    ${SELLER}, sha256(b.id::bytea), ${CONTENT_HASH_VERSION}, b.issued_at, b.issued_at,
    case when is_paid then coalesce(b.paid_again_at, b.paid_at) end, b.voided_at, 'transfer ' || b.number, b.timezone,
    (b.issued_at at time zone b.timezone)::date + 14, due_at,
    case when not is_paid and b.voided_at is null and due_at < now() then due_at end, b.subtotal, 0.00, 0.00, 0.00,
    0.00, 0.00
  from bill b
  join environments n on n.id = $1
  join customers c on c.environment_id = $1 and c.id = b.customer_id
  cross join lateral (select
    case when b.paid_at is null then 0.00 when b.fate = 4 then 20.00 when b.reversed_at is not null and
      b.paid_again_at is null then 0.00 else b.total end as amount_paid,
    case when b.fate = 8 and b.noted_at is not null then 12.00 else 0.00 end as credited,
    ((b.issued_at at time zone b.timezone)::date + 15)::timestamp at time zone b.timezone as due_at) as x
  cross join lateral (select x.amount_paid + x.credited = b.total as is_paid) as y
  where ${IN_SLICE}
  order by b.number`;

const LINES = `
  insert into line_items (environment_id, id, invoice_id, position, type, charge_id, event_name, description,
    pricing_model, quantity, skipped_events, credits_applied, billable_quantity, amount, period_start, period_end,
    full_period_start, subscription_id)
  select $1, ${idOf('li', 'period_end', 'k')}, id, 1, 'flat', charge_id, 'fee', 'Monthly fee', 'flat', 1, 0, 0, 1,
    subtotal, period_start, period_end, period_start, subscription_id
  from bill b where ${IN_SLICE} order by number`;

const PAYMENTS = `
  insert into payments (environment_id, id, invoice_id, amount, reference, paid_at, created_at, created_by, reversed_at,
    reversal_reason, customer_id)
  select $1, ${idOf('pay', 'at', 'number')}, id, case when fate = 4 then 20.00 else total end, 'transfer ' || number, at,
    at, 'seed', reversed, case when reversed is not null then 'returned by the bank' end, customer_id
  from bill b cross join lateral (values (paid_at, reversed_at), (paid_again_at, null)) as paid(at, reversed)
  where at is not null and ${IN_SLICE} order by at`;

const NOTES = [
  `create temporary table note as
   select *, row_number() over (order by noted_at, k) as note_number, ${idOf('cn', 'noted_at', 'number')} as note_id
   from bill where noted_at is not null`,
  `insert into credit_notes (environment_id, id, invoice_id, status, number, full_number, subtotal, tax_amount, total,
     to_invoice, to_balance, outside, reason, issued_at, created_by, content_hash)
   select $1, note_id, id, 'issued', note_number,
     'CN-' || lpad(note_number::text, greatest(6, length(note_number::text)), '0'), 10.00, 2.00, 12.00,
     case when fate = 8 then 12.00 else 0.00 end, case when fate = 6 then 12.00 else 0.00 end,
     case when fate = 7 then 12.00 else 0.00 end, 'goodwill', noted_at, 'seed', sha256(note_id::bytea)
   from note order by note_number`,
  `insert into credit_note_lines (environment_id, credit_note_id, position, line_item_id, amount)
   select $1, note_id, 1, ${idOf('li', 'period_end', 'k')}, 10.00 from note`,
  `insert into balance_entries (environment_id, id, customer_id, type, amount, reason, invoice_id, credit_note_id,
     created_at, created_by)
   select $1, ${idOf('bal', 'noted_at', 'number')}, customer_id, 'credit_note', 12.00, 'goodwill', id, note_id,
     noted_at, 'seed'
   from note where fate = 6 order by note_number`,
  `update customers c set balance = b.balance
   from (select customer_id, sum(amount) as balance from balance_entries where environment_id = $1 group by 1) as b
   where c.environment_id = $1 and c.id = b.customer_id`,
  `update environments set last_invoice_number = (select count(*) from bill),
     last_credit_note_number = (select count(*) from note) where id = $1`,
];

const TABLES = [
  ...['customers', 'subscriptions', 'plan_changes', 'periods', 'invoices', 'line_items', 'payments'],
  ...['credit_notes', 'credit_note_lines', 'balance_entries'],
];

/**
 * Fills an empty database with invoices of the last two years, their payments and their credit notes: the rows that
 * closes and requests would have written, but for the log of changes, the audit log and the hashes. Each customer has
 * 24 of them, for a flat amount a month, three quarters in EUR, the others in USD. Then vacuums and analyzes the
 * tables. `pool` has one connection.
 */
export async function seedInvoices(
  pool: Pool,
  environment_id: number,
  { invoices, say }: { invoices: number; say: Say },
): Promise<void> {
  for (const terms of PLANS) await insertFlatPlan(pool, environment_id, terms);
  const customers = Math.ceil(invoices / MONTHS);
  await pool.query(PAYERS, [customers]);
  await pool.query(TERMS, [environment_id]);
  await pool.query(BILLS);
  await pool.query('analyze payer, term, bill');
  await withoutTriggers(pool, async () => {
    const write = (statement: string, slice: number[] = []) =>
      pool.query(statement, statement.includes('$1') ? [environment_id, ...slice] : []);
    for (const statement of MASTER) await write(statement);
    for (let first = 0; first < customers * MONTHS; first += SLICE) {
      for (const statement of [INVOICES, LINES, PAYMENTS]) await write(statement, [first, first + SLICE]);
      say(`  ${Math.min(first + SLICE, customers * MONTHS).toLocaleString('en')} invoices are stored`);
    }
    for (const statement of NOTES) await write(statement);
  });
  await pool.query('drop table payer, term, bill, note');
  await pool.query(`vacuum (analyze) ${TABLES.join(', ')}`);
}

async function insertFlatPlan(
  db: Db,
  environment_id: number,
  { currency, flat_amount }: { currency: string; flat_amount: string },
): Promise<void> {
  const charge: Charge = {
    ...{ id: newId('chg'), event_name: 'fee', name: null, unit_name: null, filters: null, group_by: null },
    aggregation: { type: 'count' },
    pricing: { pricing_model: 'flat', flat_amount },
  };
  await insertPlan(db, environment_id, {
    ...NOT_CUSTOM,
    ...{ id: newId('plan'), key: `${currency.toLowerCase()}-${flat_amount}`, version: 1 },
    ...{
      name: `${currency} ${flat_amount}`,
      currency,
      interval: 'month',
      interval_count: 1,
      minimum_amount: null,
      pricing_model: null,
    },
    ...{ metadata: {}, charges: [charge], grants: [] },
  });
}

/** Writes rows that no log has: with the triggers, a million invoices would take three times as long. */
async function withoutTriggers(pool: Pool, work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ trigger: string; own_table: string; mode: string }>(
    `select quote_ident(tgname) as trigger, tgrelid::regclass::text as own_table,
       case tgenabled when 'A' then 'always' else '' end as mode
     from pg_trigger where not tgisinternal and tgrelid = any($1::text[]::regclass[])`,
    [TABLES],
  );
  for (const table of TABLES) await pool.query(`alter table ${table} disable trigger user`);
  await work();
  for (const { trigger, own_table, mode } of rows)
    await pool.query(`alter table ${own_table} enable ${mode} trigger ${trigger}`);
}
