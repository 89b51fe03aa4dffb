import type { EmailKind } from '../../domain/email/kind.ts';
import type { OwedInvoice } from '../../domain/email/owed-lines.ts';
import type { Db } from '../connection/pool.ts';
import { DUE } from '../invoicing/amount-due.ts';

/**
 * Facts of a document as its email says them, as they are now. `status` of a payment is `recorded` or `reversed`.
 * `invoice_id` is the invoice at which the portal opens; `replaces` the number of the invoice that this one replaces.
 */
export type EmailDocument = {
  status: 'draft' | 'open' | 'paid' | 'void' | 'issued' | 'recorded' | 'reversed';
  currency: string;
  number: string;
  total: string;
  /** Null where nothing is due. */
  amount_due: string | null;
  due_date: string | null;
  invoices: string[];
  owed: OwedInvoice[] | null;
  replaces: string | null;
  invoice_id: string | null;
  /** The label of the method of a charge that failed. */
  method: string | null;
  /** The name of the customer now, or its external id. */
  customer: string;
  company: string;
};

const PARTIES = `coalesce(c.name, c.external_id) as customer, n.name as company`;

const IS_DUE = `i.status = 'open' and ${DUE} > 0`;

const INVOICE_FACTS = `i.status, i.currency, i.full_number as number, i.total::text as total,
    case when ${IS_DUE} then (${DUE})::text end as amount_due,
    case when ${IS_DUE} then i.due_date::text end as due_date,
    array_remove(array[i.full_number], null) as invoices, null::jsonb as owed,
    r.full_number as replaces, i.id as invoice_id, ${PARTIES}`;

const INVOICE = `
  select ${INVOICE_FACTS}, null as method
  from invoices i
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
  join environments n on n.id = i.environment_id
  left join invoices r on r.environment_id = i.environment_id and r.id = i.replaces
  where i.environment_id = $1 and i.id = $2`;

const FAILED_CHARGE = `
  select ${INVOICE_FACTS}, m.label as method
  from payment_attempts a
  join payment_methods m on m.environment_id = a.environment_id and m.id = a.payment_method_id
  join invoices i on i.environment_id = a.environment_id and i.id = a.invoice_id
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
  join environments n on n.id = i.environment_id
  left join invoices r on r.environment_id = i.environment_id and r.id = i.replaces
  where a.environment_id = $1 and a.id = $2`;

const CREDIT_NOTE = `
  select k.status, i.currency, k.full_number as number, k.total::text as total, null as amount_due, null as due_date,
    array[i.full_number] as invoices, null::jsonb as owed, null as replaces, i.id as invoice_id, null as method,
    ${PARTIES}
  from credit_notes k
  join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
  join environments n on n.id = k.environment_id
  where k.environment_id = $1 and k.id = $2`;

const PAYMENT = `
  select case when p.reversed_at is null then 'recorded' else 'reversed' end as status, c.currency, p.id as number,
    p.amount::text as total, null as amount_due, null as due_date, array_remove(array[i.full_number], null) as invoices,
    null::jsonb as owed, null as replaces, p.invoice_id, null as method, ${PARTIES}
  from payments p
  join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
  join environments n on n.id = p.environment_id
  left join invoices i on i.environment_id = p.environment_id and i.id = p.invoice_id
  where p.environment_id = $1 and p.id = $2`;

/** The kinds of emails about one document. */
export type DocumentKind = Exclude<EmailKind, 'reminder' | 'statement'>;

const OF_KIND: Readonly<Record<DocumentKind, string>> = {
  invoice: INVOICE,
  payment_failed: FAILED_CHARGE,
  credit_note: CREDIT_NOTE,
  receipt: PAYMENT,
};

/** The document of an email; null if it does not exist. */
export async function findEmailDocument(
  db: Db,
  environment_id: number,
  { kind, object_id }: { kind: DocumentKind; object_id: string },
): Promise<EmailDocument | null> {
  const { rows } = await db.query<EmailDocument>(OF_KIND[kind], [environment_id, object_id]);
  return rows[0] ?? null;
}
