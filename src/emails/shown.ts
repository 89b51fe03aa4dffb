import type { Db } from '../db/connection/pool.ts';
import type { ListedEmail } from '../db/emails/email-list.ts';
import { recipientsOf } from '../domain/email/addresses.ts';
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
  const { kind, object_id, language, email_attach, subject, text, attachments } = listed;
  if (attachments !== null)
    return { subject, text, attachments: attachments.map(({ sha256: _, ...file }) => file) };
  const email = await emailNow(db, { environment_id, kind, object_id, language });
  if (email === null) return { subject: null, text: null, attachments: [] };
  const composed = email.composed(LINK);
  const name = fileNameOf(kind, email.document.number);
  const formats = kind === 'receipt' ? email_attach.filter((format) => format === 'pdf') : email_attach;
  return {
    subject: composed.subject,
    text: composed.text,
    attachments: formats.map((format) => ({
      filename: `${name}.${format}`,
      content_type: `application/${format}`,
      bytes: null,
      error: null,
    })),
  };
}

/** The name of the files of a document: a receipt has the id of its payment for a number. */
function fileNameOf(kind: Email['kind'], number: string): string {
  return kind === 'receipt' ? `receipt-${number}` : number.replaceAll('/', '-');
}
