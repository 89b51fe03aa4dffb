import { call } from '../client.ts';
import type { Measure } from '../figure.ts';
import { authorization } from '../ingest.ts';
import { runLoad } from '../load.ts';
import type { Api } from '../programs.ts';
import type { PreparedRequest } from '../requests.ts';

const WARM_UP_MS = 300;
/** Hundreds of requests; for a slow page at least three, within the maximum. */
const WINDOW = { ms: 1500, requests: 4, max_ms: 30_000 };

/** Returns a function that measures the median time of a page in ms, one request at a time. Throws unless the page has this many events. */
export async function openPage(
  api: Api,
  { path, events }: { path: string; events: number },
): Promise<Measure> {
  const sent_at = performance.now();
  const { data } = await call<{ data: object[] }>(api, path);
  const took_ms = performance.now() - sent_at;
  if (data.length !== events) throw new Error(`/v1/${path} has ${data.length} events, not ${events}`);
  const window_ms = Math.min(Math.max(WINDOW.ms, took_ms * WINDOW.requests), WINDOW.max_ms);
  const prepare = () => getRequest(api, path);
  const load = { port: api.port, connections: 1, prepare, warm_up_ms: WARM_UP_MS, window_ms };
  return async () => (await runLoad(load)).p50_ms;
}

function getRequest(api: Api, path: string): PreparedRequest {
  const headers = { host: 'localhost', ...authorization(api) };
  const lines = [`GET /v1/${path} HTTP/1.1`, ...Object.entries(headers).map((pair) => pair.join(': '))];
  return { bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), events: 1, renew: () => true };
}
