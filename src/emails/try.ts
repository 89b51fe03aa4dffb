import { createHash } from 'node:crypto';
import { transaction, type Pool } from '../db/connection/pool.ts';
import { beginTry, endUnsent, takeTryBack, type DueEmail, type TriedContent } from '../db/emails/due.ts';
import type { EmailAddress, EmailAttachment } from '../db/emails/emails.ts';
import { recordTry, tryTimes } from '../db/emails/tried.ts';
import { attachmentsOf, type Attachment } from '../documents/attachments.ts';
import { departureOf } from '../domain/email/departure.ts';
import type { CanceledReason, EmailStatus, KeptReason } from '../domain/email/email.ts';
import { fateOf, openRecipientsOf, type Recipient, type TryAnswers } from '../domain/email/fate.ts';
import { messageIdOf } from '../domain/email/message-id.ts';
import { nextTryAt } from '../domain/email/tries.ts';
import { emailNow, LINK, untruthOf, type EmailNow } from './composed.ts';
import { makeLink } from './link.ts';
import type { Message, Transport } from './transport.ts';

/** Longer than a message may take. */
const TRY_SECONDS = 300;

/** How emails are sent: null without a server, then none leaves. */
export type Emailer = {
  pool: Pool;
  server: { transport: Transport; sender_address: string } | null;
  /** Address of the page of portal links. */
  portal_url: string;
};

/** How a turn of an email ended; `passed`: another process has it, or it waits no longer. */
export type Turn = Exclude<EmailStatus, 'queued'> | 'retried' | 'passed' | { login_refusal: string };

/**
 * Gives a due email its turn: it ends unsent if it may not leave or is untrue by now, else it is composed and tried
 * once, and what came of it is stored. A process that dies after the server has taken it leaves it to be tried again
 * with the same Message-ID.
 */
export async function tryEmail(emailer: Emailer, due: DueEmail): Promise<Turn> {
  const { pool, server } = emailer;
  const email = await emailNow(pool, due);
  const departure = departureOf({ ...due, has_smtp: server !== null });
  const untruth = email === null ? 'void' : untruthOf(due.kind, email.document);
  if (email === null || untruth !== null) return ended(pool, due, 'canceled', untruth ?? 'void');
  if ('kept' in departure || server === null)
    return ended(pool, due, 'kept', 'kept' in departure ? departure.kept : 'no_smtp');
  const to = recipientsOf(due, departure.to);
  const begun = await begin(emailer, due, { email, to, sender_address: server.sender_address });
  if (begun === null) return 'passed';
  const answered = await server.transport.send(begun);
  if ('login_refusal' in answered) {
    await takeTryBack(pool, due);
    return answered;
  }
  return record(pool, due, { to, answers: answered.answers });
}

async function ended(
  pool: Pool,
  due: DueEmail,
  ...end: ['canceled', CanceledReason] | ['kept', KeptReason]
): Promise<Turn> {
  const [status] = end;
  await endUnsent(
    pool,
    due,
    end[0] === 'kept' ? { status: end[0], status_reason: end[1] } : { status: end[0], status_reason: end[1] },
  );
  return status;
}

/** An address that a server refused for good stays refused, as long as the email goes there. */
function recipientsOf({ to: earlier }: DueEmail, addresses: readonly string[]): Recipient[] {
  return addresses.map((address) => {
    const refused = earlier?.find((tried) => tried.address === address && tried.status === 'refused');
    return { address, status: refused?.status ?? 'queued', response: refused?.response ?? null };
  });
}

/** Stores what leaves, with a link of its own; the message, or null if the email waits no longer. */
async function begin(
  { pool, portal_url }: Emailer,
  due: DueEmail,
  { email, to, sender_address }: { email: EmailNow; to: readonly Recipient[]; sender_address: string },
): Promise<Message | null> {
  const { environment_id, kind, object_id, language, email_attach, email_copy_to, email_reply_to } = due;
  const attachments = await attachmentsOf(pool, environment_id, { kind, object_id, formats: email_attach });
  const { subject, text } = email.composed(LINK);
  const content: TriedContent = {
    language,
    to,
    subject,
    text,
    message_id: messageIdOf(due.reason, sender_address),
    attachments: attachments.map(storedAttachment),
  };
  return transaction(pool, async (db) => {
    const begun = await beginTry(db, due, { content, seconds: TRY_SECONDS });
    if (begun === null) return null;
    const { invoice_id } = email.document;
    return {
      message_id: begun.message_id,
      to: openRecipientsOf(to),
      copy_to: email_copy_to,
      reply_to: email_reply_to,
      ...email.composed(await makeLink(db, due, { portal_url, invoice_id })),
      attachments: attachments.flatMap(({ filename, content_type, content }) =>
        content === null ? [] : [{ filename, content_type, content }],
      ),
    };
  });
}

function storedAttachment({ filename, content_type, content, error }: Attachment): EmailAttachment {
  const sha256 = content === null ? null : createHash('sha256').update(content).digest('hex');
  return { filename, content_type, bytes: content?.length ?? null, sha256, error };
}

async function record(
  pool: Pool,
  { environment_id, id, attempts }: DueEmail,
  { to, answers }: { to: readonly Recipient[]; answers: TryAnswers },
): Promise<Turn> {
  const fate = fateOf(to, answers);
  return transaction(pool, async (db) => {
    const { first_attempt_at: first_tried_at, now: ended_at } = await tryTimes(db, environment_id, id);
    const next_attempt_at =
      fate.status === 'queued' ? nextTryAt({ first_tried_at, ended_at, failures: attempts + 1 }) : null;
    const status = fate.status === 'queued' && next_attempt_at === null ? 'failed' : fate.status;
    const response = status === 'sent' ? null : answers.message.text;
    await recordTry(db, environment_id, {
      id,
      status,
      to: closed(fate.to, status),
      response,
      next_attempt_at,
    });
    return status === 'queued' ? 'retried' : status;
  });
}

/** Addresses of an email that is tried no more: none waits. */
function closed(to: readonly Recipient[], status: EmailStatus): EmailAddress[] {
  return to.map((recipient) =>
    status !== 'queued' && recipient.status === 'queued' ? { ...recipient, status: 'refused' } : recipient,
  );
}
