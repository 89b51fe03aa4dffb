import { Worker } from 'node:worker_threads';
import { rateLimited } from '../../src/domain/errors.ts';
import { createGate } from '../queues/gate.ts';
import type { PrintedInvoice } from './printed-invoice.ts';

export type Task = { id: number; printed: PrintedInvoice };
export type Outcome = { id: number; pdf: Uint8Array } | { id: number; fault: string };

type Pending = { resolve: (pdf: Buffer) => void; reject: (error: Error) => void };

/** Those that are set at once take turns, so that a short one does not wait for a long one. */
const gate = createGate({ inside_max: 4, waiting_max: 32, waiting_ms: 10_000 }, () => rateLimited());
/** The largest legal invoice, of some 30,000 tiers, takes a third of it on a slow processor. */
const DOCUMENT_MS = 120_000;
const MEMORY_MB = 1024;

const pending = new Map<number, Pending>();
let thread: Worker | null = null;
let documents = 0;

/**
 * The PDF of an invoice, made in a thread of its own: a long one takes seconds of a processor, in which this thread must answer
 * others. Throws rate_limited where too many wait.
 */
export function pdfInThread(printed: PrintedInvoice): Promise<Buffer> {
  return gate.pass(() => make(printed));
}

async function make(printed: PrintedInvoice): Promise<Buffer> {
  thread ??= startThread();
  const running = thread;
  const id = ++documents;
  const limit = setTimeout(() => {
    endThread(running, new Error(`the PDF of ${printed.invoice.id} took more than ${DOCUMENT_MS} ms`));
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

/** Started with the first document, since it reads the fonts; nobody waits for it at the end of the process. */
function startThread(): Worker {
  const started = new Worker(new URL('pdf-thread-main.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  started.on('message', (outcome: Outcome) => settle(outcome));
  started.on('error', (error: Error) => endThread(started, error));
  started.on('exit', () => endThread(started, new Error('the thread that makes PDFs ended')));
  // After the listeners, each of which would hold the process.
  started.unref();
  return started;
}

function settle(outcome: Outcome): void {
  const waiting = pending.get(outcome.id);
  if ('pdf' in outcome) waiting?.resolve(Buffer.from(outcome.pdf.buffer));
  else waiting?.reject(new Error(outcome.fault));
}

/** The next document starts another one. */
function endThread(ended: Worker, error: Error): void {
  if (thread !== ended) return;
  thread = null;
  void ended.terminate();
  for (const { reject } of pending.values()) reject(error);
}
