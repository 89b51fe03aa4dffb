import type { InvoiceKind, InvoiceState } from '../../domain/lines/invoice-state.ts';
import type { TaxTreatment } from '../../domain/money/tax.ts';
import { AMOUNT_DUE, NOTHING, IS_AUTOMATIC } from './amount-due.ts';
import { pauseOf } from '../customers/collection-pauses.ts';
import { COLLECTION } from './charged.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { passesFilter, type InvoiceBounds } from './invoice-filter.ts';
import { IS_OVERDUE } from './overdue.ts';
import { PAYMENTS_OF_INVOICE } from './payments.ts';
import { readLines, type LineItem } from './line-items.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Db } from '../connection/pool.ts';

/** The tax of a document, as columns. */
export type TaxColumns = {
  tax_rate: string;
  tax_amount: string;
  tax_treatment: TaxTreatment;
  tax_note: string | null;
};

export type InvoiceRow = Omit<Invoice, 'object' | 'tax' | 'line_items'> &
  TaxColumns & { environment_id: number };

/** SQL: the environment `n` as an invoice's seller. */
export const SELLER = `jsonb_build_object('name', n.name, 'address', n.address, 'tax_ids', n.tax_ids,
  'footer', n.invoice_footer)`;

/** SQL: the customer `c` as an invoice's recipient. */
export const BILLED_CUSTOMER = `jsonb_build_object('external_id', c.external_id, 'name', c.name, 'email', c.email,
  'address', c.address, 'tax_ids', c.tax_ids, 'tax_treatment', c.tax_treatment, 'buyer_reference', c.buyer_reference)`;

/** SQL: how much of the invoice `i` is paid. */
const PAYMENT_STATUS = `case
    when i.status in ('paid', 'void') then i.status when i.amount_paid > 0 then 'partially_paid' else 'unpaid' end`;

/** SQL: the credit notes of the invoice `i`, in the order of issue. */
const CREDIT_NOTES_OF_INVOICE = `(
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'number', k.full_number, 'status', k.status,
      'automatic', ${IS_AUTOMATIC}, 'total', k.total::text) order by k.id), '[]')
    from credit_notes k where k.environment_id = i.environment_id and k.invoice_id = i.id)`;

/** SQL: the columns of an InvoiceRow from the invoice `i`, its customer `c` and its environment `n`. */
export const INVOICE_COLUMNS = `i.environment_id, i.id, n.livemode, i.full_number as number, i.status,
    ${PAYMENT_STATUS} as payment_status,
    c.external_id as customer_id, i.subscription_id, i.plan_id, i.kind, i.opening_number, i.cause, i.currency,
    i.timezone,
    i.period_start, i.period_end,
    i.subtotal::text as subtotal, trim_scale(i.tax_rate)::text as tax_rate, i.tax_amount::text as tax_amount,
    i.tax_treatment, i.tax_note,
    i.total::text as total, (${AMOUNT_DUE})::text as amount_due,
    i.amount_paid::text as amount_paid, (${NOTHING} + i.balance_applied)::text as balance_applied,
    (${NOTHING} + i.balance_at_issue)::text as balance_at_issue, (${NOTHING} + i.credited)::text as credited,
    trim_scale(i.credits_applied)::text as credits_applied, i.replaces, i.replaced_by,
    i.created_at, i.issued_at, i.due_date::text as due_date, ${IS_OVERDUE} as overdue,
    ${pauseOf('i')} as collection_pause, ${COLLECTION} as collection,
    case when i.number is null then n.hide_zero_lines else i.hide_zero_lines end as hide_zero_lines, i.sent_at,
    i.paid_at, i.voided_at, i.void_reason, i.payment_reference, ${PAYMENTS_OF_INVOICE} as payments,
    ${CREDIT_NOTES_OF_INVOICE} as credit_notes,
    coalesce(i.seller, ${SELLER}) as seller, coalesce(i.customer, ${BILLED_CUSTOMER}) as customer,
    case when i.number is null then n.logo_sha256 else i.logo_sha256 end as logo_sha256`;

export const SELECT = `
  select ${INVOICE_COLUMNS}
  from invoices i
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
  join environments n on n.id = i.environment_id`;

