import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Config } from '../../src/settings/config.ts';
import { newRequestId } from '../../src/keys/ids.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { isPublicByHttps } from '../../src/settings/public-url.ts';
import type { Deps } from './deps.ts';
import { asBillingError, errorResponse } from './errors.ts';

/** Interval at which the deadlines of responses are checked. */
export const DEADLINES_CHECKED_MS = 100;
/**
 * Deadline of every response except those that make a bill or read a report: checked in time for the ten seconds of
 * contract.md 1.
 */
const RESPONSE_MS = 10_000 - 2 * DEADLINES_CHECKED_MS;
/**
 * Deadline of responses that make a bill or read a report: above the time limits of that work, below the socket timeout
 * (`silent_ms`).
 */
export const LONG_RESPONSE_MS = 100_000;
const YEAR_SECONDS = 31_536_000;
/** Most bytes of a body that are read and dropped after the response. */
const DISCARDED_BYTES_MAX = 5 * 1024 * 1024;

/** State of one request, used by its response headers, its error body, its log line and the metrics. */
export type Exchange = {
  deps: Deps;
  request_id: string;
  /**
   * Pattern of the route, such as `/v1/customers/{id}`. The code that serves the request sets it; null for an unknown
   * path.
   */
  route: string | null;
  key_id: string | null;
  /** Response headers whatever the outcome: name, value, name, value and so on. */
  headers: string[];
  /** Milliseconds of performance.now(). */
  started_at: number;
  /**
   * The time when the response is due, by the same clock; Infinity before startDeadline and while the client sends its
   * body.
   */
  due_at: number;
};

/**
 * The server's response class. Its exchange is a member and not in a WeakMap, whose entries each cost the garbage
 * collector time.
 */
export class ApiResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  exchange: Exchange | null = null;
}

/** Opens the exchange of a request and gives the request its id. The caller must also call closeExchange. */
export function openExchange(deps: Deps, response: ApiResponse): void {
  const request_id = newRequestId();
  const headers = headersOfEvery(deps.config, request_id);
  const started_at = performance.now();
  const [route, key_id, due_at] = [null, null, Infinity];
  response.exchange = { deps, request_id, route, key_id, headers, started_at, due_at };
}

/**
 * Starts or restarts the deadline of a request: without a response after `ms` it gets a 500, whatever becomes of its
 * work.
 */
export function startDeadline(response: ServerResponse, ms = RESPONSE_MS): void {
  exchangeOf(response).due_at = performance.now() + ms;
}

/**
 * Pauses the deadline while the client sends its body. Returns the milliseconds that are left, with which startDeadline
 * resumes it.
 */
export function holdDeadline(response: ServerResponse): number {
  const exchange = exchangeOf(response);
  const left_ms = Math.max(0, exchange.due_at - performance.now());
  exchange.due_at = Infinity;
  return left_ms;
}

/** Sends a 500 for each of these responses whose deadline is over. */
export function answerLate(responses: Iterable<ServerResponse>): void {
  const now = performance.now();
  for (const response of responses) {
    const exchange = exchangeOf(response);
    if (exchange.due_at > now) continue;
    exchange.due_at = Infinity;
    writeError(response, notInTime());
  }
}

function notInTime(): Error {
  return Object.assign(new Error('no response was sent in time'), { code: 'ETIMEDOUT' });
}

/** Closes an exchange: writes the log line of the request and updates the metrics. */
export function closeExchange(response: ApiResponse): void {
  const { req, statusCode: status, writableFinished } = response;
  // Reads the end of a body that was taken at once (receiveBody): until then, Node keeps the request with its
  // connection.
  if (req.readableFlowing === null && req.complete) req.read();
  const { deps, request_id, key_id, route, started_at } = exchangeOf(response);
  const { method = '' } = req;
  const ms = performance.now() - started_at;
  const { requests, durations } = deps.metrics;
  const pattern = route ?? 'none';
  requests.inc({ method, route: pattern, status });
  durations.observe({ method, route: pattern }, ms / 1000);
  const line = { request_id, key_id, ms: Math.round(ms * 100) / 100 };
  const logger = loggerOf(deps, { method, route, status });
  logger.info(writableFinished ? line : { ...line, aborted: true });
}

/**
 * Returns a cached child logger: serializing the common fields for each line took a twentieth of a single event's time.
 * The cache is bounded by the number of combinations.
 */
function loggerOf(
  { log, request_loggers }: Deps,
  common: { method: string; route: string | null; status: number },
): Logger {
  const name = `${common.method} ${common.status} ${common.route}`;
  let logger = request_loggers.get(name);
  if (logger === undefined) request_loggers.set(name, (logger = log.child(common)));
  return logger;
}

/** Headers of every response: name, value, name, value and so on. */
export function headersOfEvery(config: Config, request_id: string): string[] {
  const headers = [
    'X-Request-Id',
    request_id,
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
  ];
  if (isPublicByHttps(config)) headers.push('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
  return headers;
}

/** The exchange of a response. Throws an Error if openExchange was not called for it. */
export function exchangeOf(response: ServerResponse): Exchange {
  if (response instanceof ApiResponse && response.exchange !== null) return response.exchange;
  throw new Error('the response was not opened by the server');
}

/**
 * Sends a whole response, with the headers of its exchange, by a single writeHead: Node checks headers twice if they
 * are set one by one. Does nothing if another response has been sent already, such as the 500 at the deadline.
 */
export function writeResponse(
  response: ServerResponse,
  content: { status: number; headers: Readonly<Record<string, string>>; text: string },
): void {
  if (response.headersSent) return;
  const { status, headers, text } = content;
  const all = [...exchangeOf(response).headers, 'Content-Length', `${Buffer.byteLength(text)}`];
  for (const name in headers) all.push(name, headers[name]!);
  response.writeHead(status, all).end(text);
}

/**
 * Sends an error response, unless a response has begun. Logs the error if it is a 500. Reads and drops the rest of the
 * request body, so that the connection can serve the next request; the server's limits cut off a body that does not
 * end.
 */
export function writeError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const { deps, request_id } = exchangeOf(response);
  const known = asBillingError(error, deps);
  if (known.code === 'internal_error') deps.log.error({ request_id, error });
  discardBody(response.req);
  writeResponse(response, errorResponse(known, request_id));
}

/**
 * Drops the rest of a body; beyond the limit it cuts the connection, because Node would read for ever. The response is
 * sent by then.
 */
function discardBody(request: IncomingMessage): void {
  if (request.complete) return;
  let bytes = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_BYTES_MAX) request.socket.destroy();
  });
  request.resume();
}

/** Sets the headers of the exchange on a response that Koa will write, except headers that the response already has. */
export function setHeaders(response: ServerResponse): void {
  if (response.headersSent) return;
  const { headers } = exchangeOf(response);
  for (let at = 0; at < headers.length; at += 2)
    if (!response.hasHeader(headers[at]!)) response.setHeader(headers[at]!, headers[at + 1]!);
}
