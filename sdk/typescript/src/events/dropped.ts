import type { DroppedEvent } from './queue.ts';

export type OnDropped = (dropped: DroppedEvent[]) => void;

/** At most one warning in this time. */
const INTERVAL_MS = 10_000;

/** The `onDropped` of a client without one: warns of the number of events, and why the last one was dropped. */
export function warnOfDropped(): OnDropped {
  let count = 0;
  let reason = '';
  let timer: NodeJS.Timeout | null = null;
  const warn = () => {
    if (count > 0) warnOf(`events dropped: ${count}, the last one because of ${reason}; onDropped gets them`);
    count = 0;
  };
  return (dropped) => {
    count += dropped.length;
    reason = dropped.map((event) => `${event.reason} (${event.message})`).at(-1) ?? reason;
    if (timer !== null) return;
    warn();
    timer = setTimeout(() => {
      timer = null;
      warn();
    }, INTERVAL_MS).unref();
  };
}

/** Emits a warning of the process, which Node prints to stderr unless the program has a listener for `warning`. */
export function warnOf(message: string): void {
  process.emitWarning(`Tidemark: ${message}`, { type: 'TidemarkWarning' });
}

/** Calls a function of the user. An error that it throws becomes an uncaught exception, and the sender goes on. */
export function callSafely(onDropped: OnDropped, dropped: DroppedEvent[]): void {
  if (dropped.length === 0) return;
  try {
    onDropped(dropped);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
