import { Worker } from 'node:worker_threads';
import { rateLimited } from '../../domain/money/errors.ts';
import { createGate } from '../../queues/gate.ts';
import type { PrintedNote } from './credit-note-pdf.ts';
import type { PrintedInvoice } from './printed-invoice.ts';
import type { PrintedReceipt } from './receipt-pdf.ts';
import type { PrintedStatement } from './statement-pdf.ts';

/** The document to print, each with the PNG file of its logo. */
export type Printed = PrintedInvoice | PrintedNote | PrintedReceipt | PrintedStatement;

export type Task = { id: number; printed: Printed };
export type Outcome = { id: number; pdf: Uint8Array } | { id: number; fault: string };

type Pending = { resolve: (pdf: Buffer) => void; reject: (error: Error) => void };

/** Lets up to four PDFs be rendered at once and take turns, so that a short one does not wait for a long one. */
const gate = createGate({ running_max: 4, waiting_max: 32, waiting_ms: 10_000 }, () => rateLimited());
/** Time limit of one PDF. The largest valid invoice, of some 30,000 tiers, takes a third of it on a slow processor. */
const DOCUMENT_MS = 120_000;
const MEMORY_MB = 1024;

const pending = new Map<number, Pending>();
let thread: Worker | null = null;
let documents = 0;

/**
 * Renders the PDF of a document in a worker thread: a long one takes seconds of processor time, during which this
 * thread must serve other requests. Throws rate_limited if too many wait, and an Error if the thread fails or exceeds
 * DOCUMENT_MS.
 */
export function pdfInThread(printed: Printed): Promise<Buffer> {
  return gate.pass(() => make(printed));
}

async function make(printed: Printed): Promise<Buffer> {
  thread ??= startThread();
  const running = thread;
  const id = ++documents;
  const limit = setTimeout(() => {
    endThread(running, new Error(`the PDF of ${idOf(printed)} was not finished within ${DOCUMENT_MS} ms`));
  }, DOCUMENT_MS);
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      pending.set(id, { resolve, reject });
      const task: Task = { id, printed };
      running.postMessage(task);
    });
  } finally {
    clearTimeout(limit);
    pending.delete(id);
  }
}

function idOf(printed: Printed): string {
  if ('note' in printed) return printed.note.id;
  if ('statement' in printed) return `the statement of ${printed.statement.customer_id}`;
  return 'payment' in printed ? printed.payment.id : printed.invoice.id;
}

/**
 * Starts the thread, at the first document and not earlier, because it loads the fonts. It does not keep the process
 * alive.
 */
function startThread(): Worker {
  const started = new Worker(new URL('pdf-thread-start.mjs', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  started.on('message', (outcome: Outcome) => settle(outcome));
  started.on('error', (error: Error) => endThread(started, error));
  started.on('exit', () => endThread(started, new Error('the PDF thread ended unexpectedly')));
  // After adding the listeners, because each of them would keep the process alive.
  started.unref();
  return started;
}

function settle(outcome: Outcome): void {
  const waiting = pending.get(outcome.id);
  if ('pdf' in outcome) waiting?.resolve(Buffer.from(outcome.pdf.buffer));
  else waiting?.reject(new Error(outcome.fault));
}

/** Ends the thread and rejects its documents. The next document starts a new thread. */
function endThread(ended: Worker, error: Error): void {
  if (thread !== ended) return;
  thread = null;
  void ended.terminate();
  for (const { reject } of pending.values()) reject(error);
}
