import type { Payment } from '../../objects/payment.ts';
import type { Transfer } from '../../objects/transfer.ts';
import type { PayableInvoice } from '../../domain/invoice/transfer.ts';
import { AMOUNT_DUE } from './amount-due.ts';
import { readPaymentsOf } from './payments.ts';
import type { Db } from '../connection/pool.ts';

/** `customer_id` is our `cus_` id. */
type NewTransfer = Pick<Transfer, 'id' | 'customer_id' | 'amount' | 'reference' | 'paid_at' | 'created_at'>;

type TransferRow = Omit<Transfer, 'payments'>;

const SELECT = `
  select t.id, 'transfer' as object, n.livemode, t.created_at, c.external_id as customer_id, c.currency,
    t.amount::text as amount, t.reference, t.paid_at
  from transfers t
  join customers c on c.environment_id = t.environment_id and c.id = t.customer_id
  join environments n on n.id = t.environment_id`;

export async function insertTransfer(db: Db, environment_id: number, transfer: NewTransfer): Promise<void> {
  await db.query(
    `insert into transfers (environment_id, id, customer_id, amount, reference, paid_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      environment_id,
      transfer.id,
      transfer.customer_id,
      transfer.amount,
      transfer.reference,
      transfer.paid_at,
      transfer.created_at,
    ],
  );
}

/** A transfer with its payments; null if it does not exist. */
export async function findTransfer(db: Db, environment_id: number, id: string): Promise<Transfer | null> {
  const { rows } = await db.query<TransferRow>(`${SELECT} where t.environment_id = $1 and t.id = $2`, [
    environment_id,
    id,
  ]);
  return (await withPayments(db, environment_id, rows))[0] ?? null;
}

/** Transfers, newest first. `customer_id` is the external id or our `cus_` id. */
export async function listTransfers(
  db: Db,
  environment_id: number,
  { customer_id, before, limit }: { customer_id: string | null; before: string | null; limit: number },
): Promise<Transfer[]> {
  const { rows } = await db.query<TransferRow>(
    `${SELECT} where t.environment_id = $1
       and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or t.id < $3)
     order by t.id desc limit $4`,
    [environment_id, customer_id, before, limit],
  );
  return withPayments(db, environment_id, rows);
}

async function withPayments(
  db: Db,
  environment_id: number,
  rows: readonly TransferRow[],
): Promise<Transfer[]> {
  if (rows.length === 0) return [];
  const payments = await readPaymentsOf(
    db,
    environment_id,
    rows.map(({ id }) => id),
  );
  const of_transfer = new Map(rows.map(({ id }): [string, Payment[]] => [id, []]));
  for (const payment of payments) of_transfer.get(payment.transfer_id!)!.push(payment);
  return rows.map((row) => ({ ...row, payments: of_transfer.get(row.id)! }));
}

/** The invoices with these ids of a customer, by our `cus_` id, in any order. */
export async function readPayable(
  db: Db,
  environment_id: number,
  { customer_id, ids }: { customer_id: string; ids: readonly string[] },
): Promise<PayableInvoice[]> {
  const { rows } = await db.query<PayableInvoice>(
    `select i.id, i.status, (${AMOUNT_DUE})::text as amount_due, i.issued_at
     from invoices i where i.environment_id = $1 and i.customer_id = $2 and i.id = any($3)`,
    [environment_id, customer_id, ids],
  );
  return rows;
}
