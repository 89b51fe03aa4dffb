import type { Json } from './api.ts';

const ATTEMPTS_MAX = 5;

/** Repeats a request that did not finish in time, as its error asks clients to: a busy machine bills more slowly than a request waits. */
export async function untilInTime<Answer extends { body: Json }>(
  request: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await request();
    const reason = answer.body?.error?.details?.[0]?.reason;
    if (reason !== 'not_in_time' || attempt === ATTEMPTS_MAX) return answer;
  }
}
