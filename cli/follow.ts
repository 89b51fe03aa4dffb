import { setTimeout as pause } from 'node:timers/promises';
import type { FeedChange, FeedPage } from '../web/src/api/objects.ts';
import { isPassing, type Api } from './api.ts';

/** Seconds for which the API holds an empty response. */
const WAIT_SECONDS = 25;
const RETRY_MS = 1000;

/** The number of the newest change, 0 before the first. */
export async function newestSequence(api: Api, signal: AbortSignal): Promise<number> {
  const { body } = await api.call<FeedPage>('GET', '/v1/changes', { query: { limit: 1 }, signal });
  return body.newest_sequence;
}

/**
 * Yields the changes after a number, page by page, and waits for more until the signal aborts; then it throws. Retries
 * while the API is away.
 */
export async function* changesAfter(
  api: Api,
  { after, types, signal }: { after: number; types: string | undefined; signal: AbortSignal },
): AsyncGenerator<{ changes: readonly FeedChange[]; next_after: number }> {
  for (let from = after; ;) {
    try {
      const query = { after: from, types, wait: WAIT_SECONDS, limit: 200 };
      const { body } = await api.call<FeedPage>('GET', '/v1/changes', { query, signal });
      from = body.next_after;
      yield { changes: body.data, next_after: from };
    } catch (error) {
      if (!isPassing(error)) throw error;
      console.error(`${error.message}; retrying`);
      await pause(RETRY_MS, undefined, { signal });
    }
  }
}
