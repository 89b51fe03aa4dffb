import { Type, type Static } from 'typebox';
import { ADDRESS_STATUSES, EMAIL_STATUSES } from '../domain/email/email.ts';
import { EMAIL_KINDS } from '../domain/email/kind.ts';
import { LANGUAGES } from '../domain/email/language.ts';
import { identity, nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

const EmailRecipient = responseObject('EmailRecipient', {
  address: nullable(Type.String({ description: 'Null after an erasure of the customer.' })),
  status: oneOf(ADDRESS_STATUSES),
  response: nullable(Type.String({ description: "The mail server's last answer for this address." })),
});

const EmailAttachment = responseObject('EmailAttachment', {
  filename: Type.String(),
  content_type: Type.String(),
  bytes: nullable(Type.Integer({ description: 'Null until it was sent, and for a file that was left out.' })),
  error: nullable(Type.String({ description: 'Why the file was left out.' })),
});

/** An email and its fate (contract.md 12). Until it is sent, its content is what would be sent now. */
export const EmailObject = responseObject('Email', {
  ...identity('email'),
  kind: oneOf(EMAIL_KINDS),
  customer_id: Type.String(),
  object_id: Type.String({
    description: 'The invoice, the credit note or the payment; of a reminder the customer.',
  }),
  invoice_ids: Type.Array(Type.String()),
  language: oneOf(LANGUAGES),
  to: Type.Array(EmailRecipient),
  subject: nullable(Type.String({ description: 'Null after an erasure of the customer.' })),
  text: nullable(
    Type.String({
      description:
        'With `[link]` for the link to the portal, whose token is kept nowhere. Null after an erasure.',
    }),
  ),
  attachments: Type.Array(EmailAttachment),
  message_id: nullable(Type.String({ description: 'Of the message that was sent or tried.' })),
  status: oneOf(EMAIL_STATUSES),
  status_reason: nullable(
    Type.String({
      description: 'Why it is kept or canceled, in a word; else what the mail server said last.',
    }),
  ),
  send_at: ResponseInstant,
  attempts: Type.Integer(),
  next_attempt_at: nullable({
    ...ResponseInstant,
    description: 'Null also while it waits for the test clock of its customer.',
  }),
  sent_at: nullable({ ...ResponseInstant, description: "The mail server's first 250." }),
  resend_of: nullable(Type.String()),
  created_by: nullable(
    Type.String({ description: 'The key or the person that sent it by hand; null for an automatic one.' }),
  ),
});
export type Email = Static<typeof EmailObject>;
