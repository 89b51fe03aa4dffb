import type { ChangePage, ChangeType, FeedChange, ObjectType } from './change-types.ts';
import { TidemarkError } from './errors.ts';
import { memberOf } from './json.ts';
import { send, type Answer, type Connection } from './request.ts';
import { backOffMs, createPause, isTemporary } from './retry.ts';

/**
 * Which changes to follow: all by default. `types` are names such as `invoice.paid`, or all of an object such as
 * `invoice.*`.
 */
export type FollowOptions = {
  types?: readonly (ChangeType | `${ObjectType}.*`)[];
  /** The customer's `external_id` or its `cus_` id. */
  customer_id?: string;
  /** Ends the iteration, without an error. */
  signal?: AbortSignal;
};

const PAGE_CHANGES = 1000;
/** Time for which the API may hold an answer without changes. */
const WAIT_SECONDS = 30;
/** The API answers within WAIT_SECONDS and 10 s; the rest is for the way. */
const LIMIT_MS = (WAIT_SECONDS + 20) * 1000;
/** An API that stops answers early, and must not be asked in a tight loop. */
const EMPTY_LEAST_MS = 1000;

/**
 * The changes after the sequence `after`, in order and without a gap, then new ones as they happen, for ever; null
 * begins with the oldest one that is kept. Goes on after lost connections and restarts of the API. Throws a
 * TidemarkError if the API refuses the request: 400 (`details[0].reason` is `too_old` if changes after `after` are no
 * longer kept, `out_of_range` if there is no such sequence yet), 401.
 */
export async function* followChanges(
  connection: Connection,
  after: number | null,
  options: FollowOptions & { signal: AbortSignal },
): AsyncGenerator<FeedChange, void, undefined> {
  const { signal } = options;
  let place = after;
  while (!signal.aborted) {
    const asked_at = performance.now();
    const page = await nextPage(connection, pathOf(place, options), signal);
    for (const change of page?.data ?? []) {
      if (signal.aborted) return;
      yield change;
    }
    place = page?.next_after ?? place;
    const is_early = performance.now() - asked_at < EMPTY_LEAST_MS;
    if (page?.data.length === 0 && !page.has_more && is_early) await pauseFor(EMPTY_LEAST_MS, signal);
  }
}

/** The page of a path, however often it must be asked; null if the signal aborts. */
async function nextPage(
  connection: Connection,
  path: string,
  signal: AbortSignal,
): Promise<ChangePage | null> {
  for (let tries = 1; !signal.aborted; tries++) {
    const answer = await tryReading(connection, path, signal);
    if (answer !== null && !isTemporary(answer.status)) return pageOf(answer);
    await pauseFor(answer?.retry_after_ms ?? backOffMs(tries), signal);
  }
  return null;
}

/** The answer, or null if the connection was lost or the signal aborts. */
async function tryReading(connection: Connection, path: string, signal: AbortSignal): Promise<Answer | null> {
  try {
    return await send(connection, { path, limit_ms: LIMIT_MS, signal });
  } catch {
    return null;
  }
}

function pageOf({ status, body, request_id }: Answer): ChangePage {
  if (status === 200 && isPage(body)) return body;
  throw new TidemarkError(status, body, request_id);
}

/** Whether an answer is a page: something else than Tidemark may answer at a wrong address. */
function isPage(body: unknown): body is ChangePage {
  return Array.isArray(memberOf(body, 'data')) && typeof memberOf(body, 'next_after') === 'number';
}

function pathOf(after: number | null, { types, customer_id }: FollowOptions): string {
  const query = new URLSearchParams({ limit: `${PAGE_CHANGES}`, wait: `${WAIT_SECONDS}` });
  if (after !== null) query.set('after', `${after}`);
  if (types !== undefined) query.set('types', types.join(','));
  if (customer_id !== undefined) query.set('customer_id', customer_id);
  return `/v1/changes?${query}`;
}

/** Waits, at most until the signal aborts. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  const pause = createPause();
  signal.addEventListener('abort', pause.end);
  if (!signal.aborted) await pause.wait(ms, true);
  signal.removeEventListener('abort', pause.end);
}
