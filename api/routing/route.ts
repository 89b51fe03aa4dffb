import type { Static, TSchema } from 'typebox';
import type { Act, Db } from '../../src/db/connection/pool.ts';
import type { ErrorCode } from '../../src/domain/money/errors.ts';
import type { EventBatch, UsageEvent } from '../../src/objects/event.ts';
import type { Caller, Deps } from '../http/deps.ts';

export type Request<Query, Body> = {
  deps: Deps;
  /** Writes events; only for the two routes that send them. */
  ingest: EventWriter;
  /**
   * A client inside a transaction for POST, PUT, PATCH, DELETE and a GET that `may_take_long`; the pool for any other
   * GET.
   */
  db: Db;
  caller: Caller;
  /** Path parameters by name, decoded, at most 255 characters. */
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  request_id: string;
  /** Settings of a transaction that the handler begins itself. */
  act: Act;
  /** The Idempotency-Key header of a POST or DELETE; null for none. serve.ts handles it, so few routes use it. */
  idempotency_key: string | null;
};

/** Stores the events of a body that is not yet validated. */
export type EventWriter = {
  postEvent: (caller: Caller, body: object) => Promise<EventResponse>;
  postBatch: (caller: Caller, body: object) => Promise<BatchResponse>;
};

export type EventResponse = RouteResponse<200 | 201, UsageEvent>;
export type BatchResponse = RouteResponse<201, EventBatch>;

type Status = 200 | 201 | 202;

export type RouteResponse<Code extends Status = Status, Content = object> = {
  status: Code;
  body: Content;
  /** Body of a retry with the same Idempotency-Key, where it is another one: a secret is shown once. */
  replayed_body?: Content;
  headers?: Readonly<Record<string, string>>;
  /** Runs after the commit; the response does not wait for it. */
  after_commit?: () => void;
};

/** Schemas of the response body by status. */
type Schemas = Readonly<Partial<Record<Status, TSchema>>>;

/**
 * A response of one of the statuses, with the body that its schema describes; any response, if the schemas are not
 * known.
 */
type ResponseOf<Responses extends Schemas> = Schemas extends Responses
  ? RouteResponse
  : {
      [Code in keyof Responses & Status]: Responses[Code] extends TSchema
        ? RouteResponse<Code, Static<Responses[Code]>>
        : never;
    }[keyof Responses & Status];

/** A request and its response, as the reference shows them. A test sends each one (test/api/http/examples.test.ts). */
export type Example = {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  status: Status;
  response: object;
};

/** Examples by the title that the reference shows. */
export type Examples = Readonly<Record<string, Example>>;

/** A condition on a body. A method's type, whose parameter is bivariant: routes of all schemas are in one list. */
type Condition<Body> = { isTrueOf(body: Body): boolean }['isTrueOf'];

/** One endpoint: its handler, the schemas that validate it, and its documentation. */
export type Route<
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Responses extends Schemas = Schemas,
> = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path in the form of OpenAPI: `/v1/customers/{id}`. */
  path: string;
  operation_id: string;
  tag: string;
  summary: string;
  /** Details for which the summary has no room, in Markdown. */
  description?: string;
  /** Query parameters, in the order of the reference. A route without this schema takes none. */
  query?: Query;
  body?: Body;
  /** True for a POST that acts, such as `/void`: a missing body is read as {}. */
  body_may_be_absent?: boolean;
  /** Type of a GET whose response body is a Buffer or a stream. All other routes respond with JSON. */
  media_type?:
    'message/rfc822' | 'application/pdf' | 'application/xml' | 'application/zip' | 'image/png' | 'text/csv';
  responses: Responses;
  examples?: Examples;
  /** Error codes of this route in addition to the ones that refusalsOf derives from its method and path. */
  refusals?: readonly ErrorCode[];
  /** True: live keys get a 404, whatever they send. */
  test_mode_only?: boolean;
  /**
   * True for dashboard sessions only: keys are refused, and the Idempotency-Key header is ignored, so that no response
   * is stored.
   */
  session_only?: boolean;
  /**
   * True for a POST whose response has a secret that nothing else must keep: the Idempotency-Key header is ignored, so
   * that a request that is sent again acts again.
   */
  keeps_no_response?: boolean;
  /** False if one request runs several transactions, or begins one later (readReport); `db` is then the pool. */
  transaction?: boolean;
  /**
   * Makes a bill or reads a report: its statements and its response have longer time limits. A GET reads in one
   * snapshot. Of some routes only requests with certain bodies do.
   */
  may_take_long?: boolean | Condition<Static<Body>>;
  // A method, whose parameter is bivariant: routes of all schemas are in one list.
  handle(request: Request<Static<Query>, Static<Body>>): Promise<ResponseOf<Responses>>;
};

/**
 * Whether the request may have an Idempotency-Key. A PATCH or PUT sent again has no second effect; a DELETE sent again
 * would get a 404.
 */
export function takesIdempotencyKey({
  method,
  keeps_no_response = false,
}: Pick<Route, 'method' | 'keeps_no_response'>): boolean {
  return (method === 'post' && !keeps_no_response) || method === 'delete';
}

/**
 * All error codes of a route. Its path gives not_found if it has an id or exists only in test mode; a POST or DELETE
 * gives conflict, because of its Idempotency-Key or the state of its object; `refusals` adds the rest.
 */
export function refusalsOf(route: Route): ErrorCode[] {
  const { path, test_mode_only, refusals = [] } = route;
  const codes = new Set<ErrorCode>(['invalid_request', 'unauthorized', ...refusals]);
  if (path.includes('{') || test_mode_only === true) codes.add('not_found');
  if (takesIdempotencyKey(route)) codes.add('conflict');
  return [...codes.add('rate_limited').add('internal_error')];
}

/**
 * Returns the definition unchanged. The compiler infers from the schemas the types of the handler's query and body, and
 * compares with them what it responds; `const` keeps the words of a response as they are written.
 */
export function route<
  Query extends TSchema,
  Body extends TSchema,
  Responses extends Schemas,
  const Response extends ResponseOf<Responses>,
>(
  definition: Omit<Route<Query, Body, Responses>, 'handle'> & {
    handle: (request: Request<Static<Query>, Static<Body>>) => Promise<Response>;
  },
): Route<Query, Body, Responses> {
  return definition;
}
