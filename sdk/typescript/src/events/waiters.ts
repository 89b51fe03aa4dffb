import type { TidemarkError } from '../errors.ts';

type Waiter = { before: number; resolve: () => void; reject: (error: TidemarkError) => void };

/** The promises of `flush`: each waits until the queue has no event with a number below its own. */
export type Waiters = {
  readonly count: number;
  /** A new promise; waits for the events with a number below `before`. */
  wait: (before: number) => Promise<void>;
  /**
   * Resolves the promises whose events are gone; `oldest` is the number of the oldest event, or undefined if there is
   * none.
   */
  settle: (oldest: number | undefined) => void;
  /** Rejects all promises. */
  reject: (error: TidemarkError) => void;
};

export function createWaiters(): Waiters {
  let waiting: readonly Waiter[] = [];
  return {
    get count() {
      return waiting.length;
    },
    wait: (before) =>
      new Promise((resolve, reject) => {
        waiting = [...waiting, { before, resolve, reject }];
      }),
    settle(oldest) {
      const isOver = ({ before }: Waiter) => oldest === undefined || oldest >= before;
      const over = waiting.filter(isOver);
      waiting = waiting.filter((waiter) => !isOver(waiter));
      for (const { resolve } of over) resolve();
    },
    reject(error) {
      const rejected = waiting;
      waiting = [];
      for (const { reject } of rejected) reject(error);
    },
  };
}
