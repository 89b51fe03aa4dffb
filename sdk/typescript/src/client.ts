import { randomUUID } from 'node:crypto';
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { followChanges, type FollowOptions } from './changes.ts';
import type { FeedChange } from './change-types.ts';
import { warnOfDropped } from './events/dropped.ts';
import type { DroppedEvent, TrackedEvent } from './events/queue.ts';
import { createSender } from './events/sender.ts';
import { paginate, type ListArguments, type ListItem, type ListPath } from './paginate.ts';
import type { Connection } from './request.ts';
import type { paths } from './schema.ts';
import { within } from './within.ts';

export type ClientOptions = {
  /** The address of the API, such as https://billing.example.com, without `/v1`. */
  baseUrl: string;
  /** A key of the test or of the live environment. An `events_only` key can track events, and nothing else. */
  apiKey: string;
  /** Gets the events that will not be stored, in order. Without it a warning of the process gives their number. */
  onDropped?: (dropped: DroppedEvent[]) => void;
  events?: {
    /** Events in a batch: 1 to 1,000, by default 1,000. */
    maxSize?: number;
    /** Milliseconds that an event waits for others: 0 to 60,000, by default 1,000. */
    maxWaitMs?: number;
  };
};

export type Client = Pick<FetchClient<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'> & {
  events: {
    /**
     * Queues an event and returns its idempotency key; sends it with others. Throws a TypeError if JSON cannot say the
     * event. The queue has at most 100,000 events and 64 MiB: a new event beyond goes to `onDropped`, with the reason
     * `queue_full`.
     */
    track: (event: TrackedEvent) => string;
  };
  /**
   * Sends the events that wait; resolves when they are stored or dropped, however long that takes. Rejects with a
   * TidemarkError if the API does not take events because of the key or the address; then they stay in the queue.
   */
  flush: () => Promise<void>;
  /**
   * Ends the client: ends its loops over changes, and flushes. If `flush` would reject, so does this, and the events go
   * to `onDropped`. Events that are tracked later go there too.
   */
  close: () => Promise<void>;
  /** The objects of a list, page by page. Throws a TidemarkError if the API refuses. */
  paginate: <Path extends ListPath>(
    path: Path,
    ...query: ListArguments<Path>
  ) => AsyncGenerator<ListItem<Path>, void, undefined>;
  changes: {
    /**
     * The changes after the sequence `after`, then new ones, for ever; null begins with the oldest. Throws a
     * TidemarkError on 400 and 401.
     */
    follow: (after: number | null, options?: FollowOptions) => AsyncGenerator<FeedChange, void, undefined>;
  };
};

const BATCH_EVENTS_MAX = 1000;
const WAIT_MS_MAX = 60_000;
const WAIT_MS = 1000;

/** A client of one environment, for the life of a process. Throws a TypeError for options that cannot be meant. */
export function createClient({ baseUrl, apiKey, onDropped, events = {} }: ClientOptions): Client {
  const connection: Connection = { base_url: addressOf(baseUrl), api_key: keyOf(apiKey) };
  const sender = createSender(connection, {
    max_size: within('events.maxSize', events.maxSize ?? BATCH_EVENTS_MAX, [1, BATCH_EVENTS_MAX]),
    max_wait_ms: within('events.maxWaitMs', events.maxWaitMs ?? WAIT_MS, [0, WAIT_MS_MAX]),
    onDropped: onDropped ?? warnOfDropped(),
  });
  const closing = new AbortController();
  const { GET, POST, PUT, PATCH, DELETE } = createFetchClient<paths>({
    baseUrl: connection.base_url,
    headers: { Authorization: `Bearer ${connection.api_key}` },
  });
  return {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE,
    events: {
      track(event) {
        const idempotency_key = event.idempotency_key ?? randomUUID();
        // It may be sent much later, in another billing period: it happened now.
        const timestamp = event.timestamp === undefined ? new Date().toISOString() : event.timestamp;
        sender.add(JSON.stringify({ ...event, idempotency_key, timestamp }));
        return idempotency_key;
      },
    },
    flush: sender.flush,
    close() {
      closing.abort();
      return sender.close();
    },
    paginate: (path, ...[query, parts]) => paginate(connection, path, query, parts),
    changes: {
      follow: (after, { signal, ...options } = {}) =>
        followChanges(connection, after, { ...options, signal: eitherOf(closing.signal, signal) }),
    },
  };
}

function eitherOf(closing: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? closing : AbortSignal.any([closing, signal]);
}

function addressOf(base_url: string): string {
  if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(base_url))
    throw new TypeError('baseUrl must be the http or https address of the API');
  return base_url.replace(/\/+$/, '');
}

function keyOf(api_key: string): string {
  // An empty one is an environment variable that is not set.
  if (typeof api_key !== 'string' || !/^[\x21-\x7e]+$/.test(api_key))
    throw new TypeError('apiKey must be an API key, such as tm_sk_test_...');
  return api_key;
}
