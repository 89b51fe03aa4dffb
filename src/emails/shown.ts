import type { Db } from '../db/connection/pool.ts';
import type { ListedEmail } from '../db/emails/email-list.ts';
import { recipientsOf } from '../domain/email/addresses.ts';
import { filesOf } from '../documents/attachments.ts';
import type { Email } from '../objects/email.ts';
import { emailNow, LINK } from './composed.ts';

/**
 * An email as the API shows it (contract.md 12): what its last try sent, else what would be sent now. Of one that was
 * tried nothing is composed again: an erasure has blanked it.
 */
export async function shownEmail(db: Db, environment_id: number, listed: ListedEmail): Promise<Email> {
  const { reason: _, chosen_to, billing_emails, email: own, email_attach: __, ...email } = listed;
  const wanted = chosen_to ?? recipientsOf({ billing_emails, email: own });
  const to = email.to ?? wanted.map((address) => ({ address, status: 'queued', response: null }) as const);
  return { object: 'email', ...email, to, ...(await contentOf(db, environment_id, listed)) };
}

type Content = Pick<Email, 'subject' | 'text' | 'attachments'>;

async function contentOf(db: Db, environment_id: number, listed: ListedEmail): Promise<Content> {
  const { kind, email_attach, subject, text, attachments } = listed;
  if (attachments !== null)
    return { subject, text, attachments: attachments.map(({ sha256: _, ...file }) => file) };
  const email = await emailNow(db, { ...listed, environment_id, is_by_hand: listed.created_by !== null });
  if (email === null) return { subject: null, text: null, attachments: [] };
  const composed = email.composed(LINK);
  const files = filesOf({ kind, number: email.paper_number, formats: email_attach });
  return {
    subject: composed.subject,
    text: composed.text,
    attachments: files.map((file) => ({ ...file, bytes: null, error: null })),
  };
}
