import type { BalanceEntryType } from '../../domain/invoice/balance-entry.ts';
import { isZero } from '../../domain/money/figures.ts';
import type { Db } from '../connection/pool.ts';

/** A movement of a customer's balance (contract.md 4). */
export type BalanceEntry = {
  id: string;
  object: 'balance_entry';
  livemode: boolean;
  created_at: string;
  customer_id: string;
  type: BalanceEntryType;
  currency: string;
  /** Signed amount. */
  amount: string;
  reason: string | null;
  invoice_id: string | null;
  credit_note_id: string | null;
  payment_id: string | null;
  created_by: string | null;
};

/** `customer_id` is our `cus_` id; `by` is the key or the session, null for what billing itself does. */
export type NewBalanceEntry = {
  id: string;
  customer_id: string;
  type: BalanceEntry['type'];
  amount: string;
  reason?: string;
  invoice_id?: string;
  credit_note_id?: string;
  payment_id?: string;
  at: string;
  by: string | null;
};

const SELECT = `
  select b.id, 'balance_entry' as object, n.livemode, b.created_at, c.external_id as customer_id, b.type, c.currency,
    b.amount::text as amount, b.reason, b.invoice_id, b.credit_note_id, b.payment_id, b.created_by
  from balance_entries b
  join customers c on c.environment_id = b.environment_id and c.id = b.customer_id
  join environments n on n.id = b.environment_id`;

/** The customer's balance; the caller holds the lock of the customer if the balance must not move. */
export async function readBalance(db: Db, environment_id: number, customer_id: string): Promise<string> {
  const { rows } = await db.query<{ balance: string }>(
    'select balance::text as balance from customers where environment_id = $1 and id = $2',
    [environment_id, customer_id],
  );
  return rows[0]!.balance;
}

/**
 * Moves the balance and writes its entry; an amount of 0 writes nothing. Returns false, with nothing written, if the
 * balance would fall below 0.
 */
export async function moveBalance(db: Db, environment_id: number, entry: NewBalanceEntry): Promise<boolean> {
  return (await moveBalances(db, environment_id, [entry])) === 1;
}

/**
 * Moves balances as moveBalance does, one for each customer. Returns how many entries needed no write or were written.
 */
export async function moveBalances(
  db: Db,
  environment_id: number,
  entries: readonly NewBalanceEntry[],
): Promise<number> {
  const moving = entries.filter(({ amount }) => !isZero(amount));
  if (moving.length === 0) return entries.length;
  const { rowCount } = await db.query(
    `with entry as (
       select * from jsonb_to_recordset($2) as e(id text, customer_id text, type text, amount numeric, reason text,
         invoice_id text, credit_note_id text, payment_id text, at timestamptz, by text)
     ), moved as (
       update customers c set balance = c.balance + entry.amount from entry
       where c.environment_id = $1 and c.id = entry.customer_id and c.balance + entry.amount >= 0
       returning entry.*
     )
     insert into balance_entries (environment_id, id, customer_id, type, amount, reason, invoice_id, credit_note_id,
       payment_id, created_at, created_by)
     select $1, id, customer_id, type, amount, reason, invoice_id, credit_note_id, payment_id, at, by from moved`,
    [environment_id, JSON.stringify(moving)],
  );
  return entries.length - moving.length + rowCount!;
}

/** The entries with these ids, in any order. */
export async function readBalanceEntries(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<BalanceEntry[]> {
  const { rows } = await db.query<BalanceEntry>(`${SELECT} where b.environment_id = $1 and b.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows;
}

/** An entry by its id; null if it does not exist. */
export async function findBalanceEntry(
  db: Db,
  environment_id: number,
  id: string,
): Promise<BalanceEntry | null> {
  return (await readBalanceEntries(db, environment_id, [id]))[0] ?? null;
}

/** The entries of a customer, by our `cus_` id, newest first. */
export async function listBalanceEntries(
  db: Db,
  environment_id: number,
  { customer_id, before, limit }: { customer_id: string; before: string | null; limit: number },
): Promise<BalanceEntry[]> {
  const { rows } = await db.query<BalanceEntry>(
    `${SELECT} where b.environment_id = $1 and b.customer_id = $2 and ($3::text is null or b.id < $3)
     order by b.id desc limit $4`,
    [environment_id, customer_id, before, limit],
  );
  return rows;
}
