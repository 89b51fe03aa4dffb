import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from './at-end.ts';
import { postEvents, type Delivery } from './stripe-events.ts';
import { formOf } from './stripe-form.ts';
import { Refused, type Card } from './stripe-objects.ts';
import { stripeControls } from './stripe-controls.ts';
import { refundControls } from './stripe-refunds.ts';
import { answerTo, type Asked } from './stripe-routes.ts';
import { StripeState, type Behaviour, type Charge } from './stripe-state.ts';

const DAY_MS = 86_400_000;
export const TEST_KEY = 'sk_test_acme0000000000000000';
export const LIVE_KEY = 'sk_live_acme0000000000000000';
const ACCOUNT = 'acct_acme';

/** Fault of a request: done without an answer, held until the end, answered late or after `until`, or refused. */
export type Fault =
  | 'lose_answer'
  | 'hang'
  | { slow_ms: number }
  | { until: Promise<unknown> }
  | { status: number; error: object };

/** Outcome of a charge that is under way. */
export type Outcome = 'succeeds' | { declined: string };

/**
 * A Stripe on this machine with state: what it is asked, it does, once for each idempotency key within 24 hours. Its
 * events wait until `post`.
 */
export type StripeStandIn = ReturnType<typeof refundControls> & {
  url: string;
  state: StripeState;
  /** Requests that were done, the oldest first. */
  asked: Asked[];
  /** Faults of the next request whose `METHOD /path` matches; all others are as always. */
  faultNext: (match: RegExp, fault: Fault) => void;
  /** Ends each connection without an answer until `up`. */
  down: () => void;
  up: () => void;
  acceptKey: (key: string, account?: string) => void;
  refuseKey: (key: string) => void;
  /** Idempotency keys from now on are as old as this: Stripe drops them after 24 hours. */
  passTime: (ms: number) => void;
  /** The search finds all customers that there are. */
  index: () => void;
  /** A customer with a card; `card` has what it is charged with. */
  addMethod: (customer: string, behaviour?: Behaviour, card?: Partial<Card>) => string;
  behave: (method: string, behaviour: Behaviour) => void;
  /** Saves a card on a page; returns the method. */
  completePage: (reference_or_url: string, behaviour?: Behaviour, card?: Partial<Card>) => string;
  /** Pays an invoice on a page, as its payer does; returns the intent. One that is declined leaves the page open. */
  payPage: (reference_or_url: string, behaviour?: Behaviour, card?: Partial<Card>) => string;
  expirePage: (reference_or_url: string) => void;
  removeMethod: (method: string) => void;
  /** Ends a charge that is under way. */
  finish: (intent: string, outcome: Outcome) => void;
  chargesOf: (invoice_id: string) => Charge[];
  /** Posts the events that wait, signed, and returns the statuses of the answers. */
  post: (to: Delivery) => Promise<number[]>;
  close: () => Promise<void>;
};

type Kept = { asked: string; status: number; body: object; at: number };

export async function aStripe(): Promise<StripeStandIn> {
  const state = new StripeState();
  const asked: Asked[] = [];
  const keys = new Map([TEST_KEY, LIVE_KEY].map((key) => [key, ACCOUNT]));
  const kept = new Map<string, Kept>();
  const faults: { match: RegExp; fault: Fault }[] = [];
  let is_down = false;
  let passed_ms = 0;

  /** The answer, which is the first one again for a key that is known. */
  const answerOnce = (request: Asked, key: string): { status: number; body: object } => {
    const now = Date.now() + passed_ms;
    const text_of_request = JSON.stringify([request.method, request.path, request.form]);
    const before = request.idempotency_key === null ? undefined : kept.get(request.idempotency_key);
    if (before !== undefined && now - before.at < DAY_MS) {
      if (before.asked === text_of_request) return before;
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    asked.push(request);
    const answer = { ...answered(request, key), asked: text_of_request, at: now };
    if (request.idempotency_key !== null) kept.set(request.idempotency_key, answer);
    return answer;
  };

  const answered = (request: Asked, key: string): { status: number; body: object } => {
    try {
      const livemode = key.includes('_live_');
      const body = answerTo(request, { state, livemode, account: keys.get(key)! });
      return { status: 200, body: structuredClone(body) };
    } catch (error) {
      if (error instanceof Refused) return { status: error.status, body: error.body };
      throw error;
    }
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = askedIn(incoming, await text(incoming));
    if (is_down) return void response.destroy();
    const key = incoming.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!keys.has(key)) return send(response, 401, unknownKey(key));
    const place = faults.findIndex(({ match }) => match.test(`${request.method} ${request.path}`));
    const fault = place === -1 ? null : faults.splice(place, 1)[0]!.fault;
    if (fault === 'hang') return;
    if (fault !== null && typeof fault === 'object' && 'status' in fault)
      return send(response, fault.status, { error: fault.error });
    if (fault !== null && typeof fault === 'object' && 'slow_ms' in fault) await pause(fault.slow_ms);
    const { status, body } = answerOnce(request, key);
    if (fault !== null && typeof fault === 'object' && 'until' in fault) await fault.until;
    if (fault === 'lose_answer') return void response.destroy();
    send(response, status, body);
  };

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  atEnd(close);
  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    asked,
    faultNext: (match, fault) => void faults.push({ match, fault }),
    down: () => void (is_down = true),
    up: () => void (is_down = false),
    acceptKey: (key, account = ACCOUNT) => void keys.set(key, account),
    refuseKey: (key) => void keys.delete(key),
    passTime: (ms) => void (passed_ms += ms),
    ...stripeControls(state),
    ...refundControls(state),
    post: (to) => postEvents(state, to),
    close,
  };
}

function askedIn(incoming: IncomingMessage, body: string): Asked {
  const { pathname, search } = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  return {
    method: incoming.method ?? '',
    path: pathname,
    form: { ...formOf(search.slice(1)), ...formOf(body) },
    idempotency_key: headerOf(incoming, 'idempotency-key'),
    version: headerOf(incoming, 'stripe-version'),
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const { [name]: value } = headers;
  return typeof value === 'string' ? value : null;
}

function unknownKey(key: string): object {
  const message = `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`;
  return { error: { type: 'invalid_request_error', message } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_stand_in' });
  response.end(JSON.stringify(body));
}
