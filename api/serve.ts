import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { SavedResponse } from '../src/db/account/idempotency-keys.ts';
import { LONG_STATEMENT_MS, readOnly, transaction, type Db } from '../src/db/connection/pool.ts';
import { againIfNodeLost } from '../src/db/connection/unavailable.ts';
import { BillingError } from '../src/domain/money/errors.ts';
import { addressOf } from './access/client-address.ts';
import { routeForPayers } from './access/payer-view.ts';
import { permissionOf, refuseUnpermitted } from './access/permissions.ts';
import { confined } from './access/portal.ts';
import { BODY_BYTES_MAX, objectOf, receiveBody } from './http/body.ts';
import { notFoundError } from './http/errors.ts';
import { exchangeOf, LONG_RESPONSE_MS, startDeadline } from './http/exchange.ts';
import { fingerprintOf, idempotencyKeyOf, runOnce, type Keep, type Use } from './routing/idempotency.ts';
import { queryParserOf } from './schema/query.ts';
import {
  refusalsOf,
  takesIdempotencyKey,
  type RouteResponse,
  type Request,
  type Route,
} from './routing/route.ts';
import type { Api } from './compose.ts';
import { NOTHING } from '../src/objects/parts.ts';
import { responseFault, parserOf } from './schema/validation.ts';

export type ServeOptions = {
  /**
   * True in tests: checks each response against its route's schema, and the code of each refusal against `refusalsOf`
   * its route.
   */
  validate_responses?: boolean;
};

/** An authenticated, parsed and valid request. `use` identifies its retries; null without an Idempotency-Key. */
type Read = { request: Omit<Request<unknown, unknown>, 'db'>; use: Use | null };
type Reader = (ctx: RouterContext) => Promise<Read>;

/** Koa middleware that serves one route. It checks the request in the order of contract.md 1. */
export function serveRoute(api: Api, described: Route, options: ServeOptions): RouterMiddleware {
  const read = readerOf(api, described);
  const route = permissionOf(described).portal === null ? described : routeForPayers(described);
  if (route.media_type !== undefined)
    return serveBytes(api, { ...route, media_type: route.media_type }, read);
  return async (ctx) => {
    exchangeOf(ctx.res).route = route.path;
    const { request, use } = await read(ctx);
    const run = (keep?: Keep) => handleInTransaction(route, request, { ...options, keep });
    const outcome = use === null ? { fresh: await run() } : await runOnce(api.deps.pool, use, run);
    if ('replayed' in outcome) {
      ctx.set('Idempotent-Replayed', 'true');
      send(ctx, outcome.replayed);
    } else {
      const { response, saved } = outcome.fresh;
      ctx.set(response.headers ?? {});
      send(ctx, saved);
      response.after_commit?.();
    }
  };
}

/**
 * Serves a GET whose response is bytes or a stream of them: no response is stored for retries, and there is no schema
 * to check it against.
 */
function serveBytes(
  { deps }: Api,
  { path, media_type, handle }: Route & { media_type: string },
  read: Reader,
): RouterMiddleware {
  return async (ctx) => {
    exchangeOf(ctx.res).route = path;
    const { request } = await read(ctx);
    const { headers, body } = await handle({ ...request, db: deps.pool });
    ctx.type = media_type;
    ctx.set(headers ?? {});
    ctx.body = body;
  };
}

