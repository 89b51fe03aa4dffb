import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { datevFile, datevFileName, datevRefusal } from '../../src/billing/owed/datev.ts';
import { findAccount } from '../../src/db/account/accounts.ts';
import { countDocuments } from '../../src/db/invoicing/closed-months.ts';
import { listCreditNotes } from '../../src/db/invoicing/credit-note-list.ts';
import { findInvoice, listInvoices } from '../../src/db/invoicing/invoices.ts';
import { readReceivables, type PlacedDebtor } from '../../src/db/invoicing/receivables.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { BillingError, conflict, rateLimited } from '../../src/domain/money/errors.ts';
import { dayAfter, nextMonth } from '../../src/domain/time/local-time.ts';
import type { ClosedMonth } from '../../src/objects/closed-month.ts';
import type { CreditNote } from '../../src/objects/credit-note.ts';
import { columnsOf, csvOf, headerOf, type Column } from '../../src/objects/csv-text.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import { JournalSum } from '../../src/objects/journal.ts';
import { Debtor } from '../../src/objects/receivables.ts';
import { flattened, pagesAfter, pagesById } from '../csv/csv-pages.ts';
import { JournalRow, journalRows } from '../csv/journal-file.ts';
import type { Deps } from '../http/deps.ts';
import { eInvoiceOf, fileNameOf, printedInvoice } from '../../src/documents/invoice-papers.ts';
import { printedNote } from '../../src/documents/credit-note-papers.ts';
import { pdfInThread, type Printed } from '../../src/documents/pdf/pdf-thread.ts';
import { creditNoteDocument } from '../../src/documents/xml/credit-note-document.ts';
import { eInvoice } from '../../src/documents/xml/e-invoice.ts';
import { zipOf, type ZippedFile } from '../zip/zip.ts';

/** Archives that one process makes at once: each keeps its PDF thread busy, and some megabytes of directory. */
const ARCHIVES_MAX = 2;
/** Invoices and credit notes of an archive: two files each, which are some hundred bytes of memory each. */
const DOCUMENTS_MAX = 50_000;
/** Debtors that are read at once: each page adds up everything again. */
const DEBTORS_AT_ONCE = 5000;
/** An archive waits for the PDFs that people ask for. */
const PDF_TRIES_MAX = 100;
const PDF_RETRY_MS = 1000;

const ALL_INVOICES = {
  customer_id: null,
  subscription_id: null,
  status: null,
  from: null,
  to: null,
  period_in: null,
  issued_in: null,
};
const ALL_NOTES = { customer_id: null, invoice_id: null, status: null, issued_in: null };

let open_archives = 0;

type Of = { deps: Deps; environment_id: number; request_id: string };

/**
 * Begins the archive of a closed month. Throws conflict `too_many` if it would have too many documents, and
 * rate_limited if too many archives are being made.
 */
export async function openArchive(
  { deps, environment_id, request_id }: Of,
  closed: ClosedMonth,
): Promise<Readable> {
  const documents = await countDocuments(deps.pool, environment_id, closed);
  if (documents > DOCUMENTS_MAX)
    throw conflict(
      'month',
      'too_many',
      `month ${closed.month} has ${documents} invoices and credit notes, and an archive at most ${DOCUMENTS_MAX}: export them`,
    );
  if (open_archives >= ARCHIVES_MAX) throw rateLimited();
  open_archives++;
  const archive = zipOf(withIndex(filesOf(deps.pool, environment_id, closed)), closed.closed_at);
  // The status is sent: the client only sees that the connection closes before the end.
  archive.once('error', (error) => deps.log.error({ request_id, error }));
  return archive.once('close', () => void open_archives--);
}

/** The files, one after the other. */
async function* filesOf(db: Db, environment_id: number, closed: ClosedMonth): AsyncGenerator<ZippedFile> {
  const { from, to } = closed;
  yield csvFile('journal.csv', columnsOf(JournalRow), journalRows(db, environment_id, { from, to }));
  yield csvFile('trial-balance.csv', columnsOf(JournalSum), [closed.data]);
  yield csvFile('receivables.csv', columnsOf(Debtor), debtorsAtEnd(db, environment_id, closed));
  yield* datevFiles(db, environment_id, closed);
  const invoices = { ...ALL_INVOICES, issued_from: from, issued_to: to };
  for await (const page of pagesById((rows) => listInvoices(db, environment_id, { ...invoices, ...rows })))
    for (const invoice of page) yield* filesOfInvoice(db, environment_id, invoice);
  const notes = { ...ALL_NOTES, from, to };
  for await (const page of pagesById((rows) => listCreditNotes(db, environment_id, { ...notes, ...rows })))
    for (const note of page) yield* filesOfNote(db, environment_id, note);
}

