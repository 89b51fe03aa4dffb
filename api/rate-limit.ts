import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BillingError } from '../src/domain/errors.ts';
import { perDeps } from './per-deps.ts';
import type { Caller, Deps } from './route.ts';

const WINDOW_SECONDS = 1;
/** By address: 100 keys that fail, or 1000 requests that bring none, in 10 s. */
const FAILURES = { points: 1000, duration: 10 };
const FAILED_KEY_POINTS = 10;

/** Requests by key, null for no limit; failures by address. */
const limitersOf = perDeps(({ config }) => ({
  requests:
    config.rate_limit === null
      ? null
      : new RateLimiterMemory({ points: config.rate_limit, duration: WINDOW_SECONDS }),
  failures: new RateLimiterMemory(FAILURES),
}));

/** Takes one unit of the key's rate and writes the RateLimit headers. Throws rate_limited. */
export async function takeUnit(response: ServerResponse, caller: Caller, deps: Deps): Promise<void> {
  const { requests } = limitersOf(deps);
  if (requests === null) return;
  response.setHeader('RateLimit-Policy', `"default";q=${requests.points};w=${WINDOW_SECONDS}`);
  try {
    const state = await requests.consume(caller.key_id);
    response.setHeader('RateLimit', `"default";r=${Math.floor(state.remainingPoints)};t=${secondsOf(state)}`);
  } catch (state) {
    if (!(state instanceof RateLimiterRes)) throw state;
    // A refused request costs nothing: otherwise debt would grow by asking.
    await requests.reward(caller.key_id);
    response.setHeader('RateLimit', `"default";r=0;t=${secondsOf(state)}`);
    throw tooMany(state);
  }
}

/**
 * What a batch costs beyond its first unit: its events at a hundredth each, at least 1 in all. What goes beyond the rate is
 * owed: the window stretches until the rate has paid for it, and the requests after it wait.
 */
export async function chargeDebt(caller: Caller, events: number, deps: Deps): Promise<void> {
  const { requests } = limitersOf(deps);
  const units = events / 100 - 1;
  if (requests === null || units <= 0) return;
  const { consumedPoints } = await requests.penalty(caller.key_id, units);
  if (consumedPoints > requests.points)
    await requests.set(caller.key_id, consumedPoints, (consumedPoints / requests.points) * WINDOW_SECONDS);
}

/** Counts a request whose key failed, or that has none. Throws rate_limited when its address has failed too often. */
export async function countFailure(request: IncomingMessage, deps: Deps): Promise<void> {
  const { failures } = limitersOf(deps);
  const points = request.headers.authorization === undefined ? 1 : FAILED_KEY_POINTS;
  const state = await failures.penalty(addressOf(request), points);
  if (state.consumedPoints > failures.points) throw tooMany(state);
}

/** Whether an address has failed too often: then a key that nobody knows is not looked up. */
export async function isBarred(request: IncomingMessage, deps: Deps): Promise<boolean> {
  const { failures } = limitersOf(deps);
  const state = await failures.get(addressOf(request));
  return state !== null && state.consumedPoints >= failures.points;
}

/** Of the socket: a header would be the client's own word. */
function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? '';
}

function tooMany(state: RateLimiterRes): BillingError {
  return new BillingError('rate_limited', [], secondsOf(state));
}

/** Rounded up, so that who waits so long succeeds. */
function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