function readerOf({ deps, admission, ingest }: Api, route: Route): Reader {
  const { method, test_mode_only = false, session_only = false } = route;
  const { body_may_be_absent = route.body === undefined } = route;
  const permission = permissionOf(route);
  const parseQuery = queryParserOf(route.query);
  const parseBody = parserOf(route.body ?? NOTHING);
  return async (ctx) => {
    const { request_id } = exchangeOf(ctx.res);
    const caller = await admission.admit(ctx.req, ctx.res);
    if (test_mode_only && caller.livemode) throw notFoundError();
    const path_parameters = checkedParams(ctx);
    refuseUnpermitted(caller, permission);
    const parameters = { params: path_parameters, query: parseQuery(ctx.querystring) };
    const { params, query } = await confined(deps.pool, caller, permission.portal, parameters);
    const act = {
      actor: caller.actor_id,
      request_id,
      address: addressOf(ctx.req, deps.config.trusted_proxies),
    };
    const base = { deps, ingest, caller, params, query, request_id, act };
    const allow = (body: unknown) => {
      if (mayTakeLong(route, body)) startDeadline(ctx.res, LONG_RESPONSE_MS);
    };
    if (method === 'get') {
      allow({});
      return { request: { ...base, body: {}, idempotency_key: null }, use: null };
    }
    // The keys of an environment are of its staff: a payer neither takes one nor gets what was kept for it.
    const has_keys = takesIdempotencyKey(route) && !session_only && caller.customer === null;
    const key = has_keys ? idempotencyKeyOf(ctx.req) : null;
    const bytes = await receiveBody(ctx.res, BODY_BYTES_MAX);
    const object = bytes === null && body_may_be_absent ? {} : objectOf(bytes);
    const request = { ...base, body: parseBody(object), idempotency_key: key };
    allow(request.body);
    if (key === null) return { request, use: null };
    const fingerprint = fingerprintOf({ method, path: ctx.path, body: bytes });
    return { request, use: { environment_id: caller.environment_id, key, fingerprint } };
  };
}

function mayTakeLong({ may_take_long = false }: Route, body: unknown): boolean {
  return typeof may_take_long === 'function' ? may_take_long(body) : may_take_long;
}

/**
 * Path parameters. 404, without a query, for a bad escape, a control character or more than 255 characters: no id is
 * like that.
 */
function checkedParams({ path, params }: RouterContext): Readonly<Record<string, string>> {
  try {
    decodeURIComponent(path);
  } catch {
    throw notFoundError();
  }
  for (const value of Object.values(params))
    if (value.length > 255 || /\p{Cc}/u.test(value)) throw notFoundError();
  return params;
}

async function handleInTransaction(
  route: Route,
  request: Read['request'],
  { validate_responses, keep }: ServeOptions & { keep: Keep | undefined },
): Promise<{ response: RouteResponse; saved: SavedResponse }> {
  const handle = async (db: Db) => {
    const response = await route.handle({ ...request, db }).catch((error) => {
      if (validate_responses === true) checkRefusal(route, error);
      throw error;
    });
    if (validate_responses === true) checkResponse(route, response);
    const saved = savedResponseOf(response);
    // A 202 is not kept, so that a retry gets the result.
    if (response.status !== 202)
      await keep?.(db, savedResponseOf({ ...response, body: response.replayed_body ?? response.body }));
    return { response, saved };
  };
  const { pool } = request.deps;
  const { method } = route;
  const may_take_long = mayTakeLong(route, request.body);
  if (route.transaction === false) return handle(pool);
  const patience = may_take_long ? { statement_ms: LONG_STATEMENT_MS } : {};
  if (method !== 'get') return transaction(pool, handle, { ...patience, act: request.act });
  return may_take_long ? readOnly(pool, handle, patience) : againIfNodeLost(() => handle(pool));
}

function savedResponseOf({ status, headers, body }: RouteResponse): SavedResponse {
  return { status, location: headers?.Location ?? null, body: JSON.stringify(body) };
}

function send(ctx: RouterContext, { status, location, body }: SavedResponse): void {
  ctx.status = status;
  if (location !== null) ctx.set('Location', location);
  ctx.type = 'application/json';
  ctx.body = body;
}

function checkRefusal(route: Route, error: unknown): void {
  if (!(error instanceof BillingError) || refusalsOf(route).includes(error.code)) return;
  throw new Error(`${route.operation_id} refused with ${error.code}, which the reference does not say`, {
    cause: error,
  });
}

function checkResponse({ operation_id, responses }: Route, { status, body }: RouteResponse): void {
  const schema = responses[status];
  if (schema === undefined) throw new Error(`${operation_id} has no schema for ${status}`);
  const fault = responseFault(schema, body);
  if (fault !== null) throw new Error(`${operation_id} answered ${status} with another shape: ${fault}`);
}
