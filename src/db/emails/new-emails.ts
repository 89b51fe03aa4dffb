import type { EmailKind } from '../../domain/email/kind.ts';
import type { Language } from '../../domain/email/language.ts';
import type { EmailHours } from '../../domain/email/send-at.ts';
import type { Db } from '../connection/pool.ts';
import { rowsOfBatch } from '../changes/consumers.ts';
import { FIRST_TRY_AT } from './clocks.ts';
import type { EmailRow } from './emails.ts';

/** A document that was issued, or a payment that was recorded, of which its environment sends an email. */
export type Issued = {
  environment_id: number;
  livemode: boolean;
  kind: EmailKind;
  object_id: string;
  customer_id: string;
  invoice_ids: string[];
  language: Language;
  timezone: string;
  email_hours: EmailHours;
  email_test_recipients: string[];
  billing_emails: string[];
  email: string | null;
  email_muted: boolean;
  /** The receipt of what the payer does, at any hour. */
  is_at_once: boolean;
  /** The instant of reading; of a customer with a test clock, which goes on meanwhile, that of the document. */
  now: string;
};

/** SQL: the payment `p` is of money that came, and no rest that a refund or a dispute pays again (billing.md 23). */
const IS_RECEIVED = `coalesce(p.created_by, '') !~ '^(prf|pdp)_'`;

/**
 * SQL: what a row `r` of the log has issued: an invoice or a credit note that is not void, a payment that stands; or the
 * attempt that it has ended without money, if its payer is to know.
 */
const ISSUED = `
  select 'invoice' as kind, i.id as object_id, i.customer_id, array[i.id] as invoice_ids, i.issued_at as at,
    false as is_at_once
  from invoices i
  where r.table_name = 'invoices' and r.after ->> 'number' is not null and r.before ->> 'number' is null
    and i.environment_id = r.environment_id and i.id = r.after ->> 'id' and i.status <> 'void' and i.total > 0
  union all
  select 'credit_note', k.id, i.customer_id, array[i.id], k.issued_at, false
  from credit_notes k join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
  where r.table_name = 'credit_notes' and r.before is null
    and k.environment_id = r.environment_id and k.id = r.after ->> 'id' and k.status <> 'void' and k.total > 0
  union all
  select 'receipt', p.id, p.customer_id, array_remove(array[p.invoice_id], null), p.created_at,
    p.created_by like 'pys\\_%'
  from payments p
  where r.table_name = 'payments' and r.before is null
    and p.environment_id = r.environment_id and p.id = r.after ->> 'id' and p.reversed_at is null
    and ${IS_RECEIVED}
  union all
  select 'payment_failed', a.id, a.customer_id, array[a.invoice_id], a.at, false
  from payment_attempts a
  where r.table_name = 'payment_attempts' and r.after ->> 'status' in ('declined', 'action_required')
    and r.before ->> 'status' in ('pending', 'processing')
    and a.environment_id = r.environment_id and a.id = r.after ->> 'id' and a.is_mailed`;

/** Documents in the next batch of the consumer `emails` whose environment sends emails of their kind. */
export async function issuedInBatch(db: Db, rows_max: number): Promise<Issued[]> {
  const { rows } = await db.query<Issued>(
    `select n.id as environment_id, n.livemode, d.kind, d.object_id, d.customer_id, d.invoice_ids,
       coalesce(c.language, n.language) as language, coalesce(c.timezone, n.timezone) as timezone, n.email_hours,
       n.email_test_recipients, c.billing_emails, c.email, c.email_muted, d.is_at_once,
       case when c.test_clock is null then date_trunc('milliseconds', now()) else d.at end as now
     from ${rowsOfBatch('emails', rows_max)} as r
     cross join lateral (${ISSUED}) as d
     join environments n on n.id = r.environment_id and n.email_kinds ? d.kind
     join customers c on c.environment_id = r.environment_id and c.id = d.customer_id
     order by r.epoch, r.created_xid, r.id`,
  );
  return rows;
}

export type NewEmail = Pick<
  EmailRow,
  | 'id'
  | 'reason'
  | 'kind'
  | 'customer_id'
  | 'object_id'
  | 'invoice_ids'
  | 'language'
  | 'status'
  | 'status_reason'
  | 'send_at'
> & { environment_id: number };

/** Stores emails, each unless there is one for its reason. */
export async function insertEmails(db: Db, emails: readonly NewEmail[]): Promise<void> {
  if (emails.length === 0) return;
  await db.query(
    `insert into emails (environment_id, id, reason, kind, customer_id, object_id, invoice_ids, language, status,
       status_reason, send_at, next_attempt_at)
     select e.environment_id, e.id, e.reason, e.kind, e.customer_id, e.object_id, e.invoice_ids, e.language, e.status,
       e.status_reason, e.send_at, case when e.status = 'queued' then ${FIRST_TRY_AT} end
     from jsonb_to_recordset($1) as e(environment_id integer, id text, reason text, kind text, customer_id text,
       object_id text, invoice_ids text[], language text, status text, status_reason text, send_at timestamptz)
     join customers c on c.environment_id = e.environment_id and c.id = e.customer_id
     on conflict (environment_id, reason) do nothing`,
    [JSON.stringify(emails)],
  );
}
