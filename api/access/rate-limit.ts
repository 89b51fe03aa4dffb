import type { IncomingMessage, ServerResponse } from 'node:http';
import { takeUnits } from '../../src/db/account/rate-buckets.ts';
import { rateLimited } from '../../src/domain/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { clientAddressOf } from './client-address.ts';
import { createFailurePoints } from './failures.ts';
import { createKeyRateLimiter } from './key-rate-limiter.ts';
import { logOf } from '../http/log.ts';
import { perDeps } from '../http/per-deps.ts';
import type { Caller, Deps } from '../http/deps.ts';

/** Limit of one address at one process in 10 s: 100 invalid keys, cookies or sign-in links, or 1000 requests without any. */
const POINTS_MAX = 1000;
const WINDOW_MS = 10_000;
const FAILED_KEY_POINTS = 10;

const failuresOf = perDeps(() => createFailurePoints(WINDOW_MS));

/** Rate limiter by key, shared by all API processes; null for no limit. A full bucket holds the units of one second. */
const keyRateLimiterOf = perDeps((deps) => {
  const { pool, config } = deps;
  if (config.rate_limit === null) return null;
  const limit = { size: config.rate_limit, per_second: config.rate_limit };
  const warn = (error: unknown) => logOf(deps).warn({ error }, 'this process limits rates on its own');
  return createKeyRateLimiter(limit, (asked) => takeUnits(pool, limit, asked), warn);
});

/** Takes one unit of the caller's rate and sets the RateLimit headers. Throws rate_limited; a refused request takes no unit. */
export async function takeUnit(response: ServerResponse, caller: Caller, deps: Deps): Promise<void> {
  const limiter = keyRateLimiterOf(deps);
  if (limiter === null) return;
  const { is_taken, left, resets_in_ms } = await limiter.take(caller.key_id);
  const resets_in_seconds = secondsOf(resets_in_ms);
  const policy = `"default";q=${deps.config.rate_limit};w=1`;
  const rest = `"default";r=${Math.floor(left)};t=${resets_in_seconds}`;
  exchangeOf(response).headers.push('RateLimit-Policy', policy, 'RateLimit', rest);
  if (!is_taken) throw rateLimited(resets_in_seconds);
}

/** Charges a batch for its events at a hundredth of a unit each, less the unit of its admission; a batch costs at least 1 unit in all. */
export function chargeBatch(caller: Caller, events: number, deps: Deps): void {
  const units = events / 100 - 1;
  if (units > 0) keyRateLimiterOf(deps)?.owe(caller.key_id, units);
}

/** Counts a request with an invalid key or session, or with none. Throws rate_limited if its address has failed too often. */
export function countFailure(request: IncomingMessage, deps: Deps): void {
  const { authorization, cookie } = request.headers;
  count(request, deps, authorization === undefined && cookie === undefined ? 1 : FAILED_KEY_POINTS);
}

/** Counts a sign-in with an invalid link as an invalid key. Throws rate_limited if its address has failed too often. */
export function countFailedSignIn(request: IncomingMessage, deps: Deps): void {
  count(request, deps, FAILED_KEY_POINTS);
}

function count(request: IncomingMessage, deps: Deps, added: number): void {
  const { points, forgotten_in_ms } = failuresOf(deps).add(addressOf(request, deps), added);
  if (points > POINTS_MAX) throw rateLimited(secondsOf(forgotten_in_ms));
}

/** Whether an address has failed too often. Its unknown keys and sessions are then refused without a query. */
export function hasFailedTooOften(request: IncomingMessage, deps: Deps): boolean {
  return failuresOf(deps).pointsOf(addressOf(request, deps)) >= POINTS_MAX;
}

function addressOf({ socket, headers }: IncomingMessage, { config }: Deps): string {
  const forwarded = headers['x-forwarded-for'];
  const known = { socket: socket.remoteAddress ?? '', forwarded: forwarded?.toString() };
  return clientAddressOf(known, config.trusted_proxies);
}

/** Whole seconds, at least 1. Rounded up, so that a client that waits this long succeeds. */
function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
