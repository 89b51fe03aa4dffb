import type { AddressStatus, EmailStatus } from '../../domain/email/email.ts';
import type { EmailKind } from '../../domain/email/kind.ts';
import type { Language } from '../../domain/email/language.ts';

/** An address with the server's answer, null before it was asked; the address is null after an erasure. */
export type EmailAddress = { address: string | null; status: AddressStatus; response: string | null };

/** A file of an email by its name and size; `error` says why it was left out. */
export type EmailAttachment = {
  filename: string;
  content_type: string;
  bytes: number | null;
  sha256: string | null;
  error: string | null;
};

/** A row of emails. Null as described beside the columns: what is null before a try is made when it is read. */
export type EmailRow = {
  id: string;
  reason: string;
  kind: EmailKind;
  customer_id: string;
  object_id: string;
  invoice_ids: string[];
  language: Language;
  chosen_to: string[] | null;
  to: EmailAddress[] | null;
  subject: string | null;
  text: string | null;
  attachments: EmailAttachment[] | null;
  message_id: string | null;
  status: EmailStatus;
  status_reason: string | null;
  send_at: string;
  attempts: number;
  next_attempt_at: string | null;
  sent_at: string | null;
  resend_of: string | null;
  created_by: string | null;
  created_at: string;
};
