import type { TidemarkError } from '../errors.ts';
import { send, type Connection } from '../request.ts';
import { backOffMs } from '../retry.ts';
import { outcomeOf, type Fault, type Outcome } from './answer.ts';
import { warnOf } from './dropped.ts';
import { dropped, type DroppedEvent, type EventQueue, type WaitingEvent } from './queue.ts';

/**
 * The result of one try: go on at once, or after `wait_ms`. `refused_by` is set if no try will succeed until a person
 * has acted.
 */
export type Tried = { wait_ms: number; refused_by: TidemarkError | null };

/** The API answers within 10 s of the arrival of a batch (contract.md 1); the rest is for the way. */
const LIMIT_MS = 30_000;
/** Failed tries in a row before a warning. */
const WARN_AFTER_TRIES = 5;
const GO_ON: Tried = { wait_ms: 0, refused_by: null };

/**
 * Returns a function that sends the first events of the queue as one batch and removes them if they are stored. An
 * event that the API names as wrong is removed and reported; the next try sends the others.
 */
export function createDelivery(
  connection: Connection,
  queue: EventQueue,
  { max_size, report }: { max_size: number; report: (events: DroppedEvent[]) => void },
): () => Promise<Tried> {
  let tries = 0;
  let batch_max = max_size;

  function drop(faults: ReadonlyMap<number, Fault>): Tried {
    const places = [...faults.keys()].sort((a, b) => a - b);
    const removed = queue.remove((place) => faults.has(place));
    report(
      removed.map((event, at) => {
        const { reason, message } = faults.get(places[at]!)!;
        return dropped(event, reason, message);
      }),
    );
    return GO_ON;
  }

  return async () => {
    const batch = queue.batch(batch_max);
    const result = await sendBatch(connection, batch);
    tries = result.outcome === 'later' || result.outcome === 'refused' ? tries + 1 : 0;
    switch (result.outcome) {
      case 'stored':
        queue.remove((place) => place < batch.length);
        batch_max = Math.min(max_size, batch_max * 2);
        return GO_ON;
      case 'faulty':
        return drop(result.faults);
      case 'unplaced':
        if (batch.length === 1) return drop(new Map([[0, result.fault]]));
        batch_max = Math.ceil(batch.length / 2);
        return GO_ON;
      case 'later':
        if (tries === WARN_AFTER_TRIES) warnOf(`events wait, and are sent again: ${result.error.message}`);
        return { wait_ms: result.retry_after_ms ?? backOffMs(tries), refused_by: null };
      case 'refused':
        if (tries === 1) warnOf(`events are not taken, and wait: ${result.error.message}`);
        return { wait_ms: backOffMs(tries), refused_by: result.error };
    }
  };
}

async function sendBatch(connection: Connection, batch: readonly WaitingEvent[]): Promise<Outcome> {
  const text = `{"events":[${batch.map((event) => event.text).join(',')}]}`;
  try {
    const answer = await send(connection, { path: '/v1/events/batch', text, limit_ms: LIMIT_MS });
    return outcomeOf(answer, batch.length);
  } catch (error) {
    // No answer: perhaps stored, perhaps not. The keys tell the API.
    return { outcome: 'later', error: reasonOf(error), retry_after_ms: null };
  }
}

/** The error whose message says why a connection failed: fetch hides it behind "fetch failed". */
function reasonOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause : error;
}
