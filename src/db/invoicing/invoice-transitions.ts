import { decimal } from '../../domain/decimal.ts';
import { isZero } from '../../domain/figures.ts';
import type { ComposedInvoice } from '../../domain/invoice.ts';
import { dueDateOf } from '../../domain/due-date.ts';
import { toAmount } from '../../domain/money.ts';
import type { Period } from '../../domain/period.ts';
import { newId } from '../../ids.ts';
import { CONTENT_HASH_VERSION, contentHash } from './content-hash.ts';
import { BILLED_CUSTOMER, findInvoiceOfLines, SELLER, type InvoiceState } from './invoices.ts';
import { readBalance } from './balance.ts';
import type { LineItem } from './line-items.ts';
import { changeOwed, invalidState, refusal, returnBalance, takeBalanceAtIssue } from './owed.ts';
import type { Subscription } from '../subscriptions/subscription-context.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { MAY_NUMBER, numberingRefusal } from './numbering.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';

/** SQL: the invoice `i` has a credit note that stands. */
const HAS_CREDIT_NOTES = `exists (
  select from credit_notes k where k.environment_id = i.environment_id and k.invoice_id = i.id
    and k.status = 'issued')`;

type Totals = Pick<ComposedInvoice, 'subtotal' | 'tax' | 'total' | 'credits_applied'>;
type Revisions = Pick<InvoiceState, 'usage_revision' | 'credit_revision' | 'is_stale'>;

/** SQL: what the steps write to a draft. */
const WRITTEN = `subtotal, tax_rate, tax_amount, total, credits_applied, tax_treatment, tax_note,
  usage_revision, credit_revision, is_stale`;

function writtenValues(
  { subtotal, tax, total, credits_applied }: Totals,
  { usage_revision, credit_revision, is_stale }: Revisions,
  parameter: Parameter,
): string {
  const totals = [subtotal, tax.rate, tax.amount, total, credits_applied, tax.treatment, tax.note];
  return [...totals, usage_revision, credit_revision, is_stale].map(parameter).join(', ');
}

/** Inserts a draft without its lines; `hold_until` null holds it until it is finalized. */
export async function insertDraft(
  db: Db,
  subscription: Subscription,
  draft: Revisions & {
    period: Pick<Period, 'period_start' | 'period_end'>;
    hold_until: string | null;
  },
  totals: Totals,
): Promise<InvoiceState> {
  const { environment_id, id: subscription_id, customer_id, plan_id, currency, timezone, now } = subscription;
  const { period, hold_until } = draft;
  const nothing = toAmount(decimal('0'), currency);
  const { values, parameter } = createParameters();
  const owner = [environment_id, newId('inv'), subscription_id, customer_id, plan_id, currency, nothing];
  const times = [timezone, period.period_start, period.period_end, now];
  const { rows } = await db.query<InvoiceState>(
    `insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, currency, amount_paid,
       timezone, period_start, period_end, created_at, ${WRITTEN}, status, hold_until)
     values (${[...owner, ...times].map(parameter).join(', ')}, ${writtenValues(totals, draft, parameter)}, 'draft',
       coalesce(${parameter(hold_until)}, 'infinity'::timestamptz))
     returning id, status, usage_revision, credit_revision, period_start, is_stale`,
    values,
  );
  return rows[0]!;
}

/** Writes the totals of a draft. Throws conflict `invalid_state` if the invoice is not a draft: an issued invoice is never edited. */
export async function writeTotals(
  db: Db,
  environment_id: number,
  draft: InvoiceState,
  totals: Totals,
): Promise<void> {
  const { values, parameter } = createParameters();
  const { rowCount } = await db.query(
    `update invoices set (${WRITTEN}) = row(${writtenValues(totals, draft, parameter)})
     where environment_id = ${parameter(environment_id)} and id = ${parameter(draft.id)} and status = 'draft'`,
    values,
  );
  if (rowCount !== 1) throw invalidState(draft.id, 'is no longer a draft');
}

/** SQL: the whole number of the environment `n`'s last invoice: its prefix, and six digits at least. */
const FULL_NUMBER = `n.invoice_prefix ||
  lpad(n.last_invoice_number::text, greatest(6, length(n.last_invoice_number::text)), '0')`;

/**
 * Draft to open: writes the totals of `lines`, which are stored, and takes the number from the environment's counter in the same transaction,
 * so that a rollback returns it. Stores seller and customer as they are now, the due date, and the content hash (billing.md 6). Takes from the
 * customer's balance what it covers, and is paid at once if nothing is due then. Throws conflict `invalid_state` if the invoice is not a
 * draft, or if live invoices wait for the count of numbers (operations.md, backup and restore).
 */
export async function openInvoice(
  db: Db,
  subscription: Subscription,
  { draft, totals, lines }: { draft: InvoiceState; totals: Totals; lines: readonly LineItem[] },
): Promise<void> {
  const { environment_id, customer_id, now, timezone, net_days } = subscription;
  const invoice_id = draft.id;
  const { due_date, due_at } = dueDateOf(now, timezone, net_days);
  // Read first: once this transaction has a number, every other invoice of the environment waits for its end.
  const balance = await readBalance(db, environment_id, customer_id);
  const { values, parameter } = createParameters();
  const environment = parameter(environment_id);
  const { rowCount } = await db.query(
    `with counter as (
       update environments set last_invoice_number = last_invoice_number + 1 where id = ${environment} and ${MAY_NUMBER}
       returning *
     )
     update invoices i set (${WRITTEN}) = row(${writtenValues(totals, draft, parameter)}), status = 'open',
       number = n.last_invoice_number, full_number = ${FULL_NUMBER}, issued_at = ${parameter(now)},
       due_date = ${parameter(due_date)}, due_at = ${parameter(due_at)}, hide_zero_lines = n.hide_zero_lines,
       seller = ${SELLER}, customer = ${BILLED_CUSTOMER}
     from counter n, customers c
     where i.environment_id = ${environment} and i.id = ${parameter(invoice_id)} and i.status = 'draft'
       and c.environment_id = ${environment} and c.id = i.customer_id`,
    values,
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
     where environment_id = $1 and id = $2 and status in ('draft', 'open', 'paid') and amount_paid = 0
       and not ${HAS_CREDIT_NOTES}`,
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
