import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCustomerKeys } from '../../src/db/events/customer-keys.ts';
import { createPool, SHORT_STATEMENT_MS } from '../../src/db/connection/pool.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import type { Admission } from '../access/admission.ts';
import { permissionOf, refuseUnpermitted } from '../access/permissions.ts';
import { batchOf, postBatch } from './batch.ts';
import { BATCH_BYTES_MAX, BODY_BYTES_MAX, objectOf, receiveBody } from '../http/body.ts';
import { overloaded } from '../http/errors.ts';
import { BatchBody, EventBody } from './event-schemas.ts';
import { BatchObject, EventObject } from '../../src/objects/event.ts';
import * as examples from '../reference/examples/events.ts';
import { exchangeOf, writeError, writeResponse } from '../http/exchange.ts';
import { createGate } from '../../src/queues/gate.ts';
import { createResendMemory } from './resend-memory.ts';
import { queryParserOf } from '../schema/query.ts';
import { route, type EventWriter, type RouteResponse } from '../routing/route.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { createSingleWriter, postEvent, SINGLE_LIMITS } from './single.ts';
import type { Ingested } from './new-event.ts';

export type Ingest = EventWriter & {
  /**
   * Serves POST /v1/events and POST /v1/events/batch, before Koa. Returns false for any other request and leaves it
   * untouched.
   */
  handle: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Requests that wait to be stored, by the name of their queue. */
  waiting: Readonly<Record<'single' | 'batch', () => number>>;
  /** Resolves when no single event waits to be written. */
  drain: () => Promise<void>;
  /** Drains, then closes the database connections. */
  close: () => Promise<void>;
};

/**
 * Four batches are stored while others are parsed. On two processors three connections have 0.97 of the rate, eight the
 * same rate.
 */
const BATCH_CONNECTIONS = 4;
/**
 * A batch waits as raw bytes and is parsed when its turn comes: waiting objects, a thousand a batch, would cost memory
 * and time in each garbage collection. Two batches are parsed ahead of the connections. On a busy machine the last of
 * 14 waiting batches waits 0.5 s.
 */
const BATCH_LIMITS = { running_max: BATCH_CONNECTIONS + 2, waiting_max: 14, waiting_ms: 5000 };

/** Opens ingest with connection pools of its own; the caller must close it. Throws an Error without DATABASE_URL. */
export function openIngest(deps: Deps, admission: Admission, limits = SINGLE_LIMITS): Ingest {
  const { database_url } = deps.config;
  if (database_url === null) throw new Error('ingest needs a database: DATABASE_URL is not set');
  const how = { statement_ms: SHORT_STATEMENT_MS, by_index: true };
  // One connection, and spare ones for groups that overtake a group whose connection does not respond.
  const single_pool = createPool(database_url, 1 + limits.overtaken_max, how);
  const batch_pool = createPool(database_url, BATCH_CONNECTIONS, how);
  const refusal = () => overloaded(deps);
  const customers = createCustomerKeys();
  const writer = createSingleWriter(single_pool, customers, { limits, refusal });
  const batch_writer = { pool: batch_pool, customers, resend_memory: createResendMemory() };
  const batch_gate = createGate(BATCH_LIMITS, refusal);

  const post = (caller: Caller, body: object) => counted(deps, 1, postEvent(writer, caller, body));
  const postAll = async (caller: Caller, body: object) => {
    const events = batchOf(body);
    admission.chargeBatch(caller, events.length);
    return counted(deps, events.length, postBatch(batch_writer, caller, events));
  };
  const single: Operation = {
    bytes_max: BODY_BYTES_MAX,
    refuseIfFull: writer.refuseIfFull,
    // A single event is small: it is parsed at once and waits in the writer's queue.
    post: (caller, bytes) => post(caller, objectOf(bytes, 2)),
  };
  const batch: Operation = {
    bytes_max: BATCH_BYTES_MAX,
    refuseIfFull: batch_gate.refuseIfFull,
    post: (caller, bytes) => batch_gate.pass(() => postAll(caller, objectOf(bytes, 4))),
  };
  const operations = new Map([
    ['/v1/events', single],
    ['/v1/events/batch', batch],
  ]);
  return {
    handle(request, response) {
      if (request.method !== 'POST') return false;
      const { url = '' } = request;
      const query_at = url.indexOf('?');
      const path = query_at === -1 ? url : url.slice(0, query_at);
      const operation = operations.get(path);
      if (operation === undefined) return false;
      exchangeOf(response).route = path;
      const query = query_at === -1 ? '' : url.slice(query_at + 1);
      void serveIngest(admission, operation, { request, response, query });
      return true;
    },
    postEvent: post,
    postBatch: (caller, body) => batch_gate.pass(() => postAll(caller, body)),
    waiting: { single: writer.waiting, batch: batch_gate.waiting },
    drain: () => writer.drain(),
    async close() {
      await writer.drain();
      await Promise.all([single_pool.end(), batch_pool.end()]);
    },
  };
}

