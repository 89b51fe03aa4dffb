import { isPoolTimeout } from '../../src/db/connection/hosts.ts';
import { poolHealthOf } from '../../src/db/connection/pool-health.ts';
import { isUnavailable } from '../../src/db/connection/unavailable.ts';
import { BillingError, rateLimited, type ErrorCode, type Reason } from '../../src/domain/money/errors.ts';
import type { Deps } from './deps.ts';

/** HTTP status of each error code, defined only here (interface-spec.md 7). */
export const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  internal_error: 500,
} as const satisfies Record<ErrorCode, number>;

/** Message of an error without details. */
const MESSAGE: Record<ErrorCode, string> = {
  invalid_request: 'the request is malformed',
  unauthorized: 'the API key is missing or not valid',
  not_found: 'no resource was found at this address',
  conflict: 'the request conflicts with the current state',
  rate_limited: 'too many requests',
  internal_error:
    'the server could not process the request; you can safely retry it with the same idempotency key',
};

/** Longest text of a request that an error response repeats, in characters. */
const ECHO_MAX = 200;
const RETRY_AFTER_SECONDS = 1;

/** 404, the same for an unknown path, an unknown id, an id of another kind and an id of the other environment. */
export function notFoundError(): BillingError {
  return new BillingError('not_found', []);
}

/** 401, the same for every fault of a key, a session or a sign-in link. */
export function unauthorized(): BillingError {
  return new BillingError('unauthorized', []);
}

/** Body of every response that is not a 2xx (contract.md 1). */
export function errorBody(error: BillingError, request_id: string): object {
  const details = error.details.map((detail) => ({
    param: detail.param === null ? null : clipped(detail.param),
    reason: detail.reason,
    message: clipped(detail.message),
  }));
  const { code } = error;
  const { message, param } = details[0] ?? { message: MESSAGE[code], param: null };
  return { error: { code, message, param, details, request_id } };
}

/**
 * Turns anything thrown into the error that the caller sees. A BillingError stays; a timeout of the connection pool
 * becomes crowdedOut; a dependency that is down becomes a 500 with Retry-After; everything else becomes a 500 without
 * details.
 */
export function asBillingError(error: unknown, deps: Deps): BillingError {
  if (error instanceof BillingError) return error;
  if (isPoolTimeout(error)) return overloaded(deps);
  return isUnavailable(error) ? unavailable() : internal('internal', MESSAGE.internal_error, null);
}

/**
 * Error for a request that finds a queue or the connection pool full: 429, or 500 if the database has stopped
 * responding.
 */
export function overloaded({ config }: Deps): BillingError {
  const is_silent = config.database_url !== null && poolHealthOf(config.database_url).isSilent();
  return is_silent ? unavailable() : rateLimited();
}

function unavailable(): BillingError {
  return internal(
    'unavailable',
    'a service that the API depends on is unavailable; retry in a moment',
    RETRY_AFTER_SECONDS,
  );
}

function internal(reason: Reason, message: string, retry_after_seconds: number | null): BillingError {
  return new BillingError('internal_error', [{ param: null, reason, message }], retry_after_seconds);
}

/** Status, headers and JSON text of an error response. */
export function errorResponse(
  error: BillingError,
  request_id: string,
): { status: number; headers: Record<string, string>; text: string } {
  const text = JSON.stringify(errorBody(error, request_id));
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
  };
  if (error.code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer';
  if (error.retry_after_seconds !== null) headers['Retry-After'] = `${error.retry_after_seconds}`;
  return { status: STATUS[error.code], headers, text };
}

function clipped(text: string): string {
  // The cut may split a surrogate pair: drop its first half.
  return text.length <= ECHO_MAX ? text : `${text.slice(0, ECHO_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
