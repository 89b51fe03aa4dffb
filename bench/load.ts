import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../src/dev/ports.ts';
import type { PreparedRequest } from './requests.ts';
import { createWindow, type WindowResult } from './window.ts';

export type Load = {
  port: number;
  /** Keep-alive connections; each sends its next request when it has the answer to the one before. */
  connections: number;
  prepare: () => PreparedRequest;
  /** Discarded. */
  warm_up_ms: number;
  window_ms: number;
  /** Something that goes up while the load runs, such as the processor time of the service. */
  meter?: () => number;
};

/** `acknowledged`: events of all 2xx answers, those of the warm-up and after the window included. */
export type LoadResult = WindowResult & { acknowledged: number };

/** Runs a closed loop on raw sockets: cheap, so that the service is measured and not its client. Throws at the first answer but 2xx. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { warm_up_ms, window_ms, meter = () => 0 } = load;
  const window = createWindow(performance.now() + warm_up_ms, meter);
  const stopping = new AbortController();
  let acknowledged = 0;
  const loops = Array.from({ length: load.connections }, () =>
    runConnection(load, stopping.signal, (events, sent_at) => {
      acknowledged += events;
      window.answered(events, sent_at);
    }),
  );
  const timer = delay(warm_up_ms + window_ms, undefined, { signal: stopping.signal });
  await Promise.race([timer, Promise.all(loops)]).finally(() => stopping.abort());
  const result = window.close();
  await Promise.all(loops);
  return { ...result, acknowledged };
}

async function runConnection(
  { port, prepare }: Load,
  stopping: AbortSignal,
  acknowledge: (events: number, sent_at: number) => void,
): Promise<void> {
  const request = prepare();
  const socket = connect({ port, host: LOOPBACK, noDelay: true });
  await once(socket, 'connect');
  let sent_at = 0;
  await new Promise<void>((resolve, reject) => {
    const send = () => {
      if (stopping.aborted || !request.renew()) return resolve();
      sent_at = performance.now();
      socket.write(request.bytes);
    };
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the service closed a connection')));
    onAnswers(socket, (fault) => {
      if (fault !== null) return reject(new Error(`the service answered ${fault}`));
      acknowledge(request.events, sent_at);
      send();
    });
    send();
  }).finally(() => socket.destroy());
}

/** Tells of each answer when its last byte is there: null for a 2xx, otherwise how it begins. */
export function onAnswers(socket: Socket, answered: (fault: string | null) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let fault: string | null = null;
  let missing_bytes: number | null = null;
  socket.on('data', (chunk) => {
    if (missing_bytes === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      if (length === undefined) return answered('without a Content-Length');
      fault = text.startsWith('HTTP/1.1 2') ? null : head.toString('utf8', 9, 500);
      missing_bytes = Number(length) - (head.length - end - 4);
    } else {
      missing_bytes -= chunk.length;
    }
    if (missing_bytes > 0) return;
    head = Buffer.alloc(0);
    missing_bytes = null;
    answered(fault);
  });
}
