import type { ServerResponse } from 'node:http';
import { writeError } from './errors.ts';
import { exchangeOf } from './exchange.ts';

/** Deadline of every response except those that make a bill or read a report (contract.md 1). */
const RESPONSE_MS = 10_000;
/** Deadline of responses that make a bill or read a report: above the time limits of that work, below the socket timeout (`silent_ms`). */
export const LONG_RESPONSE_MS = 100_000;

/** Starts or restarts the deadline of a request: without a response after `ms` it gets a 500, whatever becomes of its work. */
export function startDeadline(response: ServerResponse, ms = RESPONSE_MS): void {
  const exchange = exchangeOf(response);
  clearTimeout(exchange.deadline.timer);
  const timer = setTimeout(() => writeError(response, notInTime(), exchange.request_id), ms);
  exchange.deadline = { due_at: performance.now() + ms, timer };
}

/** Pauses the deadline while the client sends its body. The returned function resumes it. */
export function holdDeadline(response: ServerResponse): () => void {
  const { timer, due_at } = exchangeOf(response).deadline;
  clearTimeout(timer);
  const left_ms = Math.max(0, due_at - performance.now());
  return () => startDeadline(response, left_ms);
}

function notInTime(): Error {
  return Object.assign(new Error('there was no answer in time'), { code: 'ETIMEDOUT' });
}
