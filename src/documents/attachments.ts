import { findAttempt } from '../db/collection/attempt-list.ts';
import type { Db } from '../db/connection/pool.ts';
import { findCreditNote } from '../db/invoicing/credit-notes.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import type { EmailKind } from '../domain/email/kind.ts';
import { BillingError } from '../domain/money/errors.ts';
import { printedNote } from './credit-note-papers.ts';
import { eInvoiceOf, printedInvoice, safeName } from './invoice-papers.ts';
import { nameOf } from './pdf/printed-invoice.ts';
import { pdfInThread } from './pdf/pdf-thread.ts';
import { printedReceipt, receiptNameOf } from './receipt-papers.ts';
import { dayOfStatement, printedStatement, statementNameOf } from './statement-papers.ts';
import { creditNoteDocument } from './xml/credit-note-document.ts';
import { eInvoice } from './xml/e-invoice.ts';

const FORMATS = ['pdf', 'xml'] as const;
const PDF = 'application/pdf';

/** A file of an email; `content` is null for one that cannot be made, and `error` says why. */
export type Attachment = {
  filename: string;
  content_type: string;
  content: Buffer | null;
  error: string | null;
};

/** Names of papers that have no e-invoice. */
const PDF_ONLY: Readonly<Partial<Record<EmailKind, (number: string) => string>>> = {
  receipt: receiptNameOf,
  reminder: statementNameOf,
  statement: statementNameOf,
};

/** How the files of a document are made, and the number in their names; `xml` is null for one of PDF_ONLY. */
type Papers = { number: string; pdf: () => Promise<Buffer>; xml: (() => Promise<Buffer>) | null };

type Files = { kind: EmailKind; number: string; formats: readonly string[] };

/**
 * The name and the type of each file of an email, in the formats `pdf` and `xml`. `number` is that of the document, the
 * payment's id for a receipt, and the day for a statement, also that of a reminder.
 */
export function filesOf({ kind, number, formats }: Files): Pick<Attachment, 'filename' | 'content_type'>[] {
  const named = PDF_ONLY[kind];
  const name = (named ?? safeName)(number);
  const made = FORMATS.filter(
    (format) => formats.includes(format) && (format === 'pdf' || named === undefined),
  );
  return made.map((format) => ({ filename: `${name}.${format}`, content_type: `application/${format}` }));
}

/**
 * The files of an email in the formats `pdf` and `xml`, as the document is now; none without one. An e-invoice that
 * lacks what the standard requires is left out. Throws rate_limited if too many PDFs wait.
 */
export async function attachmentsOf(
  db: Db,
  environment_id: number,
  { kind, object_id, formats }: { kind: EmailKind; object_id: string; formats: readonly string[] },
): Promise<Attachment[]> {
  const papers = await papersOf(db, environment_id, { kind, object_id });
  if (papers === null) return [];
  const { number, pdf, xml } = papers;
  const attachments: Attachment[] = [];
  for (const file of filesOf({ kind, number, formats })) {
    const is_pdf = file.content_type === PDF;
    attachments.push({
      ...file,
      ...(is_pdf ? { content: await pdf(), error: null } : await madeOrRefused(xml!)),
    });
  }
  return attachments;
}

async function papersOf(
  db: Db,
  environment_id: number,
  { kind, object_id }: { kind: EmailKind; object_id: string },
): Promise<Papers | null> {
  switch (kind) {
    case 'invoice':
      return invoicePapers(db, environment_id, object_id);
    case 'payment_failed': {
      const attempt = await findAttempt(db, environment_id, object_id);
      return attempt === null ? null : invoicePapers(db, environment_id, attempt.invoice_id);
    }
    case 'credit_note':
      return notePapers(db, environment_id, object_id);
    case 'receipt':
      return receiptPapers(db, environment_id, object_id);
    case 'reminder':
    case 'statement':
      return statementPapers(db, environment_id, object_id);
  }
}

async function invoicePapers(db: Db, environment_id: number, id: string): Promise<Papers | null> {
  const invoice = await findInvoice(db, environment_id, id);
  if (invoice === null) return null;
  return {
    number: nameOf(invoice),
    pdf: async () => pdfInThread(await printedInvoice(db, environment_id, invoice)),
    xml: () => eInvoiceOf(db, environment_id, invoice),
  };
}

async function notePapers(db: Db, environment_id: number, id: string): Promise<Papers | null> {
  const note = await findCreditNote(db, environment_id, id);
  const invoice = note === null ? null : await findInvoice(db, environment_id, note.invoice_id);
  if (note === null || invoice === null) return null;
  return {
    number: note.number,
    pdf: async () => pdfInThread(await printedNote(db, environment_id, { note, invoice })),
    xml: async () => eInvoice(creditNoteDocument(note, invoice)),
  };
}

async function receiptPapers(db: Db, environment_id: number, id: string): Promise<Papers | null> {
  const receipt = await printedReceipt(db, environment_id, id);
  if (receipt === null) return null;
  return { number: id, pdf: () => pdfInThread(receipt), xml: null };
}

/** `id` is our `cus_` id of the customer. */
async function statementPapers(db: Db, environment_id: number, id: string): Promise<Papers | null> {
  const printed = await printedStatement(db, environment_id, id);
  if (printed === null) return null;
  return { number: dayOfStatement(printed), pdf: () => pdfInThread(printed), xml: null };
}

/** The file, or the sentences of the refusal, which name each field that it lacks. */
async function madeOrRefused(make: () => Promise<Buffer>): Promise<Pick<Attachment, 'content' | 'error'>> {
  try {
    return { content: await make(), error: null };
  } catch (error) {
    if (!(error instanceof BillingError) || error.code !== 'conflict') throw error;
    return { content: null, error: error.details.map(({ message }) => message).join('; ') };
  }
}
