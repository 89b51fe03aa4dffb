import { findEmailDocument, type EmailDocument } from '../db/emails/documents.ts';
import { findEmailText } from '../db/emails/email-texts.ts';
import type { Db } from '../db/connection/pool.ts';
import { compose, type ComposedEmail } from '../domain/email/compose.ts';
import type { CanceledReason } from '../domain/email/email.ts';
import type { EmailKind } from '../domain/email/kind.ts';
import type { Language } from '../domain/email/language.ts';
import { textOf } from '../domain/email/texts.ts';

/** The text in place of the link, where a text is stored or shown. */
export const LINK = '[link]';

/** An email by its document, and in which language it is. */
export type EmailKey = { environment_id: number; kind: EmailKind; object_id: string; language: Language };

/** An email as it would be now: with a link, and with LINK in its place as it is stored. */
export type EmailNow = { document: EmailDocument; composed: (link: string) => ComposedEmail };

/** Composes an email from what is true now (billing.md 16); null if its document does not exist. */
export async function emailNow(db: Db, key: EmailKey): Promise<EmailNow | null> {
  const { environment_id, kind, language } = key;
  const document = await findEmailDocument(db, environment_id, key);
  if (document === null) return null;
  const text = (await findEmailText(db, key)) ?? textOf(kind, language);
  const facts = { ...document, kind, language, method: null };
  return { document, composed: (link) => compose(facts, text, link) };
}

/** Why an email of a document is untrue; null if it is true. A statement is, once nothing is due. */
export function untruthOf(kind: EmailKind, { status }: EmailDocument): CanceledReason | null {
  if (status === 'paid') return kind === 'statement' ? status : null;
  return status === 'void' || status === 'reversed' ? status : null;
}
