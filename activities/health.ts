import { createServer } from 'node:http';

const LOOPBACK = '127.0.0.1';

/**
 * Answers /healthz as long as the event loop turns, and asks neither the database nor Temporal: a worker that waits for them is well.
 * The port alone does not keep a process alive.
 */
export function answerHealth(port: number): void {
  const server = createServer((request, response) => {
    const is_health = request.url === '/healthz';
    response.writeHead(is_health ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(is_health ? '{"status":"ok"}' : '{"status":"not_found"}');
  });
  server.listen(port, LOOPBACK).unref();
}
