import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { watchConnections } from './http/connections.ts';
import { startDeadline } from './http/deadline.ts';
import { writeError } from './http/errors.ts';
import { ApiResponse, closeExchange, openExchange } from './http/exchange.ts';
import { badFraming, framingFault, originForm } from './http/framing.ts';
import { readinessOf } from './pages.ts';
import type { Route } from './routing/route.ts';
import type { Deps } from './http/deps.ts';
import type { ServeOptions } from './serve.ts';

/** Takes the requests that go past Koa: true when it took one. */
export type Ingest = (request: IncomingMessage, response: ServerResponse) => boolean;

export type ApiServer = {
  /** Resolves with the port once it listens; 0 asks for any. Rejects with Node's error where it cannot. */
  listen: (port: number, host: string) => Promise<number>;
  /** Not ready any more, nothing new accepted, what runs is answered; what runs after the deadline is cut off. */
  close: () => Promise<void>;
};

/** Limits of the rim; a test may tighten them. */
export const LIMITS = {
  head_ms: 10_000,
  /** Head and body. */
  request_ms: 15_000,
  keep_alive_ms: 65_000,
  /** Longer than the slowest answer: advancing a test clock may take a minute. */
  silent_ms: 120_000,
  drain_ms: 7000,
  connections_max: 5000,
};

const TIMEOUTS_CHECKED_MS = 500;
const HEAD_BYTES_MAX = 16 * 1024;
/** A connection beyond it looks open to its client, who then waits for a minute. Node's own 511 is less than a crowd brings at once. */
const CONNECTIONS_WAITING_MAX = 4096;

export type ServerOptions = ServeOptions & { limits?: Partial<typeof LIMITS> };

/** The whole API behind one port: framing, then the ingest routes or Koa. Never listens by itself. */
export function createApiServer(
  deps: Deps,
  { routes, ingest }: { routes: readonly Route[]; ingest: Ingest },
  options: ServerOptions = {},
): ApiServer {
  const limits = { ...LIMITS, ...options.limits };
  const koa = createApp(deps, routes, options).callback();
  const server = httpServer(limits);
  const connections = watchConnections(server, limits.connections_max);

  const receive = (request: IncomingMessage, response: ApiResponse, fault = framingFault(request)) => {
    const { request_id } = openExchange(deps, response);
    connections.opened(response);
    response.on('close', () => {
      closeExchange(response);
      connections.closed(response);
    });
    if (fault !== null) {
      response.setHeader('Connection', 'close');
      return writeError(response, fault, request_id);
    }
    startDeadline(response);
    request.url = originForm(request.url ?? '/');
    if (!ingest(request, response)) void koa(request, response);
  };
  server.on('request', (request, response) => receive(request, response));
  server.on('checkExpectation', (request, response) =>
    receive(request, response, badFraming('Expect knows nothing but 100-continue')),
  );

  return {
    listen: (port, host) => listen(server, port, host),
    close: async () => {
      readinessOf(deps).is_draining = true;
      connections.drain();
      await closeWithin(server, limits.drain_ms);
    },
  };
}

type HttpServer = Server<typeof IncomingMessage, typeof ApiResponse>;

function httpServer(limits: typeof LIMITS): HttpServer {
  const server = createServer({
    ServerResponse: ApiResponse,
    insecureHTTPParser: false,
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: limits.head_ms,
    requestTimeout: limits.request_ms,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    keepAliveTimeout: limits.keep_alive_ms,
    // Node's own answer to a missing Host has no body, and it drops headers beyond a count instead of refusing them.
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  server.setTimeout(limits.silent_ms);
  return server;
}

/** Resolves with the port once a server listens there. Rejects with Node's error where it cannot. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: CONNECTIONS_WAITING_MAX }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeWithin(server: Server, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), ms);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
