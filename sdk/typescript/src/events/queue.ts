import type { paths } from '../schema.ts';

/** An event as the API takes it. */
type SentEvent = paths['/v1/events']['post']['requestBody']['content']['application/json'];

/**
 * An event to track. Without `idempotency_key` a key is drawn; without `timestamp` it happened now, by this machine's
 * clock; `timestamp: null` leaves it to the API, for which the event happens when it arrives.
 */
export type TrackedEvent = Omit<SentEvent, 'idempotency_key'> & { idempotency_key?: string };

/**
 * An event that will not be stored. `event` has its key and timestamp. `reason` is one of the API, such as
 * `unknown_customer`, or one of the client: `queue_full`, `closed`, `process_exit`, `too_large`, `unauthorized`.
 * `message` says more, in English.
 */
export type DroppedEvent = { event: SentEvent; reason: string; message: string };

/**
 * An event in memory: its JSON text, which is the same at each try, its number, and the time by the monotonic clock.
 */
export type WaitingEvent = { text: string; bytes: number; number: number; queued_at: number };

/** Limits of the queue of one client. */
const QUEUE_EVENTS_MAX = 100_000;
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A batch of this size fits into the API's 5 MiB with its brackets. A single event may be larger: the API refuses it.
 */
const BATCH_BYTES_MAX = 5 * 1024 * 1024 - 1024;

/** Events in the order in which they were tracked. */
export type EventQueue = {
  readonly size: number;
  readonly oldest: WaitingEvent | undefined;
  /** Adds an event, or returns false if the queue is full. */
  add: (event: WaitingEvent) => boolean;
  /** The first events that fit into one batch, which stay in the queue. */
  batch: (events_max: number) => readonly WaitingEvent[];
  /** Removes the events at these places, where 0 is the oldest one, and returns them in their order. */
  remove: (isRemoved: (place: number) => boolean) => readonly WaitingEvent[];
};

export function createQueue(): EventQueue {
  let waiting: WaitingEvent[] = [];
  let bytes = 0;
  return {
    get size() {
      return waiting.length;
    },
    get oldest() {
      return waiting[0];
    },
    add(event) {
      if (waiting.length >= QUEUE_EVENTS_MAX || bytes + event.bytes > QUEUE_BYTES_MAX) return false;
      waiting.push(event);
      bytes += event.bytes;
      return true;
    },
    batch(events_max) {
      let size = 0;
      const first = waiting.slice(0, events_max);
      const end = first.findIndex((event) => (size += event.bytes + 1) > BATCH_BYTES_MAX);
      return end === -1 ? first : first.slice(0, Math.max(end, 1));
    },
    remove(isRemoved) {
      const removed = waiting.filter((_, place) => isRemoved(place));
      waiting = waiting.filter((_, place) => !isRemoved(place));
      for (const event of removed) bytes -= event.bytes;
      return removed;
    },
  };
}

/** An event of the queue, as `onDropped` gets it. */
export function dropped({ text }: WaitingEvent, reason: string, message: string): DroppedEvent {
  return { event: JSON.parse(text), reason, message };
}
