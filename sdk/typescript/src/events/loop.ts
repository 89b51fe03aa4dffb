import { createPause } from '../retry.ts';
import type { Tried } from './delivery.ts';
import { atProcessEnd } from './process-end.ts';
import type { EventQueue } from './queue.ts';
import { createWaiters } from './waiters.ts';

export type Loop = {
  /** Attends to the queue after it has changed. */
  look: () => void;
  /**
   * Sends at once; resolves when the queue has no event with a number below `before`, rejects with a TidemarkError if
   * one is refused.
   */
  flush: (before: number) => Promise<void>;
};

type LoopOptions = {
  max_size: number;
  max_wait_ms: number;
  /** Sends the first events of the queue. */
  deliver: () => Promise<Tried>;
  /** Empties the queue at the end of the process, and returns the number of events. */
  drop: () => number;
};

/**
 * Decides when to send: when a batch is full, the oldest event has waited long enough, or `flush` asks. While events
 * wait for another try, the process lives, except if the API refuses them until a person has acted.
 */
export function createLoop(queue: EventQueue, { max_size, max_wait_ms, deliver, drop }: LoopOptions): Loop {
  const waiters = createWaiters();
  const pause = createPause();
  let is_running = false;
  let is_refused = false;
  let timer: NodeJS.Timeout | undefined;
  let leave: (() => void) | null = null;

  const msLeft = () => {
    const { oldest } = queue;
    if (oldest === undefined) return Infinity;
    if (waiters.count > 0 || queue.size >= max_size) return 0;
    return Math.max(0, Math.ceil(oldest.queued_at + max_wait_ms - performance.now()));
  };

  async function run(): Promise<void> {
    is_running = true;
    while (msLeft() === 0) {
      const { wait_ms, refused_by } = await deliver();
      is_refused = refused_by !== null;
      if (refused_by !== null) waiters.reject(refused_by);
      waiters.settle(queue.oldest?.number);
      if (wait_ms > 0) await pause.wait(wait_ms, !is_refused);
    }
    is_running = false;
    look();
  }

  function look(): void {
    waiters.settle(queue.oldest?.number);
    if (queue.size > 0) {
      leave ??= atProcessEnd({ finish, drop });
    } else {
      leave?.();
      leave = null;
      if (is_refused) pause.end();
    }
    if (is_running) return;
    clearTimeout(timer);
    const ms_left = msLeft();
    if (ms_left === 0) void run();
    else if (ms_left < Infinity) timer = setTimeout(look, ms_left).unref();
  }

  function flush(before: number): Promise<void> {
    const flushed = waiters.wait(before);
    if (is_refused) pause.end();
    look();
    return flushed;
  }

  /**
   * The process has nothing else to do. Events that are refused would be refused again, and keep no process from its
   * end.
   */
  function finish(): void {
    if (!is_refused) flush(Infinity).catch(() => undefined);
  }

  return { look, flush };
}