/** The file for DATEV of each currency; none without its settings, or where they lack a number. */
async function* datevFiles(db: Db, environment_id: number, closed: ClosedMonth): AsyncGenerator<ZippedFile> {
  const { datev } = await findAccount(db, environment_id);
  if (datev === null) return;
  const { month, from, to, closed_at: created_at } = closed;
  for (const currency of new Set(closed.data.map((sum) => sum.currency))) {
    const asked = { month, from, to, currency };
    if ((await datevRefusal(db, environment_id, asked)) === null)
      yield {
        path: datevFileName(asked),
        content: datevFile(db, environment_id, { ...asked, created_at }),
      };
  }
}

function debtorsAtEnd(db: Db, environment_id: number, { month, to }: ClosedMonth) {
  const day = dayAfter(nextMonth(`${month}-01`), -1);
  const at_end = { before: to, day, days: {}, customer_ids: null, currency: null };
  const pages = pagesAfter<PlacedDebtor>(DEBTORS_AT_ONCE, async (last) => {
    const place = { after: last?.id ?? null, limit: DEBTORS_AT_ONCE };
    return (await readReceivables(db, environment_id, { ...at_end, ...place })).debtors;
  });
  return flattened(pages, ({ debtor }) => [debtor]);
}

async function* filesOfInvoice(db: Db, environment_id: number, invoice: Invoice): AsyncGenerator<ZippedFile> {
  const path = `invoices/${fileNameOf(invoice)}`;
  yield pdfFile(path, await printedInvoice(db, environment_id, invoice));
  const is_standing = invoice.status === 'open' || invoice.status === 'paid';
  if (is_standing) yield* xmlFile(path, () => eInvoiceOf(db, environment_id, invoice));
}

async function* filesOfNote(db: Db, environment_id: number, note: CreditNote): AsyncGenerator<ZippedFile> {
  const path = `credit-notes/${note.number}`;
  const invoice = (await findInvoice(db, environment_id, note.invoice_id))!;
  yield pdfFile(path, await printedNote(db, environment_id, { note, invoice }));
  if (note.status !== 'issued') return;
  yield* xmlFile(path, async () => eInvoice(creditNoteDocument(note, invoice)));
}

function pdfFile(path: string, printed: Printed): ZippedFile {
  return {
    path: `${path}.pdf`,
    content: once(async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await pdfInThread(printed);
        } catch (error) {
          const is_busy = error instanceof BillingError && error.code === 'rate_limited';
          if (!is_busy || tries === PDF_TRIES_MAX) throw error;
          await pause(PDF_RETRY_MS);
        }
      }
    }),
  };
}

/** The e-invoice; none where the document lacks what the profile requires. */
async function* xmlFile(path: string, make: () => Promise<Buffer>): AsyncGenerator<ZippedFile> {
  const xml = await make().catch((error: unknown) => {
    if (error instanceof BillingError && error.code === 'conflict') return null;
    throw error;
  });
  if (xml !== null) yield { path: `${path}.xml`, content: once(async () => xml) };
}

async function* once(make: () => Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await make();
}

type Pages = Iterable<readonly object[]> | AsyncIterable<readonly object[]>;

function csvFile(path: string, columns: readonly Column[], pages: Pages): ZippedFile {
  return { path, content: csvText(columns, pages) };
}

async function* csvText(columns: readonly Column[], pages: Pages): AsyncGenerator<string> {
  yield headerOf(columns);
  for await (const page of pages) if (page.length > 0) yield csvOf(columns, page);
}

const INDEX_COLUMNS = ['path', 'bytes', 'sha256'].map((name) => ({ name, path: [name] }));

/** The files, and last their list. */
async function* withIndex(files: AsyncIterable<ZippedFile>): AsyncGenerator<ZippedFile> {
  const entries: { path: string; bytes: number; sha256: string }[] = [];
  for await (const { path, content } of files) {
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += Buffer.byteLength(chunk);
        yield chunk;
      }
      entries.push({ path, bytes, sha256: hash.digest('hex') });
    };
    yield { path, content: counted() };
  }
  yield csvFile('index.csv', INDEX_COLUMNS, [entries]);
}
