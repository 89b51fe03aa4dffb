import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../../src/settings/config.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { answerLate, DEADLINES_CHECKED_MS } from './exchange.ts';
import { watchSockets } from './sockets.ts';

/**
 * `owed`: unfinished responses, oldest first. `last`: the response to the latest request. `is_lost`: the parser has
 * failed.
 */
type Connection = { owed: Set<ServerResponse>; last: ServerResponse | null; is_lost: boolean };

export type Connections = {
  /** Call it for each new request. Never throws. */
  opened: (response: ServerResponse) => void;
  /** Call it when the response is finished or its connection is closed. */
  closed: (response: ServerResponse) => void;
  /** Makes every response from now on close its connection. */
  drain: () => void;
  /** Closes the connections that had a response and wait for another request. */
  closeKept: () => void;
  /** Cuts all connections. */
  cut: () => void;
};

/**
 * Tracks the connections of a server. Above `connections_max` it closes the connection that has been idle for longest.
 * It responds to a broken request after the earlier requests of its connection, and with a 500 to a request whose
 * deadline is over. While the server drains, each connection ends after its last response.
 */
export function watchConnections(
  server: Server,
  { config, connections_max }: { config: Config; connections_max: number },
): Connections {
  const connections = new Map<Duplex, Connection>();
  /** Connections without an open request, the one idle for longest first. */
  const idle = new Set<Duplex>();
  let is_draining = false;

  watchSockets(server, {
    added: (socket) => {
      connections.set(socket, { owed: new Set(), last: null, is_lost: false });
      idle.add(socket);
      // If all others are busy this closes the new connection, which counts as idle.
      if (connections.size > connections_max) idle.values().next().value!.destroy();
    },
    removed: (socket) => {
      connections.delete(socket);
      idle.delete(socket);
    },
  });

  answerBrokenRequests(server, connections, config);
  const watchDeadlines = watchOf(connections);

  const opened = (response: ServerResponse) => {
    const { socket } = response.req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.owed.add(response);
    connection.last = response;
    idle.delete(socket);
    watchDeadlines();
    if (is_draining || mayLoseNext(response)) response.setHeader('Connection', 'close');
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

  const closeKept = () => {
    for (const socket of idle) if (connections.get(socket)?.last !== null) socket.destroy();
  };

  const cut = () => connections.forEach((_, socket) => socket.destroy());

  return { opened, closed, drain, closeKept, cut };
}

/** Node drops what follows a request with this header in the same segment, even where nobody upgrades. */
function mayLoseNext({ req }: ServerResponse): boolean {
  return req.headers.upgrade !== undefined;
}

/**
 * Returns a function to call for each request: while there are any, all deadlines share a timer, because two for each
 * request cost more.
 */
function watchOf(connections: ReadonlyMap<Duplex, Connection>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    for (const { owed } of connections.values()) {
      if (owed.size === 0) continue;
      answerLate(owed);
      watch();
    }
  };
  const watch = () => void (timer ??= setTimeout(check, DEADLINES_CHECKED_MS).unref());
  return watch;
}

function answerBrokenRequests(
  server: Server,
  connections: ReadonlyMap<Duplex, Connection>,
  config: Config,
): void {
  server.on('clientError', (error, socket) => {
    const connection = connections.get(socket);
    // No request can arrive on it: its TLS handshake has failed.
    if (connection === undefined) return void socket.destroy();
    // After its first error, the parser also reports an error for each further chunk of data.
    if (connection.is_lost) return;
    connection.is_lost = true;
    if (!socket.writable) socket.destroy();
    else answerBrokenRequest(connection, socket, { config, error });
  });
}
