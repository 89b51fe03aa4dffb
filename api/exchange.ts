import type { IncomingMessage, ServerResponse } from 'node:http';
import { newRequestId } from '../src/ids.ts';
import { logOf } from './log.ts';
import { metricsOf } from './metrics.ts';
import type { Deps } from './route.ts';

/** One request and its answer: what the error body, the log line and the metrics say of it. */
export type Exchange = {
  deps: Deps;
  request_id: string;
  /** Pattern of the route that serves it, `/v1/customers/{id}`: whoever serves the request sets it. */
  route: string | null;
  key_id: string | null;
};

const exchanges = new WeakMap<ServerResponse, Exchange>();

/** Gives a request its id, the headers that every answer has, and its line in the log once it is answered. */
export function openExchange(deps: Deps, request: IncomingMessage, response: ServerResponse): Exchange {
  const exchange: Exchange = { deps, request_id: newRequestId(), route: null, key_id: null };
  exchanges.set(response, exchange);
  response.setHeader('X-Request-Id', exchange.request_id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  const started_at = performance.now();
  response.once('close', () => closeExchange(exchange, request, response, performance.now() - started_at));
  return exchange;
}

/** The exchange of a response that the server handed out. */
export function exchangeOf(response: ServerResponse): Exchange {
  const exchange = exchanges.get(response);
  if (exchange === undefined) throw new Error('the response was not opened by the server');
  return exchange;
}

function closeExchange(
  { deps, request_id, route, key_id }: Exchange,
  { method = '' }: IncomingMessage,
  { statusCode: status, writableFinished }: ServerResponse,
  ms: number,
): void {
  const { requests, durations } = metricsOf(deps);
  const labels = { method, route: route ?? 'none' };
  requests.inc({ ...labels, status });
  durations.observe(labels, ms / 1000);
  const line = { request_id, key_id, method, route, status, ms: Math.round(ms * 100) / 100 };
  logOf(deps).info(writableFinished ? line : { ...line, aborted: true });
}
