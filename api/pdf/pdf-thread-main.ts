import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../src/message-of.ts';
import { invoicePdf } from './invoice-pdf.ts';
import type { Outcome, Task } from './pdf-thread.ts';

/** What runs in the thread: sets each invoice that it is sent, and sends back the bytes or what went wrong. */
parentPort?.on('message', ({ id, printed }: Task) => {
  const send = (outcome: Outcome, transferred: ArrayBuffer[] = []) =>
    parentPort?.postMessage(outcome, transferred);
  invoicePdf(printed).then(
    (bytes) => {
      // A copy without the slack of a buffer of the pool, which cannot be given away.
      const pdf = new Uint8Array(bytes);
      send({ id, pdf }, [pdf.buffer]);
    },
    (error: unknown) => send({ id, fault: messageOf(error) }),
  );
});
