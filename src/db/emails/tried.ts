import type { EmailStatus } from '../../domain/email/email.ts';
import type { EmailKind } from '../../domain/email/kind.ts';
import type { Db } from '../connection/pool.ts';
import type { EmailAddress } from './emails.ts';

/** How a try ended. `response` is what the server said of the message, null of one that it took. */
export type EndedTry = {
  id: string;
  status: Extract<EmailStatus, 'queued' | 'sent' | 'refused' | 'failed'>;
  to: readonly EmailAddress[];
  response: string | null;
  next_attempt_at: string | null;
};

/** The instant of the first try of an email, and of now. */
export async function tryTimes(
  db: Db,
  environment_id: number,
  id: string,
): Promise<{ first_attempt_at: string; now: string }> {
  const { rows } = await db.query<{ first_attempt_at: string; now: string }>(
    `select first_attempt_at, date_trunc('milliseconds', now()) as now from emails
     where environment_id = $1 and id = $2`,
    [environment_id, id],
  );
  return rows[0]!;
}

/**
 * Stores how a try ended. What the server took is sent, also if the email was canceled meanwhile; of another one that
 * was, nothing is stored. After an erasure that came meanwhile, no address and no answer is.
 */
export async function recordTry(db: Db, environment_id: number, ended: EndedTry): Promise<void> {
  const { id, status, to, response, next_attempt_at } = ended;
  const { rows } = await db.query<{ kind: EmailKind; object_id: string }>(
    `update emails set status = $3, attempts = attempts + 1, next_attempt_at = $6,
       "to" = case when subject is not null then $4::jsonb else (
         select jsonb_agg(r.value || '{"address": null, "response": null}' order by r.place)
         from jsonb_array_elements($4::jsonb) with ordinality as r(value, place)) end,
       status_reason = case when subject is not null then $5 end,
       sent_at = case when $3 = 'sent' then date_trunc('milliseconds', now()) end
     where environment_id = $1 and id = $2 and (status = 'queued' or (status = 'canceled' and $3 = 'sent'))
     returning kind, object_id`,
    [environment_id, id, status, JSON.stringify(to), response, next_attempt_at],
  );
  const [email] = rows;
  if (email !== undefined && status === 'sent') await noteSent(db, environment_id, email);
}

/** Notes on an invoice or a credit note when a server first took an email with it. */
async function noteSent(
  db: Db,
  environment_id: number,
  { kind, object_id }: { kind: EmailKind; object_id: string },
): Promise<void> {
  if (kind !== 'invoice' && kind !== 'credit_note') return;
  const table = kind === 'invoice' ? 'invoices' : 'credit_notes';
  await db.query(
    `update ${table} set sent_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and sent_at is null`,
    [environment_id, object_id],
  );
}
