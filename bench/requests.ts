import { randomUUID } from 'node:crypto';

/** A request whose bytes are built once; `renew` overwrites its events with the next ones before each sending. */
export type PreparedRequest = {
  readonly bytes: Buffer;
  /** Number of events in the request. */
  readonly events: number;
  /** False if there are no further events. */
  renew: () => boolean;
};

/** The number of the next event, which determines its key and its customer; null if there is none. */
export type Numbers = () => number | null;

type Headers = Record<string, string>;

export const CUSTOMERS = 5000;
export const BATCH_EVENTS = 1000;
export const PROPERTIES = { region: 'eu-central-1', endpoint: '/v1/search', status: 200, bytes: 18_234 };

const EVENT_NAMES = 10;
const CUSTOMER_DIGITS = 4;
const COUNTER_DIGITS = 12;
const CUSTOMER_MARK = 'customer-';
const KEY_MARK = '"idempotency_key":"';
/** Neighbouring events of a batch belong to customers far apart. */
const CUSTOMER_STRIDE = 2_741;

// Random per process, so that no two runs share a key: 24 characters, which the counter completes to the form of a UUID.
const KEY_PREFIX = randomUUID().slice(0, 24);
let counter = 0;

/** One timestamp for all events, so that a number always means the same event. */
const TIMESTAMP = new Date().toISOString();

const freshNumbers: Numbers = () => ++counter;

/** Reserves `count` unused numbers: `once` gives each once, `again` repeats them endlessly. */
export function fixedNumbers(count: number): { once: Numbers; again: Numbers } {
  const first = counter + 1;
  counter += count;
  let sent_count = 0;
  let repeated = 0;
  return {
    once: () => (sent_count < count ? first + sent_count++ : null),
    again: () => first + (repeated++ % count),
  };
}

/** The external id of the customer with this number, from 0 to CUSTOMERS - 1. */
export function customerId(number: number): string {
  return `${CUSTOMER_MARK}${String(number).padStart(CUSTOMER_DIGITS, '0')}`;
}

/** POST /v1/events with one event, about 250 bytes of JSON. */
export function singleRequest(headers: Headers): PreparedRequest {
  const { bytes, places } = prepare('/v1/events', headers, eventText(0));
  return { bytes, events: 1, renew: () => renew(bytes, places, freshNumbers) };
}

/** POST /v1/events/batch with a thousand events. */
export function batchRequest(headers: Headers, numbers = freshNumbers): PreparedRequest {
  const texts = Array.from({ length: BATCH_EVENTS }, (_, place) => eventText(place));
  const { bytes, places } = prepare('/v1/events/batch', headers, `{"events":[${texts.join(',')}]}`);
  return { bytes, events: BATCH_EVENTS, renew: () => renew(bytes, places, numbers) };
}

function eventText(place: number): string {
  return JSON.stringify({
    event_name: `api_call_${place % EVENT_NAMES}`,
    customer_id: customerId(0),
    idempotency_key: KEY_PREFIX + '0'.repeat(COUNTER_DIGITS),
    timestamp: TIMESTAMP,
    properties: PROPERTIES,
  });
}

/** Offsets of an event's number and of its customer's number. */
type EventPlace = { counter_at: number; customer_at: number };

function prepare(path: string, headers: Headers, body: string): { bytes: Buffer; places: EventPlace[] } {
  const all = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': body.length,
    ...headers,
  };
  const lines = [`POST ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  const customers_at = placesAfter(bytes, CUSTOMER_MARK);
  const keys_at = placesAfter(bytes, KEY_MARK);
  const places = keys_at.map((at, i) => ({
    counter_at: at + KEY_PREFIX.length,
    customer_at: customers_at[i]!,
  }));
  return { bytes, places };
}

function renew(bytes: Buffer, places: readonly EventPlace[], numbers: Numbers): boolean {
  for (const { counter_at, customer_at } of places) {
    const number = numbers();
    if (number === null) return false;
    writeDigits(bytes, counter_at, COUNTER_DIGITS, number);
    writeDigits(bytes, customer_at, CUSTOMER_DIGITS, (number * CUSTOMER_STRIDE) % CUSTOMERS);
  }
  return true;
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
