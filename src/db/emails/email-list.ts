import type { EmailStatus } from '../../domain/email/email.ts';
import type { EmailKind } from '../../domain/email/kind.ts';
import type { Db } from '../connection/pool.ts';
import type { EmailRow } from './emails.ts';

/** `customer_id` is the external id or our `cus_` id; `from` and `to` bound created_at. */
export type EmailFilter = {
  customer_id: string | null;
  invoice_id: string | null;
  kind: EmailKind | null;
  status: EmailStatus | null;
  from: string | null;
  to: string | null;
};

/** A row of emails, and what the API says of it besides. `customer_id` is the external id. */
export type ListedEmail = Omit<EmailRow, 'customer_id'> & {
  livemode: boolean;
  customer_id: string;
  /** Addresses of the customer now. */
  billing_emails: string[];
  email: string | null;
  /** Formats of the files that the environment attaches now. */
  email_attach: string[];
};

/** SQL: emails `m` as ListedEmail has them. */
export const SELECT = `
  select m.id, n.livemode, m.created_at, m.reason, m.kind, c.external_id as customer_id, m.object_id, m.invoice_ids,
    m.language, m.chosen_to, m."to", m.subject, m.text, m.attachments, m.message_id, m.status, m.status_reason,
    m.send_at, m.attempts, m.next_attempt_at, m.sent_at, m.resend_of, m.created_by, c.billing_emails, c.email,
    n.email_attach
  from emails m
  join environments n on n.id = m.environment_id
  join customers c on c.environment_id = m.environment_id and c.id = m.customer_id`;

/** An email by its id; null if it does not exist. */
export async function findListedEmail(
  db: Db,
  environment_id: number,
  id: string,
): Promise<ListedEmail | null> {
  const { rows } = await db.query<ListedEmail>(`${SELECT} where m.environment_id = $1 and m.id = $2`, [
    environment_id,
    id,
  ]);
  return rows[0] ?? null;
}

/** Emails, newest first. */
export async function listEmails(
  db: Db,
  environment_id: number,
  { before, limit, ...filter }: EmailFilter & { before: string | null; limit: number },
): Promise<ListedEmail[]> {
  const { customer_id, invoice_id, kind, status, from, to } = filter;
  const { rows } = await db.query<ListedEmail>(
    `${SELECT} where m.environment_id = $1
       and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or m.invoice_ids @> array[$3])
       and ($4::text is null or m.kind = $4) and ($5::text is null or m.status = $5)
       and ($6::timestamptz is null or m.created_at >= $6) and ($7::timestamptz is null or m.created_at < $7)
       and ($8::text is null or m.id < $8)
     order by m.id desc limit $9`,
    [environment_id, customer_id, invoice_id, kind, status, from, to, before, limit],
  );
  return rows;
}

/** Cancels an email that waits, by hand. Returns false if it is in another state. */
export async function cancelEmail(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update emails set status = 'canceled', status_reason = 'by_hand', next_attempt_at = null
     where environment_id = $1 and id = $2 and status = 'queued'`,
    [environment_id, id],
  );
  return rowCount === 1;
}
