import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { atRate } from '../at-rate.ts';
import type { Api } from '../programs.ts';
import { numbersBelow } from '../waiting.ts';
import { createHistogram, type Histogram } from '../load-tests/histogram.ts';
import { openConnections, type Post } from './connections.ts';
import { untilItSucceeds, type Failures } from './persistence.ts';

/** The client's account of its events; each was sent until it was acknowledged. */
export type Sent = {
  events: number;
  /** Events that were sent again on purpose although they were acknowledged. */
  resent: number;
  /** Attempts that failed and were retried, with or without a response. */
  repeated: Failures;
  /** Due while too many requests were waiting, and never sent. */
  left_out: number;
  /** Keys whose response called a new event stored, or a stored event new. */
  contradictions: string[];
};

export type Sender = {
  sent: Sent;
  /** Durations since the last call. */
  takeDurations: () => Histogram;
  /** Sends requests of `events` events each at a steady rate; resolves when the time is over and every event is acknowledged. */
  offer: (how: { events: number; per_second: number; seconds: number }) => Promise<void>;
  close: () => Promise<void>;
};

type Acknowledged = { id: string; idempotency_key: string; is_new: boolean };

const WAITING_MAX = 2000;
/** Percentage of the requests that are sent again. */
const RESENT_PERCENT = 2;
/** How many acknowledged requests are kept as candidates for a resend. */
const REMEMBERED_MAX = 100_000;

/** A client of the API that logs its acknowledged events, JSON lines with id and idempotency_key. */
export function createSender(api: Api, { customers, log }: { customers: number; log: string }): Sender {
  const run = randomUUID();
  const file = createWriteStream(log);
  const connections = openConnections(api);
  const sent: Sent = { events: 0, resent: 0, repeated: new Map(), left_out: 0, contradictions: [] };
  let durations = createHistogram();
  let waiting = 0;

  /** The number determines the event, so that a resend is equal. */
  const eventOf = (number: number): object => ({
    event_name: `api_call_${number % 10}`,
    customer_id: `soak-${number % customers}`,
    idempotency_key: `${run}-${number}`,
    properties: { number, region: 'eu-central-1' },
  });

  async function send(numbers: readonly number[], is_resend: boolean): Promise<void> {
    const started_at = performance.now();
    const act = () => postEvents(connections.post, numbers.map(eventOf));
    const { result, tries } = await untilItSucceeds(act, sent.repeated);
    for (const { id, idempotency_key, is_new } of result) {
      file.write(`${JSON.stringify({ id, idempotency_key })}\n`);
      // After a retry either response is right: the lost one may have stored the event.
      if (is_new === is_resend && (is_resend || tries === 1)) sent.contradictions.push(idempotency_key);
    }
    durations.add(performance.now() - started_at);
  }

  return {
    sent,
    takeDurations() {
      const histogram = durations;
      durations = createHistogram();
      return histogram;
    },
    async offer({ events, per_second, seconds }) {
      const acknowledged: number[][] = [];
      const sending = new Set<Promise<void>>();
      const start = (numbers: number[], is_resend: boolean) => {
        waiting++;
        const promise = send(numbers, is_resend).finally(() => {
          waiting--;
          sending.delete(promise);
          if (acknowledged.length < REMEMBERED_MAX) acknowledged.push(numbers);
        });
        sending.add(promise);
      };
      await atRate({ per_second, seconds }, () => {
        const again = Math.random() * 100 < RESENT_PERCENT ? takeAny(acknowledged) : undefined;
        if (waiting >= WAITING_MAX) {
          sent.left_out++;
        } else if (again !== undefined) {
          sent.resent += again.length;
          start(again, true);
        } else {
          start(
            numbersBelow(events).map(() => ++sent.events),
            false,
          );
        }
      });
      await Promise.all(sending);
    },
    async close() {
      connections.close();
      file.end();
      await once(file, 'close');
    },
  };
}

/** Removes and returns a random element. */
function takeAny(from: number[][]): number[] | undefined {
  const at = Math.floor(Math.random() * from.length);
  const [numbers] = from.splice(at, 1);
  return numbers;
}

/** Throws with the status if the response is not 2xx. */
async function postEvents(post: Post, events: object[]): Promise<Acknowledged[]> {
  const is_single = events.length === 1;
  const { status, text } = is_single
    ? await post('/v1/events', events[0]!)
    : await post('/v1/events/batch', { events });
  if (status >= 300) throw new Error(`${status}`);
  if (is_single) return [{ ...JSON.parse(text), is_new: status === 201 }];
  const { events: answered }: { events: { id: string; idempotency_key: string; status: string }[] } =
    JSON.parse(text);
  return answered.map((event) => ({ ...event, is_new: event.status === 'created' }));
}
