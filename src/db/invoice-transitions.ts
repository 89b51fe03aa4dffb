import { decimal } from '../domain/decimal.ts';
import { conflict } from '../domain/errors.ts';
import type { ComposedInvoice } from '../domain/invoice.ts';
import { dayAfter, dayOf, startOfDay } from '../domain/local-time.ts';
import { toAmount } from '../domain/money.ts';
import type { Period } from '../domain/period.ts';
import { newId } from '../ids.ts';
import { CONTENT_HASH_VERSION, contentHash } from './content-hash.ts';
import { BILLED_CUSTOMER, findInvoice, SELLER, type InvoiceState } from './invoices.ts';
import type { Subscription } from './subscription-context.ts';
import { CUSTOMER_NOW } from './customer-now.ts';
import { MAY_NUMBER, numberingRefusal } from './numbering.ts';
import type { Db } from './pool.ts';

/** Inserts an empty draft; `hold_until` null holds it until it is finalized. */
export async function insertDraft(
  db: Db,
  subscription: Subscription,
  draft: { period: Pick<Period, 'period_start' | 'period_end'>; hold_until: string | null },
): Promise<InvoiceState> {
  const zero = toAmount(decimal('0'), subscription.currency);
  const { rows } = await db.query<InvoiceState>(
    `insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, status, currency, timezone, period_start, period_end,
       subtotal, tax_rate, tax_amount, total, amount_paid, credits_applied, hold_until, usage_revision, credit_revision, created_at)
     values ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, $11, $10, $10, $10, 0, coalesce($12, 'infinity'::timestamptz), 0, 0, $13)
     returning id, status, usage_revision, credit_revision, period_start, is_stale`,
    [
      subscription.environment_id,
      newId('inv'),
      subscription.id,
      subscription.customer_id,
      subscription.plan_id,
      subscription.currency,
      subscription.timezone,
      draft.period.period_start,
      draft.period.period_end,
      zero,
      subscription.tax_rate,
      draft.hold_until,
      subscription.now,
    ],
  );
  return rows[0]!;
}

/** Writes the totals of a draft. Throws conflict `invalid_state` if the invoice is not a draft: an issued invoice is never edited. */
export async function writeTotals(
  db: Db,
  draft: {
    environment_id: number;
    invoice_id: string;
    usage_revision: number;
    credit_revision: number;
    is_stale: boolean;
  },
  composed: ComposedInvoice,
): Promise<void> {
  const { rowCount } = await db.query(
    `update invoices set subtotal = $3, tax_rate = $4, tax_amount = $5, total = $6, credits_applied = $7, usage_revision = $8,
       credit_revision = $9, is_stale = $10
     where environment_id = $1 and id = $2 and status = 'draft'`,
    [
      draft.environment_id,
      draft.invoice_id,
      composed.subtotal,
      composed.tax.rate,
      composed.tax.amount,
      composed.total,
      composed.credits_applied,
      draft.usage_revision,
      draft.credit_revision,
      draft.is_stale,
    ],
  );
  if (rowCount !== 1) throw invalidState(draft.invoice_id, 'is no longer a draft');
}

/**
 * Draft to open. Takes the number from the environment's counter in the same transaction, so that a rollback returns it. Stores seller and
 * customer as they are now, and the content hash (billing.md 6). Pays a total of zero at once. Throws conflict `invalid_state` if the
 * invoice is not a draft, or if live invoices wait for the count of numbers (operations.md, backup and restore).
 */
