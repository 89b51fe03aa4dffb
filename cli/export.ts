import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Invoice } from '../src/db/invoicing/invoices.ts';
import { messageOf } from '../src/process/message-of.ts';
import { ApiFailure, type Api } from './api.ts';
import { Failure } from './failure.ts';
import type { List } from './output.ts';
import { createProgress, type Progress } from './progress.ts';

const PAGE = 200;
/** The number of PDFs that one API process renders at once without others waiting. */
const PDFS_AT_ONCE = 3;
const TRIES_MAX = 20;
const RETRY_MS = 1000;

/** The result of an export. */
export type Exported = { invoices: number; pdfs_written: number; pdfs_kept: number };

type Wanted = { month: string; folder: string };

/**
 * Saves the invoices issued in a month, by the day that each invoice prints, and their line items as CSV, and each
 * invoice as PDF in the folder `pdf`. A file that is there is complete: it is written under another name first. The PDF
 * of an issued invoice only changes when the invoice is voided, so those that are there are kept, except of void
 * invoices.
 */
export async function exportMonth(api: Api, { month, folder }: Wanted): Promise<Exported> {
  const of_month = { issued_month: month };
  const { data: sums } = await api.get<{ data: { count: number }[] }>('/v1/invoices/summary', of_month);
  const progress = createProgress(
    'PDFs',
    sums.reduce((sum, { count }) => sum + count, 0),
  );
  for (const list of ['invoices', 'line-items'])
    await save(join(folder, `${list}.csv`), await api.file(`/v1/${list}.csv`, of_month));
  const pdfs = join(folder, 'pdf');
  await mkdir(pdfs, { recursive: true });
  const done: Exported = { invoices: 0, pdfs_written: 0, pdfs_kept: 0 };
  for await (const page of pagesOf(api, of_month))
    await savePdfs(api, page, { folder: pdfs, done, progress });
  progress.end();
  return done;
}

async function* pagesOf(api: Api, filters: object): AsyncGenerator<readonly Invoice[]> {
  for (let cursor: string | undefined, has_more = true; has_more;) {
    const page: List<Invoice> = await api.get('/v1/invoices', { ...filters, limit: PAGE, cursor });
    yield page.data;
    has_more = page.has_more;
    cursor = page.next_cursor ?? undefined;
  }
}

type Saving = { folder: string; done: Exported; progress: Progress };

async function savePdfs(api: Api, page: readonly Invoice[], saving: Saving): Promise<void> {
  for (let at = 0; at < page.length; at += PDFS_AT_ONCE)
    await Promise.all(page.slice(at, at + PDFS_AT_ONCE).map((invoice) => savePdf(api, invoice, saving)));
}

async function savePdf(api: Api, invoice: Invoice, { folder, done, progress }: Saving): Promise<void> {
  const { id, number, status } = invoice;
  // The prefix of a number may have slashes.
  const file = join(folder, `${(number ?? id).replaceAll('/', '-')}.pdf`);
  const is_kept = status !== 'void' && (await exists(file));
  if (is_kept) done.pdfs_kept++;
  else {
    await save(file, await openPdf(api, id));
    done.pdfs_written++;
  }
  progress.show(++done.invoices);
}

/** Waits while the API is busy with other documents. */
async function openPdf(api: Api, id: string): Promise<AsyncIterable<Uint8Array>> {
  for (let tries = 1; ; tries++) {
    try {
      return await api.file(`/v1/invoices/${id}.pdf`);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 429 || tries === TRIES_MAX) throw error;
      await pause(RETRY_MS);
    }
  }
}

async function save(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${file}.part`;
  await writeFile(unfinished, content).catch((error: unknown) => {
    throw new Failure(`${file} is not complete: ${messageOf(error)}; run the command again`);
  });
  await rename(unfinished, file);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
