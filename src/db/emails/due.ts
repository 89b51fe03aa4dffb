import type { DepartureFacts } from '../../domain/email/departure.ts';
import type { CanceledReason, KeptReason } from '../../domain/email/email.ts';
import type { Language } from '../../domain/email/language.ts';
import { DAYS_MORE } from '../../domain/email/reminder.ts';
import type { Db } from '../connection/pool.ts';
import type { EmailAddress, EmailAttachment, EmailRow } from './emails.ts';
import { ZONE } from './reminder-stops.ts';

/** An email whose turn has come, with what decides where it goes. `next_attempt_at` tells the try from a later one. */
export type DueEmail = Pick<
  EmailRow,
  'id' | 'reason' | 'kind' | 'customer_id' | 'object_id' | 'invoice_ids' | 'to' | 'attempts'
> &
  Omit<DepartureFacts, 'has_smtp'> & {
    environment_id: number;
    next_attempt_at: string;
    /** The customer's now. */
    language: Language;
    email_reply_to: string | null;
    email_copy_to: string | null;
    email_attach: string[];
    /** A reminder whose days went by before any try: workers were down. */
    is_passed_over: boolean;
  };

/**
 * SQL: the reminder `e` of the customer `c` has its first turn after the days on which it may go. Never under a test
 * clock, which goes on before the worker comes.
 */
const IS_PASSED_OVER = `(e.kind = 'reminder' and e.created_by is null and e.first_attempt_at is null
      and c.test_clock is null
      and (now() at time zone ${ZONE})::date > (e.send_at at time zone ${ZONE})::date + ${DAYS_MORE})`;

/** The emails whose turn has come, at most `limit`, the first ones first. */
export async function dueEmails(db: Db, limit: number): Promise<DueEmail[]> {
  const { rows } = await db.query<DueEmail>(
    `select e.environment_id, n.livemode, e.id, e.reason, e.kind, e.customer_id, e.object_id, e.invoice_ids,
       e.chosen_to, e."to", e.attempts, e.next_attempt_at, e.created_by is not null as is_by_hand, c.billing_emails,
       c.email, c.email_muted, coalesce(c.language, n.language) as language, n.email_test_recipients, n.email_reply_to,
       n.email_copy_to, n.email_attach, ${IS_PASSED_OVER} as is_passed_over
     from emails e
     join environments n on n.id = e.environment_id
     join customers c on c.environment_id = e.environment_id and c.id = e.customer_id
     where e.status = 'queued' and e.next_attempt_at <= now()
     order by e.next_attempt_at, e.id limit $1`,
    [limit],
  );
  return rows;
}

type DueKey = Pick<DueEmail, 'environment_id' | 'id' | 'next_attempt_at'>;

/** Ends an email that does not leave. Does nothing if it waits no longer. */
export async function endUnsent(
  db: Db,
  { environment_id, id }: DueKey,
  end: { status: 'kept'; status_reason: KeptReason } | { status: 'canceled'; status_reason: CanceledReason },
): Promise<void> {
  await db.query(
    `update emails set status = $3, status_reason = $4, next_attempt_at = null
     where environment_id = $1 and id = $2 and status = 'queued'`,
    [environment_id, id, end.status, end.status_reason],
  );
}

/** Content of a try; the text has [link] in place of the link. */
export type TriedContent = {
  /** The invoices that it still is about. */
  invoice_ids: readonly string[];
  language: Language;
  to: readonly EmailAddress[];
  subject: string;
  text: string;
  attachments: readonly EmailAttachment[];
  message_id: string;
};

/**
 * Begins a try: stores what it sends, and moves the next one beyond its end, so that no other process tries meanwhile.
 * Returns the instant of that next one, and the Message-ID, which stays that of the first try; null if the email waits
 * no longer, or another process has begun.
 */
export async function beginTry(
  db: Db,
  { environment_id, id, next_attempt_at }: DueKey,
  { content, seconds }: { content: TriedContent; seconds: number },
): Promise<{ next_attempt_at: string; message_id: string } | null> {
  const { invoice_ids, language, to, subject, text, attachments, message_id } = content;
  const { rows } = await db.query<{ next_attempt_at: string; message_id: string }>(
    `update emails set language = $4, "to" = $5, subject = $6, text = $7, attachments = $8, invoice_ids = $11,
       message_id = coalesce(message_id, $9),
       first_attempt_at = coalesce(first_attempt_at, date_trunc('milliseconds', now())),
       next_attempt_at = date_trunc('milliseconds', now()) + make_interval(secs => $10)
     where environment_id = $1 and id = $2 and status = 'queued' and next_attempt_at = $3
     returning next_attempt_at, message_id`,
    [
      environment_id,
      id,
      next_attempt_at,
      language,
      JSON.stringify(to),
      subject,
      text,
      JSON.stringify(attachments),
      message_id,
      seconds,
      invoice_ids,
    ],
  );
  return rows[0] ?? null;
}

/** Takes a try back that the server did not come to see: it counts as none. */
export async function takeTryBack(db: Db, { environment_id, id }: DueKey): Promise<void> {
  await db.query(
    `update emails set next_attempt_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and status = 'queued'`,
    [environment_id, id],
  );
}