export async function openInvoice(db: Db, subscription: Subscription, invoice_id: string): Promise<void> {
  const { environment_id, now, timezone } = subscription;
  const day = dayOf(now, timezone);
  const { rowCount } = await db.query(
    `with counter as (
       update environments set last_invoice_number = last_invoice_number + 1 where id = $1 and ${MAY_NUMBER}
       returning last_invoice_number, account_id
     )
     update invoices i set status = 'open', number = counter.last_invoice_number, issued_at = $3, seller = ${SELLER},
       customer = ${BILLED_CUSTOMER}, due_date = $4, due_at = $5,
       full_number = 'INV-' || lpad(counter.last_invoice_number::text, greatest(6, length(counter.last_invoice_number::text)), '0')
     from counter join accounts a on a.id = counter.account_id, customers c
     where i.environment_id = $1 and i.id = $2 and i.status = 'draft' and c.environment_id = $1 and c.id = i.customer_id`,
    [environment_id, invoice_id, now, day, startOfDay(dayAfter(day), timezone)],
  );
  if (rowCount !== 1)
    throw (await numberingRefusal(db, environment_id)) ?? invalidState(invoice_id, 'is no longer a draft');
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  await db.query(
    'update invoices set content_hash = $3, content_hash_version = $4 where environment_id = $1 and id = $2',
    [environment_id, invoice_id, contentHash(invoice), CONTENT_HASH_VERSION],
  );
  if (/^0(\.0+)?$/.test(invoice.total)) {
    await payInvoice(db, environment_id, invoice_id, { paid_at: now, reference: null });
  }
}

/** Open to paid; `paid_at` null means the customer's now. Throws conflict `invalid_state` in any other state. */
export async function payInvoice(
  db: Db,
  environment_id: number,
  id: string,
  payment: { paid_at: string | null; reference: string | null },
): Promise<void> {
  const { rowCount } = await db.query(
    `update invoices i set status = 'paid', amount_paid = i.total, payment_reference = $4,
       paid_at = coalesce($3, ${CUSTOMER_NOW})
     from customers c where c.environment_id = i.environment_id and c.id = i.customer_id
       and i.environment_id = $1 and i.id = $2 and i.status = 'open'`,
    [environment_id, id, payment.paid_at, payment.reference],
  );
  if (rowCount !== 1) throw await refusal(db, environment_id, id, 'paid');
}

/** Ends a draft's hold, for the operator's signal. Does nothing if the invoice is not a draft. */
export async function releaseDraft(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `update invoices i set hold_until = ${CUSTOMER_NOW}
     from customers c where c.environment_id = i.environment_id and c.id = i.customer_id
       and i.environment_id = $1 and i.id = $2 and i.status = 'draft'`,
    [environment_id, id],
  );
}

/**
 * Draft, open, or paid without a payment, to void (contract.md 4). The caller returns the credit. The subscription's drafts become stale,
 * because they were counted beside the void lines. Throws conflict `invalid_state` in any other state.
 */
export async function markVoid(
  db: Db,
  invoice: { environment_id: number; subscription_id: string; id: string },
  voiding: { reason: string | null; now: string },
): Promise<void> {
  const { environment_id, subscription_id, id } = invoice;
  const { rowCount } = await db.query(
    `update invoices set status = 'void', voided_at = $3, void_reason = $4
     where environment_id = $1 and id = $2 and (status in ('draft', 'open') or status = 'paid' and amount_paid = 0)`,
    [environment_id, id, voiding.now, voiding.reason],
  );
  if (rowCount !== 1) throw await refusal(db, environment_id, id, 'void');
  await db.query(
    `update invoices set is_stale = true where environment_id = $1 and subscription_id = $2 and status = 'draft'`,
    [environment_id, subscription_id],
  );
}

/** Links an invoice to the one that it replaces; a replacing draft takes over the old hold. */
export async function linkReplacement(
  db: Db,
  environment_id: number,
  { old_id, new_id }: { old_id: string; new_id: string },
): Promise<void> {
  await db.query(
    `with old as (
       update invoices set replaced_by = $3 where environment_id = $1 and id = $2 returning hold_until
     )
     update invoices set replaces = $2, hold_until = old.hold_until from old where environment_id = $1 and id = $3`,
    [environment_id, old_id, new_id],
  );
}

async function refusal(db: Db, environment_id: number, id: string, wanted: string): Promise<Error> {
  const invoice = await findInvoice(db, environment_id, id);
  return invalidState(id, `is ${invoice?.status ?? 'gone'} and cannot become ${wanted}`);
}

/** A conflict `invalid_state`: "invoice `id` `fault`". */
export function invalidState(id: string, fault: string): Error {
  return conflict(null, 'invalid_state', `invoice ${id} ${fault}`);
}
