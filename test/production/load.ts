import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** The results of the clients of a run. */
export type Tally = {
  requests: number;
  /** A line for each request without a 2xx answer. */
  failed: string[];
  /** Events that were acknowledged. */
  events: number;
};

export type Load = {
  tally: Tally;
  /** Lets the running requests end. */
  stop: () => Promise<void>;
};

const CLIENTS = 16;
const PAUSE_MS = 5;
const BATCH_EVENTS = 20;

type Place = { url: string; key: string; customer_id: string; run: string };
type Asked = { path: string; body?: object; events: number };

/** Clients that send events, batches, customers and reads, one request after the other, each on a connection that it keeps. */
export function startLoad(place: Place): Load {
  const tally: Tally = { requests: 0, failed: [], events: 0 };
  const stopping = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    runClient(place, client, tally, stopping.signal),
  );
  return {
    tally,
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

async function runClient(place: Place, client: number, tally: Tally, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let number = 0; !signal.aborted; number++) {
    const asked = askedBy(place, client, number);
    const fault = await faultOf(place, asked, agent);
    tally.requests++;
    if (fault === null) tally.events += asked.events;
    else tally.failed.push(`${new Date().toISOString()} ${asked.path}: ${fault}`);
    await pause(PAUSE_MS);
  }
  agent.destroy();
}

function askedBy({ customer_id, run }: Place, client: number, number: number): Asked {
  const event = (part: number) => ({
    event_name: 'call',
    customer_id,
    idempotency_key: `${run}-${client}-${number}-${part}`,
  });
  switch (number % 4) {
    case 0:
      return { path: '/v1/customers?limit=10', events: 0 };
    case 1: {
      const events = Array.from({ length: BATCH_EVENTS }, (_, part) => event(part));
      return { path: '/v1/events/batch', body: { events }, events: BATCH_EVENTS };
    }
    case 2:
      // Not an event: nginx sends it again because of its Idempotency-Key.
      return { path: '/v1/customers', body: { external_id: `${run}-${client}-${number}` }, events: 0 };
    default:
      return { path: '/v1/events', body: event(0), events: 1 };
  }
}

/** Null for a 2xx answer, else what came instead. */
function faultOf({ url, key }: Place, { path, body }: Asked, agent: Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(path === '/v1/customers' ? { 'Idempotency-Key': randomUUID() } : {}),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const asking = request(url + path, { method, headers, agent }, (answer) => {
      const is_good = answer.statusCode! >= 200 && answer.statusCode! < 300;
      text(answer).then(
        (read) => resolve(is_good ? null : `${answer.statusCode} ${read.slice(0, 200)}`),
        (error: Error) => resolve(error.message),
      );
    });
    asking.on('error', (error) => resolve(error.message));
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
