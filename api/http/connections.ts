import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newRequestId } from '../../src/ids.ts';
import type { BillingError } from '../../src/domain/errors.ts';
import { errorResponse } from './errors.ts';
import { headersOfEvery, writeError } from './exchange.ts';
import { badFraming } from './framing.ts';

/** `owed`: unfinished responses, oldest first. `last`: the response to the latest request. `is_lost`: the parser has failed. */
type Connection = { owed: Set<ServerResponse>; last: ServerResponse | null; is_lost: boolean };

export type Connections = {
  /** Call it for each new request. Never throws. */
  opened: (response: ServerResponse) => void;
  /** Call it when the response is finished or its connection is closed. */
  closed: (response: ServerResponse) => void;
  /** From now on, every response closes its connection. */
  drain: () => void;
};

/** How long the socket stays open after the response to a broken request, so that the client can read it. */
const LINGER_MS = 1000;

/**
 * Tracks the connections of a server. Above `connections_max` it closes the connection that has been idle for longest. It responds to a
 * broken request after the earlier requests of its connection. While the server drains, each connection ends after its last response.
 */
export function watchConnections(server: Server, connections_max: number): Connections {
  const connections = new Map<Duplex, Connection>();
  /** Connections without an open request, the one idle for longest first. */
  const idle = new Set<Duplex>();
  let is_draining = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { owed: new Set(), last: null, is_lost: false });
    idle.add(socket);
    // If all others are busy this closes the new connection, which counts as idle.
    if (connections.size > connections_max) idle.values().next().value!.destroy();
    socket.once('close', () => {
      connections.delete(socket);
      idle.delete(socket);
    });
  });

  server.on('clientError', (error, socket) => {
    const connection = connections.get(socket);
    // After its first error, the parser also reports an error for each further chunk of data.
    if (connection === undefined || connection.is_lost) return;
    connection.is_lost = true;
    if (!socket.writable) socket.destroy();
    else answerBrokenRequest(connection, socket, faultOf(error));
  });

  const opened = (response: ServerResponse) => {
    const { socket } = response.req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.owed.add(response);
    connection.last = response;
    idle.delete(socket);
    if (is_draining) response.setHeader('Connection', 'close');
  };

  const closed = (response: ServerResponse) => {
    const { socket } = response.req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.owed.delete(response);
    if (connection.owed.size > 0) return;
    if (is_draining) socket.end();
    else idle.add(socket);
  };

  const drain = () => {
    is_draining = true;
    for (const { owed } of connections.values())
      for (const response of owed) if (!response.headersSent) response.setHeader('Connection', 'close');
  };

  return { opened, closed, drain };
}

function answerBrokenRequest({ owed, last }: Connection, socket: Duplex, fault: BillingError): void {
  if (last !== null && !last.req.complete) {
    // The fault is in the body of the latest request: use its own response, unless that has been sent.
    if (last.headersSent) return void socket.destroy();
    last.setHeader('Connection', 'close');
    return writeError(last, fault);
  }
  const answer = () => {
    if (!socket.writable) return;
    socket.end(rawResponse(fault));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  // The fault is in a request head, so there is no response object. The raw response must wait for the earlier responses.
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
function rawResponse(fault: BillingError): string {
  const request_id = newRequestId();
  const { status, headers, text } = errorResponse(fault, request_id);
  const pairs = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  }).flat();
  const lines = [...headersOfEvery(request_id), ...pairs].map(
    (part, at) => `${part}${at % 2 === 0 ? ': ' : '\r\n'}`,
  );
  return `HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${text}`;
}
