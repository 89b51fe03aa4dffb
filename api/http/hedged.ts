import { isLate } from '../../src/late.ts';

const HEDGED_MS = 1500;
const TRIES_MAX = 4;

/**
 * The answer to a question of the pool that many wait for: where it takes long, because a connection is silent, it is asked again by
 * another one. Asking twice must do no harm.
 */
export async function hedged<Result>(ask: () => Promise<Result>, tries = TRIES_MAX): Promise<Result> {
  const answer = ask();
  if (tries === 1 || !(await isLate(answer, HEDGED_MS))) return answer;
  return firstOf(answer, hedged(ask, tries - 1));
}

/** The first that succeeds; where neither does, the error of the first. */
async function firstOf<Result>(first: Promise<Result>, second: Promise<Result>): Promise<Result> {
  return Promise.any([first, second]).catch(() => first);
}
