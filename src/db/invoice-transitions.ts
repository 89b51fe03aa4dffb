import { decimal } from '../domain/decimal.ts';
import { isZero } from '../domain/figures.ts';
import type { ComposedInvoice } from '../domain/invoice.ts';
import { dueDateOf } from '../domain/due-date.ts';
import { toAmount } from '../domain/money.ts';
import type { Period } from '../domain/period.ts';
import { newId } from '../ids.ts';
import { CONTENT_HASH_VERSION, contentHash } from './content-hash.ts';
import { BILLED_CUSTOMER, findInvoiceOfLines, SELLER, type InvoiceState } from './invoices.ts';
import { readBalance } from './balance.ts';
import { readLines } from './line-items.ts';
import { changeOwed, invalidState, refusal, returnBalance, takeBalanceAtIssue } from './owed.ts';
import type { Subscription } from './subscription-context.ts';
import { CUSTOMER_NOW } from './customer-now.ts';
import { MAY_NUMBER, numberingRefusal } from './numbering.ts';
import type { Db } from './pool.ts';

/** SQL: the invoice `i` has a credit note that stands. */
const HAS_CREDIT_NOTES = `exists (
  select from credit_notes k where k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'issued')`;

/** Inserts an empty draft; `hold_until` null holds it until it is finalized. */
export async function insertDraft(
  db: Db,
  subscription: Subscription,
  draft: { period: Pick<Period, 'period_start' | 'period_end'>; hold_until: string | null },
): Promise<InvoiceState> {
  const zero = toAmount(decimal('0'), subscription.currency);
  const { rows } = await db.query<InvoiceState>(
    `insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, status, currency, period_start, period_end,
       subtotal, tax_rate, tax_treatment, tax_note, tax_amount, total, amount_paid, credits_applied, hold_until, usage_revision,
       credit_revision, created_at, timezone)
     values ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, $13, $14, $9, $9, $9, 0, coalesce($11, 'infinity'::timestamptz), 0, 0, $12,
       $15)
     returning id, status, usage_revision, credit_revision, period_start, is_stale`,
    [
      subscription.environment_id,
      newId('inv'),
      subscription.id,
      subscription.customer_id,
      subscription.plan_id,
      subscription.currency,
      draft.period.period_start,
      draft.period.period_end,
      zero,
      subscription.tax.rate,
      draft.hold_until,
      subscription.now,
      subscription.tax.treatment,
      subscription.tax.note,
      subscription.timezone,
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
       credit_revision = $9, is_stale = $10, tax_treatment = $11, tax_note = $12
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
      composed.tax.treatment,
      composed.tax.note,
    ],
  );
  if (rowCount !== 1) throw invalidState(draft.invoice_id, 'is no longer a draft');
}

/** SQL: the whole number of the environment `n`'s last invoice: its prefix, and six digits at least. */
const FULL_NUMBER = `n.invoice_prefix || lpad(n.last_invoice_number::text, greatest(6, length(n.last_invoice_number::text)), '0')`;

/**
 * Draft to open. Takes the number from the environment's counter in the same transaction, so that a rollback returns it. Stores seller and
 * customer as they are now, the due date, and the content hash (billing.md 6). Takes from the customer's balance what it covers, and is paid
 * at once if nothing is due then. Throws conflict `invalid_state` if the invoice is not a draft, or if live invoices wait for the count of numbers (operations.md, backup and restore).
 */
export async function openInvoice(db: Db, subscription: Subscription, invoice_id: string): Promise<void> {
  const { environment_id, customer_id, now, timezone, net_days } = subscription;
  const { due_date, due_at } = dueDateOf(now, timezone, net_days);
  // Read first: once this transaction has a number, every other invoice of the environment waits for its end.
  const balance = await readBalance(db, environment_id, customer_id);
  const lines = await readLines(db, environment_id, [invoice_id]);
  const { rowCount } = await db.query(
    `with counter as (
       update environments set last_invoice_number = last_invoice_number + 1 where id = $1 and ${MAY_NUMBER}
       returning *
     )
     update invoices i set status = 'open', number = n.last_invoice_number, full_number = ${FULL_NUMBER}, issued_at = $3,
       due_date = $4, due_at = $5, hide_zero_lines = n.hide_zero_lines, seller = ${SELLER}, customer = ${BILLED_CUSTOMER}
     from counter n, customers c
     where i.environment_id = $1 and i.id = $2 and i.status = 'draft' and c.environment_id = $1 and c.id = i.customer_id`,
    [environment_id, invoice_id, now, due_date, due_at],
  );
  if (rowCount !== 1)
    throw (await numberingRefusal(db, environment_id)) ?? invalidState(invoice_id, 'is no longer a draft');
  await takeBalanceAtIssue(db, subscription, { invoice_id, balance });
  const invoice = (await findInvoiceOfLines(db, environment_id, invoice_id, lines))!;
  await db.query(
    'update invoices set content_hash = $3, content_hash_version = $4 where environment_id = $1 and id = $2',
    [environment_id, invoice_id, contentHash(invoice), CONTENT_HASH_VERSION],
  );
  if (invoice.status === 'open' && isZero(invoice.amount_due))
    await changeOwed(db, environment_id, { invoice_id, at: now });
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
 * Draft, open or paid, without a payment or a credit note, to void (contract.md 4). Gives back what it took from the customer's balance; the
 * caller returns the credit. The subscription's drafts become stale, because they were counted beside the void lines. Throws conflict `invalid_state` in any other state.
 */
export async function markVoid(
  db: Db,
  invoice: { environment_id: number; subscription_id: string; id: string },
  voiding: { reason: string | null; now: string },
): Promise<void> {
  const { environment_id, subscription_id, id } = invoice;
  const { rowCount } = await db.query(
    `update invoices i set status = 'void', voided_at = $3, void_reason = $4
     where environment_id = $1 and id = $2 and status in ('draft', 'open', 'paid') and amount_paid = 0 and not ${HAS_CREDIT_NOTES}`,
    [environment_id, id, voiding.now, voiding.reason],
  );
  if (rowCount !== 1) throw await refusal(db, environment_id, id, 'void');
  await returnBalance(db, invoice, voiding.now);
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
