import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../db/event-list.ts';
import { ApiFailure, type Api } from './api.ts';
import type { List } from './output.ts';

const INTERVAL_MS = 1000;
const PAGE = 200;
/** Of one half of one look. */
const PAGES_MAX = 5;
const REMEMBERED_MAX = 20_000;

type Filter = { customer_id: string | undefined; event_name: string | undefined };
type Wanted = { filter: Filter; shown_first: number; signal: AbortSignal };

/**
 * The newest events by their timestamps, oldest first, then again and again those that came since, until the signal. The list that
 * is looked at is in the order of timestamps: an event that is stamped long before the newest ones is not noticed.
 */
export async function* newEvents(
  api: Api,
  { filter, shown_first, signal }: Wanted,
): AsyncGenerator<readonly Event[]> {
  const seen = new Set<string>();
  let followed_since: string | null = null;
  for (;;) {
    try {
      const { events, now } = await look({
        api,
        filter,
        seen,
        pages_max: followed_since === null ? 1 : PAGES_MAX,
        signal,
      });
      const since = followed_since;
      const shown =
        since === null
          ? events.slice(-shown_first)
          : // What a deeper page holds of before was there all the time.
            events.filter(({ id, created_at }) => !seen.has(id) && created_at >= since);
      remember(seen, events);
      followed_since ??= now;
      yield shown;
    } catch (error) {
      if (followed_since === null || !isPassing(error)) throw error;
      console.error(`${error.message}; trying again`);
    }
    await pause(INTERVAL_MS, undefined, { signal });
  }
}

/** A restart of the API, too many requests: it answers again soon. */
function isPassing(error: unknown): error is ApiFailure {
  if (!(error instanceof ApiFailure)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

type Look = {
  api: Api;
  filter: Filter;
  seen: ReadonlySet<string>;
  pages_max: number;
  signal: AbortSignal;
};
/** Events oldest first, and the API's clock. */
type Looked = { events: Event[]; now: string };

/** What is there before and after this moment: events of customers whose clock is ahead would hide all others from one look. */
async function look(asked: Look): Promise<Looked> {
  const boundary = new Date().toISOString();
  const past = await lookAtHalf(asked, { to: boundary });
  const ahead = await lookAtHalf(asked, { from: boundary });
  return { events: [...past.events, ...ahead.events], now: past.now };
}

/** Page by page, for as long as a page brings something new. */
async function lookAtHalf(asked: Look, half: { from: string } | { to: string }): Promise<Looked> {
  const { api, filter, seen, pages_max, signal } = asked;
  const events: Event[] = [];
  let now: string | null = null;
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const query = { ...filter, ...half, limit: PAGE, cursor };
    const { body, headers } = await api.call<List<Event>>('GET', '/v1/events', { query, signal });
    now ??= new Date(headers.get('date') ?? Date.now()).toISOString();
    events.push(...body.data);
    const is_last = body.next_cursor === null || body.data.every(({ id }) => seen.has(id));
    if (!is_last && pages === PAGES_MAX)
      console.error(`more than ${PAGES_MAX * PAGE} new events at once: not all are shown`);
    if (is_last || pages === pages_max) return { events: events.reverse(), now };
    cursor = body.next_cursor ?? undefined;
  }
}

/** What was seen again is forgotten last. */
function remember(seen: Set<string>, events: readonly Event[]): void {
  for (const { id } of events) {
    seen.delete(id);
    seen.add(id);
  }
  for (const id of seen) {
    if (seen.size <= REMEMBERED_MAX) return;
    seen.delete(id);
  }
}
