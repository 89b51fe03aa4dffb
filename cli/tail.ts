import { setTimeout as pause } from 'node:timers/promises';
import type { UsageEvent } from '../src/objects/event.ts';
import type { List } from '../src/objects/parts.ts';
import { isPassing, type Api } from './api.ts';

const INTERVAL_MS = 1000;
const PAGE = 200;
/** Pages per half of one poll. */
const PAGES_MAX = 5;
const REMEMBERED_MAX = 20_000;

type Filter = { customer_id: string | undefined; event_name: string | undefined };
type Wanted = { filter: Filter; shown_first: number; signal: AbortSignal };

/**
 * Yields the events with the newest timestamps, oldest first, then polls for newer ones until the signal aborts. The
 * list is in the order of timestamps, so a poll misses an event stamped long before the newest ones.
 */
export async function* newEvents(
  api: Api,
  { filter, shown_first, signal }: Wanted,
): AsyncGenerator<readonly UsageEvent[]> {
  const seen = new Set<string>();
  const first = await poll({ api, filter, signal, isNew: () => true, pages_max: 1 });
  remember(seen, first.events);
  yield first.events.slice(-shown_first);
  // Deeper pages also hold events that were stored before the first poll: skip them.
  const isNew = ({ id, created_at }: UsageEvent) => !seen.has(id) && created_at >= first.now;
  for (;;) {
    await pause(INTERVAL_MS, undefined, { signal });
    try {
      const { events } = await poll({ api, filter, signal, isNew, pages_max: PAGES_MAX });
      const new_events = events.filter(isNew);
      remember(seen, events);
      yield new_events;
    } catch (error) {
      if (!isPassing(error)) throw error;
      console.error(`${error.message}; retrying`);
    }
  }
}

type Look = {
  api: Api;
  filter: Filter;
  signal: AbortSignal;
  isNew: (event: UsageEvent) => boolean;
  pages_max: number;
};
/** Events oldest first, and the API's clock. */
type Looked = { events: UsageEvent[]; now: string };

/**
 * Polls before and after this moment separately: otherwise events of customers whose test clock is ahead would fill the
 * pages.
 */
async function poll(look: Look): Promise<Looked> {
  const boundary = new Date().toISOString();
  const past = await pollHalf(look, { to: boundary });
  const ahead = await pollHalf(look, { from: boundary });
  return { events: [...past.events, ...ahead.events], now: past.now };
}

/** Reads page by page while a page contains a new event. */
async function pollHalf(look: Look, half: { from: string } | { to: string }): Promise<Looked> {
  const { api, filter, signal, isNew, pages_max } = look;
  const events: UsageEvent[] = [];
  let now: string | null = null;
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const query = { ...filter, ...half, limit: PAGE, cursor };
    const { body, headers } = await api.call<List<UsageEvent>>('GET', '/v1/events', { query, signal });
    now ??= new Date(headers.get('date') ?? Date.now()).toISOString();
    events.push(...body.data);
    const is_last = body.next_cursor === null || !body.data.some(isNew);
    if (!is_last && pages === PAGES_MAX)
      console.error(`more than ${PAGES_MAX * PAGE} new events at once; some events are not shown`);
    if (is_last || pages === pages_max) return { events: events.reverse(), now };
    cursor = body.next_cursor ?? undefined;
  }
}

/** Forgets the events first that were seen the longest ago. */
function remember(seen: Set<string>, events: readonly UsageEvent[]): void {
  for (const { id } of events) {
    seen.delete(id);
    seen.add(id);
  }
  for (const id of seen) {
    if (seen.size <= REMEMBERED_MAX) return;
    seen.delete(id);
  }
}
