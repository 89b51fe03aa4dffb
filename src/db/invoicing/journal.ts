import {
  JOURNAL_ACCOUNTS,
  type BareEntry,
  type JournalAccount,
  type JournalEntry,
  type JournalType,
} from '../../domain/invoice/journal.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import type { JournalSum } from '../../objects/journal.ts';
import type { Db } from '../connection/pool.ts';

/** Entries that are read at once, for a reader that may be slow. */
const PAGE_SIZE = 500;
/** Entries that are read at once to be hashed. */
const BARE_PAGE_SIZE = 2000;

type Source = {
  type: JournalType;
  /** The table of the row `x`. */
  table: 'invoices' | 'payments' | 'credit_notes' | 'balance_entries';
  /** Which of its rows are booked; absent: all that have the time. */
  is_booked?: string;
  /** A join for what the amounts need besides the row. */
  beside?: string;
  /** When it was recorded. */
  at: string;
  amounts: Partial<Record<JournalAccount, string>>;
};

const negative = (amounts: Source['amounts']): Source['amounts'] =>
  Object.fromEntries(Object.entries(amounts).map(([account, amount]) => [account, `-(${amount})`]));

const PAYMENT = {
  cash: 'x.amount',
  receivable: 'x.to_balance - x.amount',
  customer_balance: '-x.to_balance',
};
const CREDIT_NOTE = {
  revenue: 'x.subtotal',
  tax_payable: 'x.tax_amount',
  receivable: '-x.to_invoice',
  customer_balance: '-x.to_balance',
  cash: '-x.outside',
};

/** SQL of each kind of entry (billing.md 7): the row `x`, when it was recorded, and what it moves. */
const SOURCES: readonly Source[] = [
  {
    type: 'issue',
    at: 'x.issued_at',
    table: 'invoices',
    amounts: {
      receivable: 'x.total - x.balance_at_issue',
      revenue: '-x.subtotal',
      tax_payable: '-x.tax_amount',
      customer_balance: 'x.balance_at_issue',
    },
  },
  {
    type: 'void',
    at: 'x.voided_at',
    table: 'invoices',
    is_booked: 'x.number is not null',
    beside: `cross join lateral (
        select coalesce(sum(b.amount), 0) as amount from balance_entries b
        where b.environment_id = x.environment_id and b.invoice_id = x.id and b.type = 'returned') as returned`,
    amounts: {
      receivable: 'returned.amount - x.total',
      revenue: 'x.subtotal',
      tax_payable: 'x.tax_amount',
      customer_balance: '-returned.amount',
    },
  },
  { type: 'payment', table: 'payments', at: 'x.created_at', amounts: PAYMENT },
  { type: 'reversal', table: 'payments', at: 'x.reversed_at', amounts: negative(PAYMENT) },
  { type: 'credit_note', table: 'credit_notes', at: 'x.issued_at', amounts: CREDIT_NOTE },
  { type: 'credit_note_void', table: 'credit_notes', at: 'x.voided_at', amounts: negative(CREDIT_NOTE) },
  {
    type: 'adjustment',
    at: 'x.created_at',
    table: 'balance_entries',
    is_booked: "x.type = 'adjustment'",
    amounts: { adjustments: 'x.amount', customer_balance: '-x.amount' },
  },
  {
    // What the issue of an invoice applies is part of that entry.
    type: 'balance_applied',
    at: 'x.created_at',
    table: 'balance_entries',
    is_booked: "x.type = 'applied' and x.created_by is not null",
    amounts: { receivable: 'x.amount', customer_balance: '-x.amount' },
  },
  {
    type: 'unapplied',
    at: 'x.created_at',
    table: 'balance_entries',
    is_booked: "x.type = 'unapplied'",
    amounts: { receivable: 'x.amount', customer_balance: '-x.amount' },
  },
];

/**
 * SQL of what moves the receivable of an invoice after its issue: the rows `x`, which of them are booked, the invoice
 * of each, when it was recorded, and by how much.
 */
export const RECEIVABLE_MOVES = SOURCES.filter(({ type }) => type !== 'issue').flatMap(
  ({ table, is_booked = 'true', beside = '', at, amounts: { receivable: amount } }) => {
    if (amount === undefined) return [];
    const invoice_id = table === 'invoices' ? 'x.id' : 'x.invoice_id';
    return { rows: `${table} x ${beside}`, is_booked, invoice_id, at, amount };
  },
);

const OF_CUSTOMER = 'join customers c on c.environment_id = x.environment_id and c.id = x.customer_id';
const INVOICE = 'invoices i on i.environment_id = x.environment_id and i.id = x.invoice_id';
const OF_INVOICE = `join ${INVOICE}
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id`;

/** SQL: the rows `x` of a source, and their customers `c`. */
const fromOf = ({ table, beside = '' }: Source) =>
  `from ${table} x ${table === 'credit_notes' ? OF_INVOICE : OF_CUSTOMER} ${beside}`;

/** SQL of what a document says, by its number and its invoice. */
const documentOf = (number: string, invoice: string) =>
  `${number} as document_number, ${invoice}.customer ->> 'name' as customer_name, ${invoice}.tax_treatment,
      trim_scale(${invoice}.tax_rate)::text as tax_rate, ${invoice}.customer -> 'tax_ids' as tax_ids`;

/** SQL of what is no document: the number of the invoice, if it is of one. */
const OF_MONEY = {
  columns: `i.full_number as document_number, c.name as customer_name, null::text as tax_treatment,
      null::text as tax_rate, null::jsonb as tax_ids`,
  join: `left join ${INVOICE}`,
};

