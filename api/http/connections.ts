import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newRequestId } from '../../src/ids.ts';
import type { BillingError } from '../../src/domain/errors.ts';
import { errorResponse, writeError } from './errors.ts';
import { exchangeOf, headersOfEvery } from './exchange.ts';
import { badFraming } from './framing.ts';

/** What a connection owes an answer to, oldest first, and the last request that it brought. */
type Connection = { owed: Set<ServerResponse>; last: ServerResponse | null; is_lost: boolean };

export type Connections = {
  /** Notes a request; throws nothing. */
  opened: (response: ServerResponse) => void;
  /** Notes that its answer is written, or never will be. */
  closed: (response: ServerResponse) => void;
  /** From now on every answer is the last of its connection. */
  drain: () => void;
};

/** How long a client may take to read that its request was broken. */
const LINGER_MS = 1000;

/**
 * Keeps the connections of a server in step: the idlest goes when there are too many, a broken request is answered in its turn,
 * and while the server drains each connection ends with the answer that it owes.
 */
export function watchConnections(server: Server, connections_max: number): Connections {
  const connections = new Map<Duplex, Connection>();
  /** Those that owe nothing, the longest idle first. */
  const idle = new Set<Duplex>();
  let is_draining = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { owed: new Set(), last: null, is_lost: false });
    idle.add(socket);
    // The new one itself, where all others are at work: it is idle too.
    if (connections.size > connections_max) idle.values().next().value!.destroy();
    socket.once('close', () => {
      connections.delete(socket);
      idle.delete(socket);
    });
  });

  server.on('clientError', (error, socket) => {
    const connection = connections.get(socket);
    // After a fault the parser reports every further byte.
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
    // It broke in a body: its answer is the next in turn, or written already.
    if (last.headersSent) return void socket.destroy();
    last.setHeader('Connection', 'close');
    return writeError(last, fault, exchangeOf(last).request_id);
  }
  const answer = () => {
    if (!socket.writable) return;
    socket.end(rawResponse(fault));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  // It broke in a head, so nobody has seen it; it must wait for the answers before it.
  const before = [...owed].at(-1);
  if (before === undefined) answer();
  else before.once('close', answer);
}

const FAULTS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
  HPE_HEADER_OVERFLOW: 'the head of the request is larger than 16 KiB',
};

function faultOf({ code = '' }: Error & { code?: string }): BillingError {
  return badFraming(FAULTS[code] ?? 'the request is not valid HTTP/1.1');
}

/** An answer for a request that Node gave up on before it had a response. */
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
