import { BillingError, conflict } from '../../domain/money/errors.ts';
import { isZero, negated } from '../../domain/money/figures.ts';
import { newId } from '../../keys/ids.ts';
import { moveBalance } from './balance.ts';
import { DUE, NOTHING } from './amount-due.ts';
import { findInvoice } from './invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import type { Covered } from '../../domain/invoice/withdrawal.ts';
import type { Db } from '../connection/pool.ts';

/**
 * SQL: when the last application of the balance that still covers a part of the invoice `i` was recorded. What was
 * applied last is withdrawn first: a part of an application stands as long as what is covered has not fallen to what it
 * was before.
 */
const APPLIED_AT = `(
    select max(a.created_at)
    from (
      select s.*, min(s.covered) over (order by s.position desc) as least_since
      from (
        select b.type, b.amount, b.created_at, b.position, sum(-b.amount) over (order by b.position) as covered
        from balance_entries b
        where b.environment_id = i.environment_id and b.invoice_id = i.id and b.type in ('applied', 'unapplied')
      ) as s
    ) as a
    where a.type = 'applied' and a.least_since > a.covered + a.amount)`;

/**
 * SQL: since when nothing is due of the invoice `i`: the latest of its issue and of what stands and took something off
 * (contract.md 4).
 */
const PAID_AT = `greatest(i.issued_at, ${APPLIED_AT}, (
    select max(p.paid_at) from payments p
    where p.environment_id = i.environment_id and p.invoice_id = i.id and p.reversed_at is null
      and p.amount > p.to_balance), (
    select max(k.issued_at) from credit_notes k
    where k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'issued' and k.to_invoice > 0))`;

/**
 * Changes what is owed of an issued invoice, by signed amounts: payments, balance, credit notes, whose rows are written
 * before. It is paid once nothing is due, and open while something is. Throws conflict `invalid_state` if the invoice
 * is not open or paid, or if less than the change is due.
 */
export async function changeOwed(
  db: Db,
  environment_id: number,
  change: {
    invoice_id: string;
    paid?: string;
    balance?: string;
    credited?: string;
    reference?: string | null;
  },
): Promise<void> {
  const { invoice_id, paid = '0', balance = '0', credited = '0', reference = null } = change;
  const { rowCount } = await db.query(
    `update invoices i set amount_paid = amount_paid + $3, balance_applied = balance_applied + $4,
       credited = credited + $5, status = case when n.due = 0 then 'paid' else 'open' end,
       paid_at = case when n.due = 0 then ${PAID_AT} end,
       payment_reference = case when n.due = 0 then coalesce(i.payment_reference, $6) end
     from (
       select ${DUE} - $3::numeric - $4::numeric - $5::numeric as due from invoices i
       where i.environment_id = $1 and i.id = $2
     ) as n
     where i.environment_id = $1 and i.id = $2 and i.status in ('open', 'paid') and n.due >= 0`,
    [environment_id, invoice_id, paid, balance, credited, reference],
  );
  if (rowCount !== 1) throw await refusal(db, environment_id, invoice_id, 'paid');
}

/**
 * Takes off the invoice of a void credit note what it credited, if that invoice is void too; returns false if it is
 * not.
 */
export async function uncreditVoid(
  db: Db,
  environment_id: number,
  { invoice_id, amount }: { invoice_id: string; amount: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update invoices set credited = credited - $3::numeric where environment_id = $1 and id = $2 and status = 'void'`,
    [environment_id, invoice_id, amount],
  );
  return rowCount === 1;
}

/**
 * Covers an amount of an open invoice from the customer's balance. The caller holds the lock of the customer and has
 * checked the amount.
 */
export async function applyBalance(
  db: Db,
  { environment_id, customer_id, now }: Subscription,
  { invoice_id, amount, by }: { invoice_id: string; amount: string; by: string | null },
): Promise<void> {
  const entry = { id: newId('bal'), customer_id, type: 'applied', amount: negated(amount) } as const;
  await moveBalance(db, environment_id, { ...entry, invoice_id, at: now, by });
  await changeOwed(db, environment_id, { invoice_id, balance: amount });
}

/** The invoices that the customer's balance covers, not void, the one with the latest application first. */
export async function invoicesCovered(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<Covered[]> {
  const { rows } = await db.query<Covered>(
    `select i.id as invoice_id, (${NOTHING} + i.balance_applied)::text as amount
     from invoices i
     cross join lateral (
       select max(b.position) as position from balance_entries b
       where b.environment_id = i.environment_id and b.invoice_id = i.id and b.type = 'applied') as last
     where i.environment_id = $1 and i.customer_id = $2 and i.status in ('open', 'paid') and i.balance_applied > 0
     order by last.position desc`,
    [environment_id, customer_id],
  );
  return rows;
}

/** Gives back to the balance what a void invoice took from it. */
export async function returnBalance(
  db: Db,
  { environment_id, id: invoice_id }: { environment_id: number; id: string },
  at: string,
): Promise<void> {
  const { rows } = await db.query<{ customer_id: string; amount: string }>(
    `update invoices i set balance_applied = 0
     from (select id, customer_id, balance_applied as amount from invoices where environment_id = $1 and id = $2) as b
     where i.environment_id = $1 and i.id = b.id and b.amount > 0 returning b.customer_id, b.amount::text as amount`,
    [environment_id, invoice_id],
  );
  for (const returned of rows)
    await moveBalance(db, environment_id, {
      id: newId('bal'),
      type: 'returned',
      by: null,
      ...returned,
      invoice_id,
      at,
    });
}

/** The reason why an invoice cannot become `status`. */
export async function refusal(db: Db, environment_id: number, id: string, status: string): Promise<Error> {
  const invoice = await findInvoice(db, environment_id, id);
  const fault = `is ${invoice?.status ?? 'gone'} and cannot become ${status}`;
  return (invoice && standingInTheWay(invoice, fault)) ?? invalidState(id, fault);
}

/**
 * A conflict `invalid_state` whose second reason says what was recorded for the invoice: `has_payments` or
 * `has_credit_notes`; null if neither stands.
 */
export function standingInTheWay(
  { id, amount_paid, credit_notes }: Pick<Invoice, 'id' | 'amount_paid' | 'credit_notes'>,
  fault: string,
): Error | null {
  const refused = (reason: 'has_payments' | 'has_credit_notes', message: string) =>
    new BillingError('conflict', [
      { param: null, reason: 'invalid_state', message: `invoice ${id} ${fault}` },
      { param: null, reason, message: `invoice ${id} ${message}` },
    ]);
  if (!isZero(amount_paid))
    return refused('has_payments', 'has payments: reverse those that were recorded by mistake');
  if (credit_notes.some(({ status, automatic }) => status === 'issued' && !automatic))
    return refused('has_credit_notes', 'has credit notes: void those that were issued by mistake');
  return null;
}

/** A conflict `invalid_state`: "invoice `id` `fault`". */
export function invalidState(id: string, fault: string): Error {
  return conflict(null, 'invalid_state', `invoice ${id} ${fault}`);
}
