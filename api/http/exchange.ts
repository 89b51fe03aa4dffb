import { ServerResponse, type IncomingMessage } from 'node:http';
import { newRequestId } from '../../src/ids.ts';
import type { Logger } from '../../src/log.ts';
import { logOf } from './log.ts';
import { metricsOf } from './metrics.ts';
import { perDeps } from './per-deps.ts';
import type { Deps } from './deps.ts';

/** One request and its answer: what the answer's head, the error body, the log line and the metrics say of it. */
export type Exchange = {
  deps: Deps;
  request_id: string;
  /** Pattern of the route that serves it, `/v1/customers/{id}`: whoever serves the request sets it. */
  route: string | null;
  key_id: string | null;
  /** What its answer has whatever becomes of it: names and values in turn. */
  headers: string[];
  /** By the clock of performance.now(). */
  started_at: number;
  /** By the same clock, and what answers then. */
  deadline: { due_at: number; timer: NodeJS.Timeout | undefined };
};

/** What the server answers with. Its exchange is a member: the garbage collector must follow each entry of a weak map. */
export class ApiResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  exchange: Exchange | null = null;
}

/** Gives a request its id. Who opens an exchange closes it. */
export function openExchange(deps: Deps, response: ApiResponse): Exchange {
  const request_id = newRequestId();
  const headers = headersOfEvery(request_id);
  const started_at = performance.now();
  const deadline = { due_at: started_at, timer: undefined };
  const exchange = { deps, request_id, route: null, key_id: null, headers, started_at, deadline };
  response.exchange = exchange;
  return exchange;
}

/** Writes the line of a request in the log, and counts it. */
export function closeExchange(response: ApiResponse): void {
  const { req, statusCode: status, writableFinished } = response;
  const { deps, request_id, key_id, route, started_at, deadline } = exchangeOf(response);
  clearTimeout(deadline.timer);
  const { method = '' } = req;
  const ms = performance.now() - started_at;
  const { requests, durations } = metricsOf(deps);
  const pattern = route ?? 'none';
  requests.inc({ method, route: pattern, status });
  durations.observe({ method, route: pattern }, ms / 1000);
  const line = { request_id, key_id, ms: Math.round(ms * 100) / 100 };
  const logger = loggerOf(deps, { method, route, status });
  logger.info(writableFinished ? line : { ...line, aborted: true });
}

/** No more than there are methods, routes and statuses. */
const loggersOf = perDeps(() => new Map<string, Logger>());

/** What lines have in common is spelled once, because that took a twentieth of a single event's time. */
function loggerOf(deps: Deps, common: { method: string; route: string | null; status: number }): Logger {
  const loggers = loggersOf(deps);
  const name = `${common.method} ${common.status} ${common.route}`;
  let logger = loggers.get(name);
  if (logger === undefined) loggers.set(name, (logger = logOf(deps).child(common)));
  return logger;
}

/** The headers of every answer, names and values in turn. */
export function headersOfEvery(request_id: string): string[] {
  return ['X-Request-Id', request_id, 'X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];
}

/** The exchange of a response that the server handed out. */
export function exchangeOf(response: ServerResponse): Exchange {
  if (response instanceof ApiResponse && response.exchange !== null) return response.exchange;
  throw new Error('the response was not opened by the server');
}

/**
 * Writes a whole answer with the headers of its exchange, in one go: set one by one each is looked at twice. Where the answer was
 * not there in time another one is written already.
 */
export function writeResponse(
  response: ServerResponse,
  sent: { status: number; headers: Readonly<Record<string, string>>; text: string },
): void {
  if (response.headersSent) return;
  const { status, headers, text } = sent;
  const all = [...exchangeOf(response).headers, 'Content-Length', `${Buffer.byteLength(text)}`];
  for (const [name, value] of Object.entries(headers)) all.push(name, value);
  response.writeHead(status, all).end(text);
}

/** Sets the headers of its exchange, but for those that the response has, for an answer that Koa will write. */
export function setHeaders(response: ServerResponse): void {
  if (response.headersSent) return;
  const { headers } = exchangeOf(response);
  for (let at = 0; at < headers.length; at += 2)
    if (!response.hasHeader(headers[at]!)) response.setHeader(headers[at]!, headers[at + 1]!);
}
