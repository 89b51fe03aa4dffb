import { TidemarkError } from '../errors.ts';
import { memberOf } from '../json.ts';
import type { Answer } from '../request.ts';
import { isTemporary } from '../retry.ts';

/** Why an event is not stored: a reason of the API, and a sentence. */
export type Fault = { reason: string; message: string };

/** The meaning of an answer to a batch. After `later` and `refused` the events stay in the queue. */
export type Outcome =
  | { outcome: 'stored' }
  /** Nothing is stored, because of the events at these places. */
  | { outcome: 'faulty'; faults: ReadonlyMap<number, Fault> }
  /** Nothing is stored, because of a fault of the batch whose place is not known: fewer events tell more. */
  | { outcome: 'unplaced'; fault: Fault }
  /** Not stored, or perhaps stored: the same events are sent again. */
  | { outcome: 'later'; error: Error; retry_after_ms: number | null }
  /** A person has to correct the key, the address or a proxy: the same events are sent again then. */
  | { outcome: 'refused'; error: TidemarkError };

/** Reasons of a 400 for a request that arrived broken; its events may be valid. */
const OF_CONNECTION = ['bad_framing', 'bad_media_type'];
const PLACE = /^events\[(\d+)\]/;
/** The beginning of a message: the program that tracked the event does not know its place in a batch. */
const OF_PLACE = /^events\[\d+\][. ]/;

/**
 * Reads the answer to a POST /v1/events/batch of `events` events (contract.md 2), also the answer of a proxy in
 * between.
 */
export function outcomeOf(answer: Answer, events: number): Outcome {
  const { status, body, request_id, retry_after_ms } = answer;
  if (status < 300 && memberOf(body, 'object') === 'event_batch') return { outcome: 'stored' };
  const error = new TidemarkError(status, body, request_id);
  const faults = faultsOf(error, events);
  if (faults.size > 0) return { outcome: 'faulty', faults };
  const [detail] = error.details;
  if (isTemporary(status) || detail?.reason === 'bad_framing')
    return { outcome: 'later', error, retry_after_ms };
  // A proxy has a limit of its own.
  if (status === 413) return { outcome: 'unplaced', fault: { reason: 'too_large', message: error.message } };
  if (status === 400 && detail !== undefined && !OF_CONNECTION.includes(detail.reason))
    return { outcome: 'unplaced', fault: detail };
  return { outcome: 'refused', error };
}

/** The first fault of each event that the API names, by its place in the batch. */
function faultsOf({ status, details }: TidemarkError, events: number): ReadonlyMap<number, Fault> {
  const faults = new Map<number, Fault>();
  if (![400, 404, 409].includes(status)) return faults;
  for (const { param, reason, message } of details) {
    const place = Number(PLACE.exec(param ?? '')?.[1] ?? NaN);
    if (place < events && !faults.has(place))
      faults.set(place, { reason, message: message.replace(OF_PLACE, '') });
  }
  return faults;
}
