import type { Static, TSchema } from 'typebox';
import type { Db } from '../../src/db/pool.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { Caller, Deps } from '../http/deps.ts';

export type Request<Query, Body> = {
  deps: Deps;
  /** A client inside a transaction for POST and PATCH, and where it may take long; the pool for GET. */
  db: Db;
  caller: Caller;
  /** Path parameters by name, decoded, at most 255 characters. */
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  request_id: string;
  /** The header of a POST that may be sent again; most routes need not know of it. */
  idempotency_key: string | null;
};

export type RouteResponse = {
  status: 200 | 201 | 202;
  body: object;
  headers?: Readonly<Record<string, string>>;
  /** Runs once the transaction is committed; the answer does not wait for it. */
  after_commit?: () => void;
};

/** A request and its answer, as the reference shows them. A test sends each one (test/api/examples.test.ts). */
export type Example = {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  status: RouteResponse['status'];
  response: object;
};

/** By what each one shows. */
export type Examples = Readonly<Record<string, Example>>;

/** One row of the interface: what serves it, what checks it and what documents it. */
export type Route<Query extends TSchema = TSchema, Body extends TSchema = TSchema> = {
  method: 'get' | 'post' | 'patch';
  /** As the reference prints it: `/v1/customers/{id}`. */
  path: string;
  operation_id: string;
  tag: string;
  summary: string;
  /** What a summary has no room for, in Markdown. */
  description?: string;
  /** Its members, in the order of the reference; a route without one takes no parameter. */
  query?: Query;
  body?: Body;
  /** A POST that acts may come without a body, which reads as {}. */
  body_may_be_absent?: boolean;
  /** Of a GET whose answers are bytes, as Buffer; all others answer JSON. */
  media_type?: 'application/pdf';
  /** Schema of the answer by status. */
  responses: Readonly<Partial<Record<RouteResponse['status'], TSchema>>>;
  examples?: Examples;
  /** Errors that it can give beside those that its method and its path bring along, `refusalsOf`. */
  refusals?: readonly ErrorCode[];
  /** Not there for live keys: 404 whatever they send. */
  test_mode_only?: boolean;
  /** Only for who is signed in to the dashboard: a key opens it not, and no answer of it is kept for being sent again. */
  session_only?: boolean;
  /** False where one request is several transactions; `db` is then the pool. */
  transaction?: boolean;
  /** It makes a bill or reads a report: neither its statements nor its answer have the limit of the others. A GET is one snapshot. */
  may_take_long?: boolean;
  handle: (request: Request<Static<Query>, Static<Body>>) => Promise<RouteResponse>;
};

/**
 * The errors that a route can give. Nothing is missing where no id is asked for, and only what a POST is sent twice for, or a
 * state, is a conflict.
 */
export function refusalsOf({ method, path, test_mode_only, refusals = [] }: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(['invalid_request', 'unauthorized', ...refusals]);
  if (path.includes('{') || test_mode_only === true) codes.add('not_found');
  if (method === 'post') codes.add('conflict');
  return [...codes.add('rate_limited').add('internal_error')];
}

/** Types a route's query and body by its own schemas. */
export function route<Query extends TSchema, Body extends TSchema>(
  definition: Route<Query, Body>,
): Route<Query, Body> {
  return definition;
}
