import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../src/dev/ports.ts';
import type { PreparedRequest } from './requests.ts';

export type Load = {
  port: number;
  /** Keep-alive connections; each sends its next request when it has the answer to the one before. */
  connections: number;
  prepare: () => PreparedRequest;
  /** Discarded. */
  warm_up_ms: number;
  window_ms: number;
};

export type LoadResult = {
  /** Between the first and the last 2xx answer of the window. */
  events_per_second: number;
  /** Events of all 2xx answers, those of the warm-up and after the window included. */
  acknowledged: number;
};

/** Runs a closed loop on raw sockets: cheap, so that the service is measured and not its client. Throws at the first answer but 2xx. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const started_at = performance.now();
  const counts = startCounting(started_at + load.warm_up_ms);
  const stopping = new AbortController();
  const loops = Array.from({ length: load.connections }, () =>
    runConnection(load, stopping.signal, counts.add),
  );
  const timer = delay(load.warm_up_ms + load.window_ms, undefined, { signal: stopping.signal });
  await Promise.race([timer, Promise.all(loops)]).finally(() => stopping.abort());
  const events_per_second = counts.rate();
  await Promise.all(loops);
  return { events_per_second, acknowledged: counts.acknowledged() };
}

/** The first answer of the window opens it and is not counted, as the work for it was done before. */
function startCounting(window_from: number) {
  let acknowledged = 0;
  let first_at: number | null = null;
  let last_at = 0;
  let in_window = 0;
  return {
    acknowledged: () => acknowledged,
    rate: () => (in_window * 1000) / (last_at - (first_at ?? 0)),
    add(events: number) {
      const now = performance.now();
      acknowledged += events;
      if (now < window_from) return;
      if (first_at === null) first_at = now;
      else in_window += events;
      last_at = now;
    },
  };
}

async function runConnection(
  { port, prepare }: Load,
  stopping: AbortSignal,
  acknowledge: (events: number) => void,
): Promise<void> {
  const request = prepare();
  const socket = connect({ port, host: LOOPBACK, noDelay: true });
  await once(socket, 'connect');
  await new Promise<void>((resolve, reject) => {
    const send = () => {
      if (stopping.aborted) return resolve();
      request.renew();
      socket.write(request.bytes);
    };
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the service closed a connection')));
    onAnswers(socket, (fault) => {
      if (fault !== null) return reject(new Error(`the service answered ${fault}`));
      acknowledge(request.events);
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
