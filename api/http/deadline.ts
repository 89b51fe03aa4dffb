import type { ServerResponse } from 'node:http';
import { writeError } from './errors.ts';
import { exchangeOf } from './exchange.ts';

/** When an answer is due, of whatever makes no bill and reads no report (contract.md 1). */
const ANSWER_MS = 10_000;
/** When one of these is due: later than their own limits are over, earlier than the connection counts as silent. */
export const LONG_ANSWER_MS = 100_000;

/** From now on a request has an answer in time: what is not answered by then is a 500, whatever becomes of its work. */
export function startDeadline(response: ServerResponse, ms = ANSWER_MS): void {
  const exchange = exchangeOf(response);
  clearTimeout(exchange.deadline.timer);
  const timer = setTimeout(() => writeError(response, notInTime(), exchange.request_id), ms);
  exchange.deadline = { due_at: performance.now() + ms, timer };
}

/** Stops the clock while the client is at it. The function that it returns lets it go on. */
export function holdDeadline(response: ServerResponse): () => void {
  const { timer, due_at } = exchangeOf(response).deadline;
  clearTimeout(timer);
  const left_ms = Math.max(0, due_at - performance.now());
  return () => startDeadline(response, left_ms);
}

function notInTime(): Error {
  return Object.assign(new Error('there was no answer in time'), { code: 'ETIMEDOUT' });
}
