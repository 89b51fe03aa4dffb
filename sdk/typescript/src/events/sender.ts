import { TidemarkError } from '../errors.ts';
import type { Connection } from '../request.ts';
import { createDelivery } from './delivery.ts';
import { callSafely, type OnDropped } from './dropped.ts';
import { createLoop } from './loop.ts';
import { createQueue, dropped, type DroppedEvent } from './queue.ts';

export type EventSender = {
  /** Queues the JSON text of an event; `onDropped` gets it if the queue is full or the sender closed. */
  add: (text: string) => void;
  /**
   * Resolves when every event that was added before is stored or dropped. Rejects with a TidemarkError if the API
   * refuses the key.
   */
  flush: () => Promise<void>;
  /** Flushes, and takes no further event. If the API refuses the key, drops the events, and rejects. */
  close: () => Promise<void>;
};

export type SenderOptions = { max_size: number; max_wait_ms: number; onDropped: OnDropped };

/**
 * Sends events in batches, one at a time, so that they arrive in order. A batch that may not have been stored is sent
 * again, with the same keys, for ever: with the wait that the API asks for, or with longer and longer waits.
 */
export function createSender(
  connection: Connection,
  { max_size, max_wait_ms, onDropped }: SenderOptions,
): EventSender {
  const queue = createQueue();
  const report = (events: DroppedEvent[]) => callSafely(onDropped, events);
  const deliver = createDelivery(connection, queue, { max_size, report });
  const dropAll = (reason: string, message: string) => {
    const events = queue.remove(() => true);
    report(events.map((event) => dropped(event, reason, message)));
    return events.length;
  };
  const drop = () => dropAll('process_exit', 'the process ended before the event was sent');
  const loop = createLoop(queue, { max_size, max_wait_ms, deliver, drop });
  let added = 0;
  let closed: Promise<void> | null = null;

  async function finish(): Promise<void> {
    try {
      await loop.flush(added);
    } catch (error) {
      if (error instanceof TidemarkError) dropAll(error.code ?? 'refused', error.message);
      loop.look();
      throw error;
    }
  }
  return {
    add(text) {
      const event = { text, bytes: Buffer.byteLength(text), number: added, queued_at: performance.now() };
      if (closed !== null) return report([dropped(event, 'closed', 'the client is closed')]);
      if (!queue.add(event)) return report([dropped(event, 'queue_full', 'too many events wait')]);
      added++;
      loop.look();
    },
    flush: () => loop.flush(added),
    close: () => (closed ??= finish()),
  };
}