/** The invoices with these ids and their lines, in any order. */
export async function readInvoices(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Invoice[]> {
  const { rows } = await db.query<InvoiceRow>(`${SELECT} where i.environment_id = $1 and i.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return withLines(db, rows);
}

/** An invoice with its lines; null if it does not exist. */
export async function findInvoice(db: Db, environment_id: number, id: string): Promise<Invoice | null> {
  return (await readInvoices(db, environment_id, [id]))[0] ?? null;
}

/** Invoices, newest first, with ids below `before`, at most `limit`. */
export async function listInvoices(
  db: Db,
  environment_id: number,
  bounds: InvoiceBounds & { before: string | null; limit: number },
): Promise<Invoice[]> {
  const { values, parameter } = createParameters();
  const before = parameter(bounds.before);
  const { rows } = await db.query<InvoiceRow>(
    `${SELECT} where ${passesFilter(environment_id, bounds, parameter)}
       and (${before}::text is null or i.id < ${before})
     order by i.id desc limit ${parameter(bounds.limit)}`,
    values,
  );
  return withLines(db, rows);
}

/**
 * SQL: the instant at which an invoice `i` is due to be made: at the end of its period, an opening at the start, a
 * further one as it is issued.
 */
const MADE_AT =
  "case when i.opening_number > 1 then i.issued_at when i.kind = 'opening' then i.period_start else i.period_end end";

/**
 * A customer's invoices, not void, whose period ends, or for an opening begins, after `after` and by `to`, and those
 * with these ids; in this order.
 */
export async function invoicesOfSpan(
  db: Db,
  key: { environment_id: number; customer_id: string },
  span: { after: string; to: string; invoice_ids: readonly string[] },
): Promise<Invoice[]> {
  const { rows } = await db.query<InvoiceRow>(
    `${SELECT} where i.environment_id = $1 and i.customer_id = $2 and i.status <> 'void'
       and (${MADE_AT} > $3 and ${MADE_AT} <= $4 or i.id = any($5))
     order by ${MADE_AT}, i.id`,
    [key.environment_id, key.customer_id, span.after, span.to, span.invoice_ids],
  );
  return withLines(db, rows);
}

export async function withLines(db: Db, rows: readonly InvoiceRow[]): Promise<Invoice[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const lines = await readLines(db, rows[0]!.environment_id, ids);
  const linesOf = (id: string) => lines.filter((line) => line.invoice_id === id);
  return rows.map((row) => present(row, linesOf(row.id)));
}

/** An invoice as the API shows it, from its row and its lines in order. */
export function present(row: InvoiceRow, lines: readonly LineItem[]): Invoice {
  const { environment_id: _, tax_rate, tax_amount, tax_treatment, tax_note, subtotal, ...rest } = row;
  return {
    object: 'invoice',
    ...rest,
    line_items: lines.map(({ invoice_id: __, ...line }) => line),
    subtotal,
    tax: { rate: tax_rate, amount: tax_amount, treatment: tax_treatment, note: tax_note },
  };
}

type SubscriptionKey = { environment_id: number; subscription_id: string };

/** The invoice of a period that is not void; null if there is none. At most one exists. */
export async function findPeriodInvoice(
  db: Db,
  key: SubscriptionKey,
  period_start: string,
): Promise<InvoiceState | null> {
  const { rows } = await db.query<InvoiceState>(
    `select id, status, usage_revision, credit_revision, period_start, period_end, is_stale from invoices
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and status <> 'void'`,
    [key.environment_id, key.subscription_id, period_start],
  );
  return rows[0] ?? null;
}

/**
 * The id of the last void invoice of a period, which an invoice that is made again replaces; null if there is none that
 * is not replaced yet.
 */
export async function lastVoidInvoice(
  db: Db,
  key: SubscriptionKey,
  {
    period_start,
    kind,
    opening_number,
  }: { period_start: string; kind: InvoiceKind; opening_number: number | null },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from invoices
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and status = 'void'
       and kind = $4 and opening_number is not distinct from $5 and replaced_by is null
     order by voided_at desc, id desc limit 1`,
    [key.environment_id, key.subscription_id, period_start, kind, opening_number],
  );
  return rows[0]?.id ?? null;
}

/**
 * Finds the instant of an invoice's issue (null for a draft), and the customer's now; null if the invoice does not
 * exist.
 */
export async function findPaymentTimes(
  db: Db,
  environment_id: number,
  id: string,
): Promise<{ issued_at: string | null; now: string } | null> {
  const { rows } = await db.query<{ issued_at: string | null; now: string }>(
    `select i.issued_at, ${CUSTOMER_NOW} as now
     from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and i.id = $2`,
    [environment_id, id],
  );
  return rows[0] ?? null;
}
