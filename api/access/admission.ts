import type { IncomingMessage, ServerResponse } from 'node:http';
import { takeUnits } from '../../src/db/account/rate-buckets.ts';
import { rateLimited } from '../../src/domain/money/errors.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { unauthorized } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { createFind } from './credentials.ts';
import { createFailures } from './failures.ts';
import { createKeyAuth } from './key-auth.ts';
import { createKeyRateLimiter, type KeyRateLimiter, type Unit } from './key-rate-limiter.ts';
import { createSentKeys } from './sent-keys.ts';
import { createSessionAuth } from './session-auth.ts';

export type Admission = {
  /**
   * Runs the checks before every route, in the order of contract.md 1: authenticates the key or session, then takes one
   * unit of its rate, before the body is read. An Authorization header alone decides; only without one is the dashboard
   * session asked. Throws unauthorized, the same for every fault, and rate_limited. A valid key or session is never
   * refused because of its address. What the caller may do is decided later, once the route is known (permissions.ts).
   */
  admit: (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;
  /**
   * Charges a batch for its events at a hundredth of a unit each, less the unit of its admission; a batch costs at
   * least 1 unit in all.
   */
  chargeBatch: (caller: Caller, events: number) => void;
  /**
   * Counts a sign-in with an invalid link as an invalid key. Throws rate_limited if its address has failed too often.
   */
  countFailedSignIn: (request: IncomingMessage) => void;
};

/**
 * Makes the admission of one API. It holds its copy of the valid keys and sessions, the failures by address and the
 * rates by key.
 */
export function createAdmission(deps: Deps): Admission {
  const { pool, config, log } = deps;
  const failures = createFailures(config.trusted_proxies);
  const sent_keys = createSentKeys();
  const find = createFind(pool, {
    onReplaced: sent_keys.forget,
    warn: (error) =>
      log.warn({ error }, 'the API keys in force cannot be read: each key is looked up in the database'),
  });
  const callerOfKey = createKeyAuth(pool, find, failures, sent_keys);
  const callerOfSession = createSessionAuth(deps, find, failures);
  const limiter = createLimiter(deps);

  return {
    async admit(request, response) {
      const { authorization } = request.headers;
      const authentication = authorization === undefined ? callerOfSession(request) : callerOfKey(request);
      // Awaits only what is not known yet: each await costs an ingest request a turn of the queue.
      const caller = authentication instanceof Promise ? await authentication : authentication;
      if (caller === null) {
        failures.countRequest(request);
        throw unauthorized();
      }
      exchangeOf(response).key_id = caller.key_id;
      if (limiter !== null) {
        const unit = limiter.take(caller.key_id);
        noteUnit(response, unit instanceof Promise ? await unit : unit, limiter);
      }
      return caller;
    },
    chargeBatch(caller, events) {
      const units = events / 100 - 1;
      if (units > 0) limiter?.owe(caller.key_id, units);
    },
    countFailedSignIn: (request) => failures.countSignIn(request),
  };
}

type Limiter = KeyRateLimiter & { per_second: number };

/** Rate limiter by key, shared by all API processes; null for no limit. A full bucket holds the units of one second. */
function createLimiter({ pool, config, log }: Deps): Limiter | null {
  if (config.rate_limit === null) return null;
  const limit = { size: config.rate_limit, per_second: config.rate_limit };
  const warn = (error: unknown) =>
    log.warn({ error }, 'rate limits are not shared: this process limits rates on its own');
  return { ...createKeyRateLimiter(limit, (requests) => takeUnits(pool, limit, requests), warn), ...limit };
}

/** Sets the RateLimit headers. Throws rate_limited if no unit was taken. */
function noteUnit(response: ServerResponse, unit: Unit, { per_second }: Limiter): void {
  const { is_taken, left, resets_in_ms } = unit;
  // At least 1 and rounded up, so that a client that waits this long succeeds.
  const resets_in_seconds = Math.max(1, Math.ceil(resets_in_ms / 1000));
  const policy = `"default";q=${per_second};w=1`;
  const rest = `"default";r=${Math.floor(left)};t=${resets_in_seconds}`;
  exchangeOf(response).headers.push('RateLimit-Policy', policy, 'RateLimit', rest);
  if (!is_taken) throw rateLimited(resets_in_seconds);
}
