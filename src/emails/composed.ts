import { findEmailDocument, type EmailDocument } from '../db/emails/documents.ts';
import { findEmailText } from '../db/emails/email-texts.ts';
import { findOwedDocument } from '../db/emails/owed.ts';
import { namedInvoices } from '../db/emails/reminder-stops.ts';
import type { Db } from '../db/connection/pool.ts';
import { compose, type ComposedEmail } from '../domain/email/compose.ts';
import type { CanceledReason } from '../domain/email/email.ts';
import type { EmailKind } from '../domain/email/kind.ts';
import type { Language } from '../domain/email/language.ts';
import { namedNow } from '../domain/email/reminder.ts';
import { textOf } from '../domain/email/texts.ts';

/** The text in place of the link, where a text is stored or shown. */
export const LINK = '[link]';

/** An email by what it is about, who sends it, and in which language it is. */
export type EmailKey = {
  environment_id: number;
  kind: EmailKind;
  object_id: string;
  invoice_ids: readonly string[];
  is_by_hand: boolean;
  language: Language;
};

/** Subject of an email as it is now: `untruth` is why it does not leave, `invoice_ids` those that it still names. */
type Subject = {
  document: EmailDocument;
  /** The number in the names of its files. */
  paper_number: string;
  invoice_ids: readonly string[];
  untruth: CanceledReason | null;
};

/** An email as it would be now: with a link, and with LINK in its place as it is stored. */
export type EmailNow = Subject & { composed: (link: string) => ComposedEmail };

/** Composes an email from what is true now (billing.md 16); null if its document does not exist. */
export async function emailNow(db: Db, key: EmailKey): Promise<EmailNow | null> {
  const { kind, language } = key;
  const subject = await subjectOf(db, key);
  if (subject === null) return null;
  const text = (await findEmailText(db, key)) ?? textOf(kind, language);
  const facts = { ...subject.document, kind, language };
  return { ...subject, composed: (link) => compose(facts, text, link) };
}

async function subjectOf(db: Db, { kind, ...key }: EmailKey): Promise<Subject | null> {
  const { environment_id, object_id, invoice_ids } = key;
  if (kind === 'reminder') return reminderSubject(db, key);
  if (kind === 'statement') return statementSubject(db, key);
  const document = await findEmailDocument(db, environment_id, { kind, object_id });
  if (document === null) return null;
  const { status } = document;
  const is_settled = kind === 'payment_failed' && status === 'paid';
  const untruth = status === 'void' || status === 'reversed' || is_settled ? status : null;
  return { document, paper_number: document.number, invoice_ids, untruth };
}

/** A reminder names those of its invoices that are still due, and none of the others. */
async function reminderSubject(
  db: Db,
  { environment_id, object_id: customer_id, invoice_ids, is_by_hand }: Omit<EmailKey, 'kind'>,
): Promise<Subject | null> {
  const reminded = { customer_id, invoice_ids, is_by_hand };
  const named = namedNow(await namedInvoices(db, environment_id, reminded));
  const still = 'invoice_ids' in named ? named.invoice_ids : invoice_ids;
  const document = await findOwedDocument(db, environment_id, { customer_id, invoice_ids: still });
  if (document === null) return null;
  const untruth = 'stop' in named ? named.stop : null;
  return { document, paper_number: document.day, invoice_ids: still, untruth };
}

/** A statement is untrue once nothing is due. */
async function statementSubject(
  db: Db,
  { environment_id, object_id: customer_id, invoice_ids }: Omit<EmailKey, 'kind'>,
): Promise<Subject | null> {
  const document = await findOwedDocument(db, environment_id, { customer_id, invoice_ids: null });
  if (document === null) return null;
  const { status } = document;
  return { document, paper_number: document.day, invoice_ids, untruth: status === 'paid' ? status : null };
}
