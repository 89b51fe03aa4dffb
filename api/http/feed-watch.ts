import { setTimeout as delay } from 'node:timers/promises';
import { rateLimited } from '../../src/domain/money/errors.ts';

/** Time between two looks at the newest numbers, while requests wait. */
const LOOK_MS = 250;
const WAITING_MAX = 100;

type Waiting = { environment_id: number; after: number; wake: () => void };

export type FeedWatch = {
  /**
   * Resolves once the feed of an environment is beyond a number, after `wait_ms`, or when the process ends. Throws
   * rate_limited if 100 requests of the key wait already.
   */
  beyond: (
    waiter: { environment_id: number; key_id: string },
    after: number,
    wait_ms: number,
  ) => Promise<void>;
  /** Wakes all that wait, now and from now on. */
  end: () => void;
  has_ended: () => boolean;
};

/** Watches the newest numbers for requests that wait, by one query for all of them, so that none holds a connection. */
export function createFeedWatch(readNewest: () => Promise<ReadonlyMap<number, number>>): FeedWatch {
  const waiting = new Set<Waiting>();
  const of_key = new Map<string, number>();
  const ended = new AbortController();
  let is_looking = false;

  const look = async () => {
    if (is_looking) return;
    is_looking = true;
    while (waiting.size > 0) {
      // A database that does not answer wakes nobody: a request then ends with its own time.
      const newest = await readNewest().catch(() => new Map<number, number>());
      for (const { environment_id, after, wake } of waiting)
        if ((newest.get(environment_id) ?? 0) > after) wake();
      await delay(LOOK_MS);
    }
    is_looking = false;
  };

  return {
    async beyond({ environment_id, key_id }, after, wait_ms) {
      const count = of_key.get(key_id) ?? 0;
      if (count >= WAITING_MAX) throw rateLimited();
      of_key.set(key_id, count + 1);
      const over = new AbortController();
      const waiter = { environment_id, after, wake: () => over.abort() };
      waiting.add(waiter);
      void look();
      const signal = AbortSignal.any([over.signal, ended.signal]);
      await delay(wait_ms, undefined, { signal }).catch(() => undefined);
      waiting.delete(waiter);
      const remaining_count = of_key.get(key_id)! - 1;
      if (remaining_count === 0) of_key.delete(key_id);
      else of_key.set(key_id, remaining_count);
    },
    end: () => ended.abort(),
    has_ended: () => ended.signal.aborted,
  };
}
