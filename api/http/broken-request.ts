import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../../src/settings/config.ts';
import type { BillingError } from '../../src/domain/money/errors.ts';
import { newRequestId } from '../../src/keys/ids.ts';
import { errorResponse } from './errors.ts';
import { headersOfEvery, writeError } from './exchange.ts';
import { badFraming } from './framing.ts';

/** `owed`: unfinished responses of a connection, oldest first. `last`: the response to its latest request. */
type Responses = { owed: ReadonlySet<ServerResponse>; last: ServerResponse | null };

/** How long the socket stays open after the response to a broken request, so that the client can read it. */
const LINGER_MS = 1000;

/**
 * Responds 400 to a request that is not valid HTTP, after the earlier requests of its connection, and closes the
 * connection.
 */
export function answerBrokenRequest(
  { owed, last }: Responses,
  socket: Duplex,
  { config, error }: { config: Config; error: Error },
): void {
  const fault = faultOf(error);
  if (last !== null && !last.req.complete) {
    // The fault is in the body of the latest request: use its own response, unless that has been sent.
    if (last.headersSent) return void socket.destroy();
    last.setHeader('Connection', 'close');
    return writeError(last, fault);
  }
  const answer = () => {
    if (!socket.writable) return;
    socket.end(rawResponse(config, fault));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  // The fault is in a request head, so there is no response object. The raw response must wait for the earlier
  // responses.
  const before = [...owed].at(-1);
  if (before === undefined) answer();
  else before.once('close', answer);
}

const FAULTS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
  HPE_HEADER_OVERFLOW: 'the request headers are larger than 16 KiB',
};

function faultOf({ code = '' }: Error & { code?: string }): BillingError {
  return badFraming(FAULTS[code] ?? 'the request is not valid HTTP/1.1');
}

/** Raw HTTP response to a request that Node rejected before it created a response object. */
function rawResponse(config: Config, fault: BillingError): string {
  const request_id = newRequestId();
  const { status, headers, text } = errorResponse(fault, request_id);
  const pairs = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  }).flat();
  const lines = [...headersOfEvery(config, request_id), ...pairs].map(
    (part, at) => `${part}${at % 2 === 0 ? ': ' : '\r\n'}`,
  );
  return `HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${text}`;
}
