import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './http/http-server.ts';
import type { ApiServer } from './server.ts';
import type { Metrics } from './http/metrics.ts';

const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 20;

/**
 * A server for METRICS_PORT, which is not public: GET /metrics, 404 for anything else. It opens no port until `listen`
 * is called.
 */
export function createMetricsServer(metrics: Metrics): Omit<ApiServer, 'drain'> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    answer(metrics, request, response).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  return {
    listen: (port, host) => listen(server, port, host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { registry }: Metrics,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET' || url !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  const text = await registry.metrics();
  response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text);
}
