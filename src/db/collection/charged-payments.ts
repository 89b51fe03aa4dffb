import type { StandingPayment } from '../../domain/collection/refund.ts';
import type { Db } from '../connection/pool.ts';
import { isByProvider, REFUNDABLE } from '../invoicing/refunded.ts';

/**
 * SQL: a refund of the charge of `p` is under way: the provider has not taken it, or it cannot be booked.
 */
const HAS_OPEN_REFUND = `exists (
    select from payment_refunds f
    where f.environment_id = p.environment_id and f.charge_reference = p.reference and f.status <> 'failed'
      and f.taken_amount is null)`;

/** SQL: the payer's bank asks about the charge of `p`, or has taken it. */
const HAS_OPEN_DISPUTE = `exists (
    select from payment_disputes d
    where d.environment_id = p.environment_id and d.charge_reference = p.reference
      and d.status in ('inquiry', 'open'))`;

const COLUMNS = `p.id, p.invoice_id, p.customer_id, c.currency, p.amount::text as amount,
    p.to_balance::text as to_balance, p.paid_at, p.reference as charge_reference,
    p.reversed_at is not null as is_reversed,
    ${HAS_OPEN_REFUND} as has_open_refund, ${HAS_OPEN_DISPUTE} as has_open_dispute`;

/** A payment that the provider made. `customer_id` is our `cus_` id; `left` can be refunded. */
export type ChargedPayment = StandingPayment & {
  customer_id: string;
  currency: string;
  charge_reference: string;
  is_reversed: boolean;
  has_open_refund: boolean;
  has_open_dispute: boolean;
  left: string;
};

/** A payment that the provider made, by its id; null for any other. */
export async function findChargedPayment(
  db: Db,
  environment_id: number,
  id: string,
): Promise<ChargedPayment | null> {
  const { rows } = await db.query<ChargedPayment>(
    `select ${COLUMNS}, (p.amount - p.amount + ${REFUNDABLE})::text as left
     from payments p join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
     where p.environment_id = $1 and p.id = $2 and ${isByProvider('p')}`,
    [environment_id, id],
  );
  return rows[0] ?? null;
}

/**
 * Charges of an invoice, the newest first, each by the newest of its payments that stand; `left` is that of the charge,
 * of all of them. The caller holds the lock of the customer.
 */
export async function chargesOfInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<ChargedPayment[]> {
  const { rows } = await db.query<ChargedPayment>(
    `select * from (
       select distinct on (p.reference) ${COLUMNS}, greatest(0, (
         select sum(s.amount) from payments s
         where s.environment_id = p.environment_id and s.reference = p.reference and s.reversed_at is null
           and ${isByProvider('s')}) - (
         select coalesce(sum(f.amount), 0) from payment_refunds f
         where f.environment_id = p.environment_id and f.charge_reference = p.reference
           and f.credit_note_id is not null and f.status <> 'failed'))::text as left
       from payments p join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
       where p.environment_id = $1 and p.invoice_id = $2 and p.reversed_at is null and ${isByProvider('p')}
       order by p.reference, p.id desc) as charges
     order by id desc`,
    [environment_id, invoice_id],
  );
  return rows;
}

/** Payments of a charge that stand: the one with the id `first`, then the newest first. */
export async function standingPayments(
  db: Db,
  environment_id: number,
  { charge_reference, first }: { charge_reference: string; first: string },
): Promise<StandingPayment[]> {
  const { rows } = await db.query<StandingPayment>(
    `select p.id, p.invoice_id, p.amount::text as amount, p.to_balance::text as to_balance, p.paid_at
     from payments p
     where p.environment_id = $1 and p.reference = $2 and p.reversed_at is null and ${isByProvider('p')}
     order by p.id = $3 desc, p.id desc`,
    [environment_id, charge_reference, first],
  );
  return rows;
}

/** Owner of a charge, by the newest of its payments, first of those that stand. `customer_id` is our `cus_` id. */
export type ChargeOwner = {
  payment_id: string;
  invoice_id: string | null;
  customer_id: string;
  currency: string;
};

/** The owner of a charge; null for one that is not booked here. */
export async function findChargeOwner(
  db: Db,
  environment_id: number,
  charge_reference: string,
): Promise<ChargeOwner | null> {
  const { rows } = await db.query<ChargeOwner>(
    `select p.id as payment_id, p.invoice_id, p.customer_id, c.currency
     from payments p join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
     where p.environment_id = $1 and p.reference = $2 and ${isByProvider('p')}
     order by p.reversed_at is null desc, p.id desc limit 1`,
    [environment_id, charge_reference],
  );
  return rows[0] ?? null;
}
