import { randomUUID } from 'node:crypto';

/** A request whose bytes are made once; before each sending its events get keys that nobody has used, and their customers. */
export type PreparedRequest = {
  readonly bytes: Buffer;
  /** Events in it. */
  readonly events: number;
  renew: () => void;
};

export const CUSTOMERS = 5000;
export const PROPERTIES = { region: 'eu-central-1', endpoint: '/v1/search', status: 200, bytes: 18_234 };

const EVENT_NAMES = 10;
const CUSTOMER_DIGITS = 4;
const COUNTER_DIGITS = 12;
const CUSTOMER_MARK = 'customer-';
const KEY_MARK = '"idempotency_key":"';
/** Neighbours in a batch are of customers far apart. */
const CUSTOMER_STRIDE = 2_741;

// Of this process: no two runs share a key. 24 characters; the counter fills it up to the shape of a UUID.
const KEY_PREFIX = randomUUID().slice(0, 24);
let counter = 0;

export function customerId(number: number): string {
  return `${CUSTOMER_MARK}${String(number).padStart(CUSTOMER_DIGITS, '0')}`;
}

/** POST /v1/events of one event, about 250 bytes of JSON. */
export function singleRequest(headers: Record<string, string>): PreparedRequest {
  return prepare('/v1/events', headers, eventText(0), 1);
}

/** POST /v1/events/batch of so many events. */
export function batchRequest(headers: Record<string, string>, events: number): PreparedRequest {
  const texts = Array.from({ length: events }, (_, place) => eventText(place));
  return prepare('/v1/events/batch', headers, `{"events":[${texts.join(',')}]}`, events);
}

function eventText(place: number): string {
  return JSON.stringify({
    event_name: `api_call_${place % EVENT_NAMES}`,
    customer_id: customerId(0),
    idempotency_key: KEY_PREFIX + '0'.repeat(COUNTER_DIGITS),
    timestamp: new Date().toISOString(),
    properties: PROPERTIES,
  });
}

function prepare(
  path: string,
  headers: Record<string, string>,
  body: string,
  events: number,
): PreparedRequest {
  const all = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': body.length,
    ...headers,
  };
  const lines = [`POST ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  const customers_at = placesAfter(bytes, CUSTOMER_MARK);
  const counters_at = placesAfter(bytes, KEY_MARK).map((at) => at + KEY_PREFIX.length);
  return {
    bytes,
    events,
    renew() {
      for (let i = 0; i < events; i++) {
        counter += 1;
        writeDigits(bytes, counters_at[i]!, COUNTER_DIGITS, counter);
        writeDigits(bytes, customers_at[i]!, CUSTOMER_DIGITS, (counter * CUSTOMER_STRIDE) % CUSTOMERS);
      }
    },
  };
}

function placesAfter(bytes: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
    places.push(at + mark.length);
  return places;
}

function writeDigits(bytes: Buffer, at: number, digits: number, value: number): void {
  let rest = value;
  for (let place = at + digits - 1; place >= at; place--) {
    bytes[place] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
