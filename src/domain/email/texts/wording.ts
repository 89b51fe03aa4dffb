import type { EmailKind } from '../kind.ts';

/** A text with placeholders; the body has lines, the subject is one. */
export type EmailText = { subject: string; body: string };

/** Everything that the emails of one language say. */
export type Wording = {
  texts: Readonly<Record<EmailKind, EmailText>>;
  buttons: Readonly<Record<EmailKind, string>>;
  replaces: (number: string) => string;
};
