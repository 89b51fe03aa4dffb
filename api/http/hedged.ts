import { isLate } from '../../src/late.ts';

const HEDGED_MS = 1500;
const TRIES_MAX = 4;

/**
 * The answer to a question of the pool that many wait for: where it takes long, because a connection is silent, it is asked again by
 * another one. Asking twice must do no harm.
 */
export async function hedged<Answer>(ask: () => Promise<Answer>, tries = TRIES_MAX): Promise<Answer> {
  const answer = ask();
  if (tries === 1 || !(await isLate(answer, HEDGED_MS))) return answer;
  return firstOf(answer, hedged(ask, tries - 1));
}

/** The first that succeeds; where neither does, the error of the first. */
async function firstOf<Answer>(first: Promise<Answer>, second: Promise<Answer>): Promise<Answer> {
  return Promise.any([first, second]).catch(() => first);
}