type Operation = {
  bytes_max: number;
  /** Refuses before the body is received. */
  refuseIfFull: () => void;
  /** Parses a body and stores its events, when it is its turn. */
  post: (caller: Caller, bytes: Buffer | null) => Promise<RouteResponse>;
};

const refuseParameters = queryParserOf(undefined);
/** Both routes need the same. */
const PERMISSION = permissionOf({ method: 'post', operation_id: 'createEvent', path: '/v1/events' });

/** Runs the same checks as serveRoute, in the same order, without Koa. Never throws. */
async function serveIngest(
  admission: Admission,
  { bytes_max, refuseIfFull, post }: Operation,
  exchange: { request: IncomingMessage; response: ServerResponse; query: string },
): Promise<void> {
  const { request, response, query } = exchange;
  try {
    const caller = await admission.admit(request, response);
    refuseUnpermitted(caller, PERMISSION);
    if (query !== '') refuseParameters(query);
    refuseIfFull();
    const received = receiveBody(response, bytes_max);
    const bytes = received instanceof Promise ? await received : received;
    const { status, headers, body } = await post(caller, bytes);
    writeResponse(response, {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
      text: JSON.stringify(body),
    });
  } catch (error) {
    writeError(response, error);
  }
}

/** Counts the events of a request as created, duplicate or refused. */
async function counted<Response>(
  deps: Deps,
  events: number,
  ingested: Promise<Ingested<Response>>,
): Promise<Response> {
  const counter = deps.metrics.events;
  try {
    const { response, created } = await ingested;
    if (created > 0) counter.inc({ outcome: 'created' }, created);
    if (created < events) counter.inc({ outcome: 'duplicate' }, events - created);
    return response;
  } catch (error) {
    const is_refusal = error instanceof BillingError && error.code !== 'rate_limited';
    if (is_refusal) counter.inc({ outcome: 'refused' }, events);
    throw error;
  }
}

/** Routes of the API reference. Koa could serve these routes too, with the same responses, but slower. */
export const ingestRoutes = [
  route({
    method: 'post',
    path: '/v1/events',
    operation_id: 'createEvent',
    tag: 'Events',
    summary: 'Ingest a single event',
    description:
      'If you send the same event again, the response is the stored event. A different event with the same key is a 409. ' +
      '`timestamp` may be any time in the past, and at most 24 hours in the future. The default is the current time.',
    body: EventBody,
    examples: examples.create,
    refusals: ['not_found'],
    responses: { 200: EventObject, 201: EventObject },
    transaction: false,
    handle: ({ ingest, caller, body }) => ingest.postEvent(caller, body),
  }),
  route({
    method: 'post',
    path: '/v1/events/batch',
    operation_id: 'createEvents',
    tag: 'Events',
    summary: 'Ingest up to 1,000 events: all events are stored, or none',
    description:
      'If one event is invalid, no event is stored, and `details` lists all invalid events. Events that were stored earlier count as duplicates.',
    body: BatchBody,
    examples: examples.createBatch,
    refusals: ['not_found'],
    responses: { 201: BatchObject },
    transaction: false,
    handle: ({ ingest, caller, body }) => ingest.postBatch(caller, body),
  }),
];
