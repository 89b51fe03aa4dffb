import { isStillRunning } from '../../src/process/still-running.ts';

const HEDGED_MS = 1500;
const TRIES_MAX = 4;

/**
 * Hedged query, for results that many requests wait for: if there is no result after HEDGED_MS, because a connection
 * does not respond, it sends the query again on another connection and takes the first result. The query must be safe
 * to run twice.
 */
export async function hedged<Result>(ask: () => Promise<Result>, tries = TRIES_MAX): Promise<Result> {
  const answer = ask();
  if (tries === 1 || !(await isStillRunning(answer, HEDGED_MS))) return answer;
  return firstOf(answer, hedged(ask, tries - 1));
}

/** The result of whichever succeeds first; if both fail, the error of `first`. */
async function firstOf<Result>(first: Promise<Result>, second: Promise<Result>): Promise<Result> {
  return Promise.any([first, second]).catch(() => first);
}
