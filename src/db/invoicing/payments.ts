import type { Payment } from '../../objects/payment.ts';
import type { Db } from '../connection/pool.ts';
import { REFUNDABLE, REFUNDED } from './refunded.ts';

/** `customer_id` is our `cus_` id. */
export type NewPayment = Pick<
  Payment,
  'id' | 'invoice_id' | 'customer_id' | 'transfer_id' | 'amount' | 'to_balance' | 'reference' | 'paid_at'
> & {
  created_at: string;
  created_by: string;
};

const COLUMNS = `p.id, 'payment' as object, n.livemode, p.created_at, p.invoice_id, c.external_id as customer_id,
    p.transfer_id, c.currency, p.amount::text as amount,
    (p.amount - p.amount + p.to_balance)::text as to_balance, p.reference, p.paid_at, p.created_by,
    p.reversed_at, p.reversal_reason, p.reversed_by, (p.amount - p.amount + ${REFUNDED})::text as refunded,
    (p.amount - p.amount + ${REFUNDABLE})::text as refundable`;

const FROM = `
  from payments p
  join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
  join environments n on n.id = p.environment_id`;

const SELECT = `select ${COLUMNS} ${FROM}`;

/**
 * SQL: the payments of the invoice `i`, of the customer `c` in the environment `n`, as a list in the order of
 * recording.
 */
export const PAYMENTS_OF_INVOICE = `(
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'object', 'payment', 'livemode', n.livemode,
      'created_at', instant_text(p.created_at), 'invoice_id', i.id, 'customer_id', c.external_id,
      'transfer_id', p.transfer_id, 'currency', i.currency, 'amount', p.amount::text,
      'to_balance', (p.amount - p.amount + p.to_balance)::text, 'reference', p.reference,
      'paid_at', instant_text(p.paid_at), 'created_by', p.created_by,
      'reversed_at', instant_text(p.reversed_at), 'reversal_reason', p.reversal_reason, 'reversed_by', p.reversed_by,
      'refunded', (p.amount - p.amount + ${REFUNDED})::text,
      'refundable', (p.amount - p.amount + ${REFUNDABLE})::text)
      order by p.id), '[]')
    from payments p where p.environment_id = i.environment_id and p.invoice_id = i.id)`;

export async function insertPayment(db: Db, environment_id: number, payment: NewPayment): Promise<void> {
  await db.query(
    `insert into payments (environment_id, id, invoice_id, customer_id, amount, reference, paid_at, created_at,
       created_by, to_balance, transfer_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      environment_id,
      payment.id,
      payment.invoice_id,
      payment.customer_id,
      payment.amount,
      payment.reference,
      payment.paid_at,
      payment.created_at,
      payment.created_by,
      payment.to_balance,
      payment.transfer_id,
    ],
  );
}

/** A payment to compare with others. `customer_id` is our `cus_` id. */
export type EqualPayment = Pick<Payment, 'customer_id' | 'invoice_id' | 'amount' | 'reference' | 'paid_at'>;

/**
 * The id of a payment that stands with the same reference, amount and day (UTC), of the same invoice, or of the same
 * customer where both have none; null if there is none, or without a reference.
 */
export async function findEqualPayment(
  db: Db,
  environment_id: number,
  { customer_id, invoice_id, amount, reference, paid_at }: EqualPayment,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from payments
     where environment_id = $1 and customer_id = $2 and invoice_id is not distinct from $3 and reference = $4
       and amount = $5 and date_trunc('day', paid_at, 'UTC') = date_trunc('day', $6::timestamptz, 'UTC')
       and reversed_at is null
     order by id limit 1`,
    [environment_id, customer_id, invoice_id, reference, amount, paid_at],
  );
  return rows[0]?.id ?? null;
}

/** Marks a payment as reversed. Returns false if it was reversed already. */
export async function markReversed(
  db: Db,
  environment_id: number,
  reversal: { id: string; reason: string; at: string; by: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payments set reversed_at = $3, reversal_reason = $4, reversed_by = $5
     where environment_id = $1 and id = $2 and reversed_at is null`,
    [environment_id, reversal.id, reversal.at, reversal.reason, reversal.by],
  );
  return rowCount === 1;
}

/** The payments with these ids, in any order. */
export async function readPayments(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Payment[]> {
  const { rows } = await db.query<Payment>(`${SELECT} where p.environment_id = $1 and p.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows;
}

/** The payments of these transfers, in the order of recording. */
export async function readPaymentsOf(
  db: Db,
  environment_id: number,
  transfer_ids: readonly string[],
): Promise<Payment[]> {
  const { rows } = await db.query<Payment>(
    `${SELECT} where p.environment_id = $1 and p.transfer_id = any($2) order by p.id`,
    [environment_id, transfer_ids],
  );
  return rows;
}

/** A payment by its id; null if it does not exist. */
export async function findPayment(db: Db, environment_id: number, id: string): Promise<Payment | null> {
  return (await readPayments(db, environment_id, [id]))[0] ?? null;
}

export type PaymentFilter = {
  customer_id: string | null;
  invoice_id: string | null;
  reference: string | null;
  /** Bounds of paid_at. */
  from: string | null;
  to: string | null;
};

const PASSES = `where p.environment_id = $1
       and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or p.invoice_id = $3)
       and ($4::text is null or p.reference = $4)
       and ($5::timestamptz is null or p.paid_at >= $5)
       and ($6::timestamptz is null or p.paid_at < $6)
       and ($7::text is null or p.id < $7)
     order by p.id desc limit $8`;

type PageOfPayments = PaymentFilter & { before: string | null; limit: number };

const valuesOf = (environment_id: number, page: PageOfPayments) => {
  const { customer_id, invoice_id, reference, from, to, before, limit } = page;
  return [environment_id, customer_id, invoice_id, reference, from, to, before, limit];
};

/**
 * Payments, newest first. `customer_id` is the external id or our `cus_` id; `reference` is exact; the range is half
 * open.
 */
export async function listPayments(db: Db, environment_id: number, page: PageOfPayments): Promise<Payment[]> {
  const { rows } = await db.query<Payment>(`${SELECT} ${PASSES}`, valuesOf(environment_id, page));
  return rows;
}

/** A payment with the number of its invoice, null in advance, and the name of its customer. */
export type NamedPayment = Payment & { document_number: string | null; customer_name: string | null };

/** Payments as listPayments has them, with number and name. */
export async function listNamedPayments(
  db: Db,
  environment_id: number,
  page: PageOfPayments,
): Promise<NamedPayment[]> {
  const { rows } = await db.query<NamedPayment>(
    `select ${COLUMNS}, i.full_number as document_number, c.name as customer_name ${FROM}
     left join invoices i on i.environment_id = p.environment_id and i.id = p.invoice_id ${PASSES}`,
    valuesOf(environment_id, page),
  );
  return rows;
}
