import { createTransport } from 'nodemailer';
import type { Db } from '../db/connection/pool.ts';
import type { ListedEmail } from '../db/emails/email-list.ts';
import { attachmentsOf } from '../documents/attachments.ts';
import { htmlOf } from '../domain/email/html.ts';
import { messageIdOf } from '../domain/email/message-id.ts';
import { buttonOf } from '../domain/email/texts.ts';
import type { EmailSender } from '../settings/email-settings.ts';
import { LINK } from './composed.ts';
import { shownEmail } from './shown.ts';
import { headersOf } from './transport.ts';

/** The sender of a file of an environment from which no email leaves. */
const NOBODY: EmailSender = { name: '', address: 'nobody@localhost' };

/** Writes a message in place of sending it. It reads no file and no address that the message names. */
const writer = createTransport({
  streamTransport: true,
  buffer: true,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * An email as a file of RFC 5322, with its files made anew and `[link]` for its link; null if it has no text any more.
 * The copies to others are in no file.
 */
export async function emailFile(
  db: Db,
  environment_id: number,
  email: ListedEmail,
  from: EmailSender = NOBODY,
): Promise<Buffer | null> {
  const { kind, object_id, language, reason, email_attach: formats } = email;
  const { subject, text, to, message_id } = await shownEmail(db, environment_id, email);
  if (subject === null || text === null) return null;
  const files = await attachmentsOf(db, environment_id, { kind, object_id, formats });
  const html = htmlOf({
    subject,
    paragraphs: text.split('\n\n'),
    language,
    link: LINK,
    button: buttonOf(kind, language),
  });
  const message = headersOf({
    message_id: message_id ?? messageIdOf(reason, from.address),
    to: to.flatMap(({ address }) => address ?? []),
    copy_to: null,
    reply_to: null,
    subject,
    text,
    html,
    attachments: files.flatMap(({ content, ...file }) => (content === null ? [] : [{ ...file, content }])),
  });
  const { message: bytes } = await writer.sendMail({ ...message, from });
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(`${bytes}`);
}
