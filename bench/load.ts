import { setTimeout as delay } from 'node:timers/promises';
import type { PreparedRequest } from './requests.ts';
import { openSocket } from './socket.ts';
import { createWindow, type WindowResult } from './window.ts';

export type Load = {
  port: number;
  /** Keep-alive connections; each sends its next request after the response to the previous one. */
  connections: number;
  prepare: () => PreparedRequest;
  /** Time at the start that is not counted in the result. */
  warm_up_ms: number;
  window_ms: number;
  /** A counter that grows during the load, such as the service's processor time. */
  meter?: () => number;
};

/** `acknowledged`: events of all 2xx responses, including those of the warm-up and after the window. */
export type LoadResult = WindowResult & { acknowledged: number };

/**
 * Runs a closed loop on raw sockets, which are cheap, so that the result measures the service and not the client. Throws at the
 * first response that is not 2xx.
 */
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
  let sent_at = 0;
  await new Promise<void>((resolve, reject) => {
    const socket = openSocket(port, (fault) => {
      if (fault !== null) return end(new Error(`the service answered ${fault}`));
      acknowledge(request.events, sent_at);
      send();
    });
    const send = () => {
      if (stopping.aborted || !request.renew()) return end(null);
      sent_at = performance.now();
      socket.write(request.bytes);
    };
    const end = (error: Error | null) => {
      socket.destroy();
      if (error === null) resolve();
      else reject(error);
    };
    socket.once('connect', send);
    socket.once('error', end);
    socket.once('close', () => end(new Error('the service closed a connection')));
  });
}
