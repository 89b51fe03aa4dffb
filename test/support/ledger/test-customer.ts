import assert from 'node:assert/strict';
import { send, type Json, type Received, type Sent } from '../servers/api.ts';
import type { Stack } from '../servers/stack.ts';
import { untilInTime } from '../servers/until-in-time.ts';

// A future year that one advance of the test clock can reach; the year after a leap year, so that February has 28 days.
const YEAR = nextYearAfterLeapYear();

function nextYearAfterLeapYear(): number {
  let year = new Date().getUTCFullYear() + 1;
  while (year % 4 !== 1) year++;
  return year;
}

/** An instant in the test year: `at('01-31')` is midnight, `at('01-31T12:00', 3)` is three years later, in a leap year. */
export function at(text: string, years = 0): string {
  return new Date(`${YEAR + years}-${text.includes('T') ? text : `${text}T00:00`}Z`).toISOString();
}

/** The instant this many milliseconds later. */
export function later(instant: string, milliseconds: number): string {
  return new Date(Date.parse(instant) + milliseconds).toISOString();
}

export type Use = { timestamp?: string; event_name?: string; properties?: object };

type Request = (path: string, sent?: Sent) => Promise<Received>;

/** Sends requests to a stack, by default with the test key. */
export function requestsTo(stack: () => Pick<Stack, 'api_url' | 'test_key'>): Request {
  return (path, sent = {}) => send(stack().api_url + path, { key: stack().test_key, ...sent });
}

/** Actions of a test customer over HTTP. Each throws unless it succeeds, except `get` and `post`, which return the response. */
export function testCustomersOn(request: Request) {
  let made = 0;
  const get = (path: string, sent: Sent = {}): Promise<Received> => request(path, sent);
  const post = (path: string, body?: object, sent: Sent = {}): Promise<Received> =>
    request(path, { method: 'POST', body: body ?? {}, ...sent });
  const read = async (path: string): Promise<Json> => succeeded(await get(path), path);
  const done = async (path: string, body?: object): Promise<Json> =>
    succeeded(await untilInTime(() => post(path, body)), path);
  const advance = async (customer_id: string, to: string, options: object = {}): Promise<Json[]> =>
    (await done('/v1/test-clock/advance', { customer_id, to, ...options })).invoices;
  return {
    get,
    post,
    read,
    done,
    /** `clock` is the customer's time: the first of January of the test year by default, null for real time. */
    customer: async (parts: object = {}, clock: string | null = at('01-01')): Promise<string> => {
      const external_id = `customer-${++made}`;
      await done('/v1/customers', { external_id, ...parts });
      if (clock !== null) await advance(external_id, clock);
      return external_id;
    },
    /** Monthly by default. */
    plan: async (charges: readonly object[], parts: object = {}): Promise<string> =>
      (await done('/v1/pricing-plans', { name: 'Plan', charges, ...parts })).id,
    subscribe: (customer_id: string, plan_id: string, dates: object = {}): Promise<Json> =>
      done('/v1/subscriptions', { customer_id, plan_id, ...dates }),
    use: (customer_id: string, events: readonly Use[]): Promise<Json> =>
      done('/v1/events/batch', {
        events: events.map((event) => ({
          event_name: 'api_call',
          customer_id,
          idempotency_key: `event-${++made}`,
          ...event,
        })),
      }),
    grant: (customer_id: string, amount: number, options: object = {}): Promise<Json> =>
      done('/v1/credit-grants', { customer_id, amount, ...options }),
    /** Returns the invoices that the advance made. */
    advance,
  };
}

function succeeded({ status, body }: Received, path: string): Json {
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** `count` equal events. */
export function times(count: number, event: Use): Use[] {
  return Array.from({ length: count }, () => event);
}

export const FLAT = { event_name: 'platform', pricing_model: 'flat', flat_amount: '49.00' };
export const PER_UNIT = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' };

/** Collection of an invoice that nobody has charged. */
export const NOT_COLLECTED = { status: 'none', attempts: 0, next_attempt_at: null, workflow_id: null };
