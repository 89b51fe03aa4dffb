import { readNewest } from '../db/feed/feed.ts';
import type { Pool } from '../db/connection/pool.ts';

const FRESH_MS = 200;

/** The newest number of an environment's feed, 0 before the first. */
export type Newest = (environment_id: number) => Promise<number>;

/** Reads the newest numbers at most every 200 ms, by one query for all that ask. */
export function createNewest(pool: Pool): Newest {
  let asked_at = -Infinity;
  let answer: Promise<ReadonlyMap<number, number>> = Promise.resolve(new Map());
  return async (environment_id) => {
    if (performance.now() - asked_at >= FRESH_MS) {
      asked_at = performance.now();
      answer = readNewest(pool);
    }
    return (await answer).get(environment_id) ?? 0;
  };
}
