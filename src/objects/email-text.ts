import { Type, type Static } from 'typebox';
import { EMAIL_KINDS } from '../domain/email/kind.ts';
import { LANGUAGES } from '../domain/email/language.ts';
import { nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

/** The text of a kind of email in a language (contract.md 12). */
export const EmailTextObject = responseObject('EmailText', {
  object: Type.Literal('email_text'),
  livemode: Type.Boolean(),
  kind: oneOf(EMAIL_KINDS),
  language: oneOf(LANGUAGES),
  subject: Type.String(),
  body: Type.String(),
  updated_at: nullable({
    ...ResponseInstant,
    description: "When it replaced Tidemark's text; null for Tidemark's text.",
  }),
});
export type EmailText = Static<typeof EmailTextObject>;
