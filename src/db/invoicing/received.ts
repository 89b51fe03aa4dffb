import type { OpenInvoice } from '../../domain/invoice/transfer-match.ts';
import { DUE } from './amount-due.ts';
import type { Db } from '../connection/pool.ts';

/** Money that came in. `customer_id` is our `cus_` id; without one, of any customer. */
type Receipt = {
  customer_id?: string;
  currency: string;
  reference: string;
  amount: string;
  paid_at: string;
};

/**
 * The transfer or payment that has booked a receipt; `place` is that of the receipt, `customer_id` the external id. A
 * payment is named here where it is of no transfer.
 */
export type Received = {
  place: number;
  customer_id: string;
  transfer_id: string | null;
  payment_id: string | null;
};

/** SQL: the row `b` has what the receipt `r` has: reference, amount and day (UTC). */
const IS_EQUAL = `b.environment_id = $1 and b.reference = r.reference and b.amount = r.amount
         and b.paid_at >= date_trunc('day', r.paid_at, 'UTC')
         and b.paid_at < date_trunc('day', r.paid_at, 'UTC') + interval '24 hours'`;

/**
 * Finds the receipts that are booked: by a transfer of which a payment stands, or by a payment of no transfer that
 * stands. At most one for each, in the order of the receipts.
 */
export async function findReceived(
  db: Db,
  environment_id: number,
  receipts: readonly Receipt[],
): Promise<Received[]> {
  const { rows } = await db.query<Received>(
    `select distinct on (r.place) r.place, c.external_id as customer_id, booked.transfer_id, booked.payment_id
     from jsonb_to_recordset($2) as r(place integer, customer_id text, currency text, reference text, amount numeric,
       paid_at timestamptz)
     cross join lateral (
       select b.customer_id, b.id as transfer_id, null as payment_id from transfers b
       where ${IS_EQUAL} and exists (
         select from payments p
         where p.environment_id = b.environment_id and p.transfer_id = b.id and p.reversed_at is null)
       union all
       select b.customer_id, null, b.id from payments b
       where ${IS_EQUAL} and b.transfer_id is null and b.reversed_at is null
     ) as booked
     join customers c on c.environment_id = $1 and c.id = booked.customer_id and c.currency = r.currency
     where r.customer_id is null or r.customer_id = booked.customer_id
     order by r.place, booked.transfer_id, booked.payment_id`,
    [environment_id, JSON.stringify(receipts.map((receipt, place) => ({ place, ...receipt })))],
  );
  return rows;
}

/** SQL: the open invoice `i` of the customer `c`. */
const OPEN_INVOICE = `i.id, i.full_number as number, c.external_id as customer_id, i.currency,
         (${DUE})::text as amount`;

/** The open invoices with these counts of their numbers, the oldest first. */
export async function readOpenCounted(
  db: Db,
  environment_id: number,
  counts: readonly string[],
): Promise<(OpenInvoice & { count: string })[]> {
  const { rows } = await db.query<OpenInvoice & { count: string }>(
    `select ${OPEN_INVOICE}, i.number as count
     from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and i.number = any($2::bigint[]) and i.status = 'open' order by i.id`,
    [environment_id, counts],
  );
  return rows;
}

/** The greatest count of an invoice number of the environment. */
export async function lastCount(db: Db, environment_id: number): Promise<string> {
  const { rows } = await db.query<{ count: string }>(
    'select last_invoice_number as count from environments where id = $1',
    [environment_id],
  );
  return rows[0]!.count;
}

/** Limit of the invoices of an amount that are looked at, the oldest ones. */
const OF_AMOUNT_MAX = 100;

/** SQL: whether the customer of the invoice `o` has the name of the row `r`. */
const HAS_NAME = 'coalesce(lower(o.name) = lower(r.name), false)';

/** A row of a bank's file that names no open invoice. */
type UnnamedRow = { place: number; currency: string; amount: string; name: string | null };

/**
 * Open invoices of which the amount of a row is due, at most `limit` a row: first those of customers with the name of
 * the row, then the oldest.
 */
export async function readOpenOfAmount(
  db: Db,
  environment_id: number,
  { rows: unnamed, limit }: { rows: readonly UnnamedRow[]; limit: number },
): Promise<(OpenInvoice & { place: number })[]> {
  const { rows } = await db.query<OpenInvoice & { place: number }>(
    `select r.place, o.id, o.number, o.customer_id, o.currency, o.amount
     from jsonb_to_recordset($2) as r(place integer, currency text, amount numeric, name text)
     cross join lateral (
       select o.* from (
         select ${OPEN_INVOICE}, c.name
         from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
         where i.environment_id = $1 and i.status = 'open' and i.currency = r.currency and ${DUE} = r.amount
         order by i.id limit $3) as o
       order by ${HAS_NAME} desc, o.id limit $4) as o
     order by r.place, ${HAS_NAME} desc, o.id`,
    [environment_id, JSON.stringify(unnamed), OF_AMOUNT_MAX, limit],
  );
  return rows;
}
