import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../process/message-of.ts';
import { creditNotePdf } from './credit-note-pdf.ts';
import { invoicePdf } from './invoice-pdf.ts';
import type { Outcome, Printed, Task } from './pdf-thread.ts';
import { receiptPdf } from './receipt-pdf.ts';
import { statementPdf } from './statement-pdf.ts';

/**
 * Entry point of the PDF thread: renders each document that it receives and sends back the bytes or the error message.
 */
parentPort?.on('message', ({ id, printed }: Task) => {
  const send = (outcome: Outcome, transferred: ArrayBuffer[] = []) =>
    parentPort?.postMessage(outcome, transferred);
  make(printed).then(
    (bytes) => {
      // A copy, because a Buffer may be part of Node's shared pool, which cannot be transferred.
      const pdf = new Uint8Array(bytes);
      send({ id, pdf }, [pdf.buffer]);
    },
    (error: unknown) => send({ id, fault: messageOf(error) }),
  );
});

function make(printed: Printed): Promise<Buffer> {
  if ('note' in printed) return creditNotePdf(printed);
  if ('statement' in printed) return statementPdf(printed);
  return 'payment' in printed ? receiptPdf(printed) : invoicePdf(printed);
}
