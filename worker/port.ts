import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { collectDefaultMetrics, Registry } from 'prom-client';

const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 20;

/** The state that a worker reports at its port. The worker adds its parts as it starts. */
export type WorkerView = {
  /** Metrics of this process. */
  registry: Registry;
  /** Reads the metrics of Temporal's runtime, as text. */
  sdkMetrics: () => Promise<string>;
  isReady: () => Promise<boolean>;
};

/** The view of a worker that is starting: not ready, with Node's metrics. */
export function createWorkerView(sdkMetrics: () => Promise<string>): WorkerView {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, sdkMetrics, isReady: () => Promise.resolve(false) };
}

/**
 * Serves /healthz, /readyz and /metrics of a worker. /healthz responds while the event loop runs and asks neither the
 * database nor Temporal, because a worker that waits for them is healthy. The port alone does not keep the process
 * alive. Rejects with Node's error if it cannot listen.
 */
export async function openWorkerPort(
  view: WorkerView,
  { port, host }: { port: number; host: string },
): Promise<Server> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    answer(view, request, response).catch(() => sendStatus(response, 500, 'failed'));
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, host).unref();
  await once(server, 'listening');
  return server;
}

async function answer(
  view: WorkerView,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = method === 'GET' ? url : null;
  if (path === '/healthz') return sendStatus(response, 200, 'ok');
  if (path === '/readyz') {
    if (await view.isReady()) return sendStatus(response, 200, 'ready');
    return sendStatus(response, 503, 'not_ready');
  }
  if (path === '/metrics') {
    const texts = await Promise.all([view.registry.metrics(), view.sdkMetrics()]);
    return send(response, { status: 200, type: view.registry.contentType, text: texts.join('') });
  }
  sendStatus(response, 404, 'not_found');
}

function sendStatus(response: ServerResponse, status: number, word: string): void {
  send(response, { status, type: 'application/json', text: JSON.stringify({ status: word }) });
}

type Sent = { status: number; type: string; text: string };

function send(response: ServerResponse, { status, type, text }: Sent): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}
