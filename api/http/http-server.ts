import { createServer, type IncomingMessage, type Server } from 'node:http';
import * as https from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Logger } from '../../src/telemetry/log.ts';
import { ApiResponse } from './exchange.ts';
import type { Certificate } from './tls.ts';

type Http = Server<typeof IncomingMessage, typeof ApiResponse>;

type HttpLimits = {
  head_ms: number;
  /** Time for head and body together. */
  request_ms: number;
  keep_alive_ms: number;
  /** Inactivity timeout of a socket. */
  silent_ms: number;
  /** Interval at which the files of a certificate are read. */
  certificate_poll_ms: number;
};

const TIMEOUTS_CHECKED_MS = 500;
const HEAD_BYTES_MAX = 16 * 1024;
/**
 * Listen backlog. A connection beyond it looks open to the client, which then waits for a minute. Node's 511 is too few
 * for a burst.
 */
const CONNECTIONS_WAITING_MAX = 4096;

/** An http server without request handlers. */
export function createHttpServer(limits: HttpLimits): Http {
  return limited(createServer(optionsOf(limits)), limits);
}

/** Creates the server for https. While it listens, it takes over a new certificate from the files. */
export function createHttpsServer(limits: HttpLimits, certificate: Certificate, log: Logger): Http {
  const options = { ...optionsOf(limits), ...certificate.pair, handshakeTimeout: limits.head_ms };
  const server = https.createServer(options);
  server.once('listening', () => {
    const stop = certificate.keepFresh(server, log, limits.certificate_poll_ms);
    server.once('close', stop);
  });
  return limited(server, limits);
}

function optionsOf(limits: HttpLimits) {
  return {
    ServerResponse: ApiResponse,
    insecureHTTPParser: false,
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: limits.head_ms,
    requestTimeout: limits.request_ms,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    keepAliveTimeout: limits.keep_alive_ms,
    // framingFault checks Host and the number of headers: Node's own 400 has no body, and Node silently drops surplus
    // headers.
    requireHostHeader: false,
  };
}

function limited(server: Http, { silent_ms }: HttpLimits): Http {
  server.maxHeadersCount = 0;
  server.setTimeout(silent_ms);
  return server;
}

/** Resolves with the port once the server listens. Rejects with Node's error if it cannot. */
export function listen(server: NetServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: CONNECTIONS_WAITING_MAX }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