/** SQL of what the document of a source says, and the join that it needs. */
const DOCUMENT: Readonly<Record<Source['table'], { columns: string; join: string }>> = {
  invoices: { columns: documentOf('x.full_number', 'x'), join: '' },
  credit_notes: { columns: documentOf('x.full_number', 'i'), join: '' },
  payments: OF_MONEY,
  balance_entries: OF_MONEY,
};

/** SQL: a row `x` of a source is booked in a half-open range. */
const isBooked = ({ at, is_booked = 'true' }: Source, from: string, to: string) =>
  `x.environment_id = $1 and ${is_booked} and ${at} >= ${from} and ${at} < ${to}`;

function selectOf(source: Source, document: { columns: string; join: string } | null): string {
  const { type, at, amounts } = source;
  const pairs = Object.entries(amounts).map(([account, amount]) => `'${account}', (${amount})::text`);
  const paid_at = type === 'payment' || type === 'reversal' ? 'x.paid_at' : 'null::timestamptz';
  return `(
    select ${at} as at, '${type}:' || x.id as entry, '${type}' as type, x.id as object_id,
      c.external_id as customer_id, c.currency, ${paid_at} as paid_at,
      ${document === null ? '' : `${document.columns},`}
      jsonb_build_object(${pairs.join(', ')}) as amounts
    ${fromOf(source)} ${document?.join ?? ''}
    where ${isBooked(source, 'coalesce($4::timestamptz, $2::timestamptz)', '$3::timestamptz')}
      and ($4::timestamptz is null or (${at}, '${type}:' || x.id) > ($4, $5))
      and ($7::text is null or c.currency = $7)
    order by 1, 2 limit $6)`;
}

function journalOf(selects: readonly string[]): string {
  return `select * from (${selects.join(' union all ')}) as journal order by at, entry collate "C" limit $6`;
}

const JOURNAL = journalOf(SOURCES.map((source) => selectOf(source, DOCUMENT[source.table])));

/** Sorted once: a cursor would else be planned for its first rows. */
const BARE_JOURNAL = [
  'set local cursor_tuple_fraction = 1',
  `declare bare_journal no scroll cursor for ${journalOf(SOURCES.map((source) => selectOf(source, null)))}`,
] as const;

/** A half-open range of time, and a currency, if not all. */
export type JournalRange = { from: string; to: string; currency?: string | undefined };

/** Entries recorded in a range, by time and then by `entry`; `after` is the last one of the page before. */
export async function listJournal(
  db: Db,
  environment_id: number,
  { after, limit, ...range }: JournalRange & { after: Place | null; limit: number },
): Promise<JournalEntry[]> {
  const { rows } = await db.query<JournalEntry>(JOURNAL, valuesOf(environment_id, range, { after, limit }));
  return rows;
}

type Place = Pick<JournalEntry, 'at' | 'entry'>;

function valuesOf(
  environment_id: number,
  { from, to, currency }: JournalRange,
  { after, limit }: { after: Place | null; limit: number | null },
): unknown[] {
  return [environment_id, from, to, after?.at ?? null, after?.entry ?? null, limit, currency ?? null];
}

/** All entries recorded in a range, in the order of listJournal, in pages that are read one after the other. */
export async function* journalPages(
  db: Db,
  environment_id: number,
  range: JournalRange,
): AsyncGenerator<JournalEntry[]> {
  for (let after: JournalEntry | null = null; ;) {
    const page: JournalEntry[] = await listJournal(db, environment_id, { ...range, after, limit: PAGE_SIZE });
    yield page;
    after = page.at(-1) ?? null;
    if (page.length < PAGE_SIZE) return;
  }
}

/**
 * All entries in the order of listJournal, without what their documents say, in pages of one statement: a sixth of the
 * time of journalPages. The caller is in a transaction.
 */
export async function* bareJournalPages(
  db: Db,
  environment_id: number,
  range: JournalRange,
): AsyncGenerator<BareEntry[]> {
  const [plan_whole, open] = BARE_JOURNAL;
  await db.query(plan_whole);
  await db.query(open, valuesOf(environment_id, range, { after: null, limit: null }));
  for (;;) {
    // Not described by the database before the cursor exists, so its type is not checked (test/db/statements.test.ts).
    const { rows }: { rows: BareEntry[] } = await db.query(`fetch ${BARE_PAGE_SIZE} from bare_journal`);
    if (rows.length === 0) break;
    yield rows;
  }
  await db.query('close bare_journal');
}

function movesOf(source: Source): string {
  const moves = Object.entries(source.amounts).map(([account, amount]) => `('${account}', ${amount})`);
  return `(
    select c.currency, move.account, move.amount
    ${fromOf(source)}
    cross join lateral (values ${moves.join(', ')}) as move(account, amount)
    where ${isBooked(source, '$2::timestamptz', '$3::timestamptz')})`;
}

const SUMS = `
  select currency, account, sum(greatest(amount, 0))::text as debit, sum(greatest(-amount, 0))::text as credit
  from (${SOURCES.map(movesOf).join(' union all ')}) as moved
  where amount <> 0
  group by currency, account order by currency collate "C", array_position($4::text[], account)`;

/** The sums of the entries of a half-open range, by currency and, in the order of JOURNAL_ACCOUNTS, by account. */
export async function sumJournal(
  db: Db,
  environment_id: number,
  { from, to }: { from: string; to: string },
): Promise<JournalSum[]> {
  const { rows } = await db.query<JournalSum>(SUMS, [environment_id, from, to, JOURNAL_ACCOUNTS]);
  return rows.map(({ debit, credit, ...of }) => ({
    ...of,
    debit: toAmount(decimal(debit), of.currency),
    credit: toAmount(decimal(credit), of.currency),
  }));
}
