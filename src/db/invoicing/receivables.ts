import { AGES, type Age, type ByAge } from '../../domain/invoice/age.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import type { Debtor, ReceivableSum } from '../../objects/receivables.ts';
import type { Db } from '../connection/pool.ts';
import { DUE } from './amount-due.ts';
import { RECEIVABLE_MOVES } from './journal.ts';

/** The debtors to read. The day of a customer is that in `days`, by our `cus_` id, else `day`. */
export type ReceivablesQuery = {
  /** The end of what counts; null: all that is booked. */
  before: string | null;
  day: string;
  days: Readonly<Record<string, string>>;
  /** Our `cus_` ids; null: all customers. */
  customer_ids: readonly string[] | null;
  currency: string | null;
  /** The place of the debtor before; null: from the first one on. */
  after: string | null;
  limit: number;
};

/** A debtor with its place in the order of the list as `id`; `customer_id` is our `cus_` id. */
export type PlacedDebtor = { id: string; customer_id: string; debtor: Debtor };

const OF_CUSTOMERS = '($3::text[] is null or i.customer_id = any($3))';

const OF_INVOICE = 'i.id, i.customer_id, i.currency, i.due_date';

/**
 * SQL: the last id of the invoices that were issued before an instant. Ids sort by creation, so that what was booked
 * since is mostly of invoices beyond it, and needs no look at them.
 */
const LAST_EARLIER = `(
          select max(e.id) from invoices e where e.environment_id = $1 and e.issued_at < $2::timestamptz)`;

/** SQL: what was booked since an instant, taken off again: of invoices that were issued before. */
const MOVES_BACK = RECEIVABLE_MOVES.map(
  ({ rows, is_booked, invoice_id, at, amount }) => `
      select ${OF_INVOICE}, -(${amount})
      from ${rows}
      join invoices i on i.environment_id = x.environment_id and i.id = ${invoice_id}
      where x.environment_id = $1 and ${is_booked} and ${at} >= $2::timestamptz and i.issued_at < $2::timestamptz
        and ${OF_CUSTOMERS} and ($3::text[] is not null or ${invoice_id} <= ${LAST_EARLIER})`,
);

const DAY_OF_CUSTOMER = 'coalesce(($6::jsonb ->> customer_id)::date, $5::date)';

/**
 * SQL: the invoices of which something was owed at an instant, how much, and the day of the customer. It is the account
 * `receivable` of the journal by invoice. The journal is read backwards, from what is due now, so that a recent day
 * costs little.
 */
const OWED = `
    select customer_id, currency, due_date, sum(due) as due, ${DAY_OF_CUSTOMER} as day
    from (
      select ${OF_INVOICE}, ${DUE} as due
      from invoices i
      where i.environment_id = $1 and i.status = 'open' and ($2::timestamptz is null or i.issued_at < $2)
        and ${OF_CUSTOMERS}
      union all ${MOVES_BACK.join('\n      union all ')}
    ) as move
    where $4::text is null or currency = $4
    group by id, customer_id, currency, due_date having sum(due) <> 0`;

/** SQL: the sum of what is owed, for each age, and of all. */
const BY_AGE = Object.entries(AGES)
  .map(([age, last], place) => {
    const days = 'owed.day - owed.due_date';
    const from = place === 0 ? 'true' : `${days} > ${Object.values(AGES)[place - 1]}`;
    const to = last === Infinity ? 'true' : `${days} <= ${last}`;
    return `coalesce(sum(owed.due) filter (where ${from} and ${to}), 0) as ${age}`;
  })
  .join(',\n      ');

const AGE_NAMES: readonly (Age | 'total')[] = [
  'current',
  'days_1_30',
  'days_31_60',
  'days_61_90',
  'days_over_90',
  'total',
];

/**
 * A test clock that is some days ahead makes a debt as many days older: `since` is the due date that would be as old on
 * `day`, so that the place of a debtor stands while days pass.
 */
const RECEIVABLES = `
  with owed as (${OWED}
  ), debtor as (
    select owed.customer_id as id, owed.currency, ${BY_AGE},
      sum(owed.due) as total, min(owed.due_date) as oldest_due_date, count(*)::integer as invoices,
      min(owed.due_date - (owed.day - $5::date)) as since
    from owed
    group by owed.customer_id, owed.currency
  )
  select null as id, null as customer_id, null as name, currency,
    ${AGE_NAMES.map((age) => `sum(${age})::text as ${age}`).join(', ')},
    null as oldest_due_date, null as invoices, null as since
  from debtor group by currency
  union all
  select d.id, c.external_id, c.name, d.currency, ${AGE_NAMES.map((age) => `d.${age}::text`).join(', ')},
    d.oldest_due_date::text, d.invoices, d.since::text
  from (
    select * from debtor where $7::date is null or (since, id) > ($7, $8) order by since, id limit $9
  ) as d
  join customers c on c.environment_id = $1 and c.id = d.id
  order by since nulls first, id, currency`;

type SumRow = ByAge & { id: null; currency: string };
type DebtorRow = Debtor & { id: string; since: string };

/**
 * Reads the debtors of a page, the most overdue first, and the sums of all debtors by currency, which are the account
 * `receivable` of the journal.
 */
export async function readReceivables(
  db: Db,
  environment_id: number,
  { before, day, days, customer_ids, currency, after, limit }: ReceivablesQuery,
): Promise<{ sums: ReceivableSum[]; debtors: PlacedDebtor[] }> {
  const [since = null, id = null] = after?.split(' ') ?? [];
  const { rows } = await db.query<SumRow | DebtorRow>(RECEIVABLES, [
    environment_id,
    before,
    customer_ids,
    currency,
    day,
    JSON.stringify(days),
    since,
    id,
    limit,
  ]);
  return {
    sums: rows.flatMap((row) => (row.id === null ? [{ currency: row.currency, ...amountsOf(row) }] : [])),
    debtors: rows.flatMap((row) => (row.id === null ? [] : [placed(row)])),
  };
}

function placed(row: DebtorRow): PlacedDebtor {
  const { id, since, customer_id, name, currency, oldest_due_date, invoices } = row;
  const debtor = { customer_id, name, currency, ...amountsOf(row), oldest_due_date, invoices };
  return { id: `${since} ${id}`, customer_id: id, debtor };
}

function amountsOf({ currency, ...amounts }: ByAge & { currency: string }): ByAge {
  const amountOf = (age: Age | 'total') => toAmount(decimal(amounts[age]), currency);
  return {
    current: amountOf('current'),
    days_1_30: amountOf('days_1_30'),
    days_31_60: amountOf('days_31_60'),
    days_61_90: amountOf('days_61_90'),
    days_over_90: amountOf('days_over_90'),
    total: amountOf('total'),
  };
}

/** The database's now, and the test clocks of customers, by our `cus_` ids; of all customers for null. */
export async function readClocks(
  db: Db,
  environment_id: number,
  customer_ids: readonly string[] | null,
): Promise<{ now: string; livemode: boolean; test_clocks: Record<string, string> }> {
  const { rows } = await db.query<{ now: string; livemode: boolean; test_clocks: Record<string, string> }>(
    `select date_trunc('milliseconds', now()) as now, n.livemode, (
       select coalesce(jsonb_object_agg(c.id, instant_text(c.test_clock)), '{}') from customers c
       where not n.livemode and c.environment_id = n.id and c.test_clock is not null
         and ($2::text[] is null or c.id = any($2))) as test_clocks
     from environments n where n.id = $1`,
    [environment_id, customer_ids],
  );
  return rows[0]!;
}
