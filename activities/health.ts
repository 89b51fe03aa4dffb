import { createServer } from 'node:http';

const LOOPBACK = '127.0.0.1';

/**
 * Answers /healthz while the event loop runs. Asks neither the database nor Temporal: a worker that waits for them is healthy. The
 * listening port alone does not keep the process alive.
 */
export function answerHealth(port: number): void {
  const server = createServer((request, response) => {
    const is_health = request.url === '/healthz';
    response.writeHead(is_health ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(is_health ? '{"status":"ok"}' : '{"status":"not_found"}');
  });
  server.listen(port, LOOPBACK).unref();
}
