import { JOURNAL_ACCOUNTS, type JournalAccount, type JournalType } from '../../domain/invoice/journal.ts';
import type { Db } from '../connection/pool.ts';

/**
 * One event in the books. `amounts` are signed: above 0 is a debit, below 0 a credit; they add up to 0. `at` is when it
 * was recorded, by the customer's clock, so that closed months do not change; `paid_at` is that of a payment.
 */
export type JournalEntry = {
  at: string;
  /** Type and object: unique, and in the order of the journal among entries of one instant. */
  entry: string;
  type: JournalType;
  object_id: string;
  customer_id: string;
  currency: string;
  paid_at: string | null;
  amounts: Partial<Record<JournalAccount, string>>;
};

type Source = {
  type: JournalType;
  at: string;
  from: string;
  amounts: Partial<Record<JournalAccount, string>>;
  id: string;
};

const OF_INVOICE = `join invoices i on i.environment_id = x.environment_id and i.id = x.invoice_id
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id`;

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
const OF_CUSTOMER = 'join customers c on c.environment_id = x.environment_id and c.id = x.customer_id';
const PAYMENTS = `payments x ${OF_CUSTOMER}`;
const ENTRIES = `balance_entries x ${OF_CUSTOMER}`;

/** SQL of each kind of entry (billing.md 7): the row `x`, the customer `c`, when it was recorded, and what it moves. */
const SOURCES: readonly Source[] = [
  {
    type: 'issue',
    id: 'x.id',
    at: 'x.issued_at',
    from: `invoices x ${OF_CUSTOMER}`,
    amounts: {
      receivable: 'x.total - x.balance_at_issue',
      revenue: '-x.subtotal',
      tax_payable: '-x.tax_amount',
      customer_balance: 'x.balance_at_issue',
    },
  },
  {
    type: 'void',
    id: 'x.id',
    at: 'x.voided_at',
    from: `invoices x ${OF_CUSTOMER}
      and x.number is not null
      cross join lateral (
        select coalesce(sum(b.amount), 0) as amount from balance_entries b
        where b.environment_id = x.environment_id and b.invoice_id = x.id and b.type = 'returned') as returned`,
    amounts: {
      receivable: 'returned.amount - x.total',
      revenue: 'x.subtotal',
      tax_payable: 'x.tax_amount',
      customer_balance: '-returned.amount',
    },
  },
  { type: 'payment', id: 'x.id', at: 'x.created_at', from: PAYMENTS, amounts: PAYMENT },
  { type: 'reversal', id: 'x.id', at: 'x.reversed_at', from: PAYMENTS, amounts: negative(PAYMENT) },
  {
    type: 'credit_note',
    id: 'x.id',
    at: 'x.issued_at',
    from: `credit_notes x ${OF_INVOICE}`,
    amounts: CREDIT_NOTE,
  },
  {
    type: 'credit_note_void',
    id: 'x.id',
    at: 'x.voided_at',
    from: `credit_notes x ${OF_INVOICE}`,
    amounts: negative(CREDIT_NOTE),
  },
  {
    type: 'adjustment',
    id: 'x.id',
    at: 'x.created_at',
    from: `${ENTRIES} and x.type = 'adjustment'`,
    amounts: { adjustments: 'x.amount', customer_balance: '-x.amount' },
  },
  {
    // What the issue of an invoice applies is part of that entry.
    type: 'balance_applied',
    id: 'x.id',
    at: 'x.created_at',
    from: `${ENTRIES} and x.type = 'applied' and x.created_by is not null`,
    amounts: { receivable: 'x.amount', customer_balance: '-x.amount' },
  },
  {
    type: 'unapplied',
    id: 'x.id',
    at: 'x.created_at',
    from: `${ENTRIES} and x.type = 'unapplied'`,
    amounts: { receivable: 'x.amount', customer_balance: '-x.amount' },
  },
];

const currencyOf = ({ from }: Source) => (from.includes('invoices i') ? 'i.currency' : 'c.currency');

function selectOf(source: Source): string {
  const { type, id, at, from, amounts } = source;
  const pairs = Object.entries(amounts).map(([account, amount]) => `'${account}', (${amount})::text`);
  const paid_at = type === 'payment' || type === 'reversal' ? 'x.paid_at' : 'null::timestamptz';
  return `(
    select ${at} as at, '${type}:' || ${id} as entry, '${type}' as type, ${id} as object_id,
      c.external_id as customer_id, ${currencyOf(source)} as currency, ${paid_at} as paid_at,
      jsonb_build_object(${pairs.join(', ')}) as amounts
    from ${from}
    where x.environment_id = $1 and ${at} >= coalesce($4::timestamptz, $2::timestamptz) and ${at} < $3::timestamptz
      and ($4::timestamptz is null or (${at}, '${type}:' || ${id}) > ($4, $5))
    order by 1, 2 limit $6)`;
}

const JOURNAL = `select * from (${SOURCES.map(selectOf).join(' union all ')}) as journal
  order by at, entry collate "C" limit $6`;

/** Entries recorded in a half-open range, by time and then by `entry`; `after` is the last one of the page before. */
export async function listJournal(
  db: Db,
  environment_id: number,
  range: { from: string; to: string; after: Pick<JournalEntry, 'at' | 'entry'> | null; limit: number },
): Promise<JournalEntry[]> {
  const { from, to, after, limit } = range;
  const { rows } = await db.query<JournalEntry>(JOURNAL, [
    environment_id,
    from,
    to,
    after?.at ?? null,
    after?.entry ?? null,
    limit,
  ]);
  return rows;
}

/** The debits and the credits of an account in a currency, as exact decimals. */
export type JournalSum = { currency: string; account: JournalAccount; debit: string; credit: string };

function movesOf(source: Source): string {
  const { at, from, amounts } = source;
  const moves = Object.entries(amounts).map(([account, amount]) => `('${account}', ${amount})`);
  return `(
    select ${currencyOf(source)} as currency, move.account, move.amount
    from ${from}
    cross join lateral (values ${moves.join(', ')}) as move(account, amount)
    where x.environment_id = $1 and ${at} >= $2::timestamptz and ${at} < $3::timestamptz)`;
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
  return rows;
}
