import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createApp } from './app.ts';
import { watchConnections, type Connections } from './http/connections.ts';
import { ApiResponse, closeExchange, openExchange, startDeadline, writeError } from './http/exchange.ts';
import { badFraming, framingFault, originForm } from './http/framing.ts';
import { traced } from './http/traced.ts';
import { createHttpServer, createHttpsServer, listen } from './http/http-server.ts';
import type { Certificate } from './http/tls.ts';
import type { Route } from './routing/route.ts';
import type { Api } from './compose.ts';
import type { ServeOptions } from './serve.ts';

export type ApiServer = {
  /**
   * Resolves with the port once the server listens; port 0 picks a free one. Rejects with Node's error if it cannot
   * listen.
   */
  listen: (port: number, host: string) => Promise<number>;
  /**
   * First step of a stop: /readyz returns 503 and every response closes its connection. Everything is served as before.
   */
  drain: () => void;
  /**
   * Drains, then refuses new connections and lets running requests finish. Cuts the connections still open at the
   * deadline.
   */
  close: () => Promise<void>;
};

/** Limits of the HTTP server. Tests may lower them. */
export const LIMITS = {
  head_ms: 10_000,
  /** Time for head and body together. */
  request_ms: 15_000,
  keep_alive_ms: 65_000,
  /**
   * Inactivity timeout of a socket. Longer than the slowest response, LONG_ANSWER_MS: advancing a test clock may take a
   * minute.
   */
  silent_ms: 120_000,
  finish_ms: 7000,
  /** Time for which a connection that has sent no request yet may do so while the server closes. */
  first_request_ms: 1000,
  connections_max: 5000,
  certificate_poll_ms: 5000,
};

const SHORT_TURN_MS = 0.5;
const TURNS_MAX = 1000;

export type ServerOptions = ServeOptions & {
  limits?: Partial<typeof LIMITS>;
  /** Certificate with which the server speaks https. */
  certificate?: Certificate | null;
};

/**
 * The whole API as one server: framing checks, then the ingest fast path or Koa. It opens no port until `listen` is
 * called.
 */
export function createApiServer(api: Api, routes: readonly Route[], options: ServerOptions = {}): ApiServer {
  const { deps, ingest, readiness } = api;
  const limits = { ...LIMITS, ...options.limits };
  const koa = createApp(api, routes, options).callback();
  const { certificate = null } = options;
  const server =
    certificate === null ? createHttpServer(limits) : createHttpsServer(limits, certificate, deps.log);
  const connections = watchConnections(server, { config: deps.config, ...limits });

  const serve = traced((request, response) => {
    if (!ingest.handle(request, response)) void koa(request, response);
  });
  const receive = (request: IncomingMessage, response: ApiResponse, fault = framingFault(request)) => {
    openExchange(deps, response);
    connections.opened(response);
    response.on('close', () => {
      closeExchange(response);
      connections.closed(response);
    });
    if (fault !== null) {
      response.setHeader('Connection', 'close');
      return writeError(response, fault);
    }
    startDeadline(response);
    request.url = originForm(request.url ?? '/');
    serve(request, response);
  };
  server.on('request', (request, response) => receive(request, response));
  server.on('checkExpectation', (request, response) =>
    receive(request, response, badFraming('Expect knows nothing but 100-continue')),
  );

  const drain = () => {
    readiness.is_draining = true;
    deps.feed_watch.end();
    connections.drain();
  };
  return {
    listen: (port, host) => listen(server, port, host),
    drain,
    close: async () => {
      drain();
      await quietTurn(server);
      await closeWithin(server, connections, limits);
    },
  };
}

/**
 * Waits for a short turn of the event loop in which no connection was accepted: those that are not accepted when the
 * listening socket closes are reset, and Node accepts one in each turn. Gives up after some turns.
 */
async function quietTurn(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on('connection', count);
  for (let turns = 0, is_quiet = false; turns < TURNS_MAX && !is_quiet; turns++) {
    const [started_at, accepted_before] = [performance.now(), accepted];
    await setImmediate();
    is_quiet = accepted === accepted_before && performance.now() - started_at < SHORT_TURN_MS;
  }
  server.off('connection', count);
}

/**
 * Stops listening, and resolves once all connections are closed. Not by http's `close` alone: Node 26 destroys the
 * connections whose first request it has not read yet, which proxies open for each request while the server drains.
 */
function closeWithin(
  server: Server,
  connections: Connections,
  { finish_ms, first_request_ms }: Pick<typeof LIMITS, 'finish_ms' | 'first_request_ms'>,
): Promise<void> {
  return new Promise((resolve) => {
    const timers = [
      setTimeout(() => server.closeIdleConnections(), first_request_ms),
      setTimeout(() => connections.cut(), finish_ms),
    ];
    NetServer.prototype.close.call(server, () => {
      timers.forEach(clearTimeout);
      // Stops Node's own timer.
      server.close();
      resolve();
    });
    connections.closeKept();
  });
}
