import type { IncomingMessage } from 'node:http';
import { hasValidChecksum, hashOfKey } from '../../src/api-key.ts';
import { findKeyByHash, touchKey } from '../../src/db/account/api-keys.ts';
import { callerOfSession, hasSession } from './session-auth.ts';
import { unauthorized } from '../http/errors.ts';
import { isNamed } from '../http/framing.ts';
import { perDeps } from '../http/per-deps.ts';
import { countFailure, isBarred } from './rate-limit.ts';
import type { Caller, Deps } from '../http/deps.ts';

/** A revoked key is refused within 5 s (contract.md 9). */
const CACHED_MS = 2000;
const CACHED_MAX = 10_000;
const TOUCHED_MS = 60_000;

/** Keys as they are sent, least recently looked up first. Those that are unknown are not kept. */
type KnownKeys = Map<string, { caller: Promise<Caller | null>; fresh_until: number }>;

const knownKeysOf = perDeps((): KnownKeys => new Map());

/**
 * Who sends a request, by its Authorization header: `Bearer`, one space, a key that is in force; or, without that header, by the
 * dashboard's session. Throws unauthorized, the same for every fault, or rate_limited for an address that failed too often.
 */
export async function authenticate(request: IncomingMessage, deps: Deps): Promise<Caller> {
  const caller = hasSession(request) ? await signedIn(request, deps) : await bearer(request, deps);
  if (caller !== null) return caller;
  await countFailure(request, deps);
  throw unauthorized();
}

async function signedIn(request: IncomingMessage, deps: Deps): Promise<Caller | null> {
  return (await isBarred(request, deps)) ? null : callerOfSession(request, deps);
}

async function bearer(request: IncomingMessage, deps: Deps): Promise<Caller | null> {
  const key = bearerOf(request);
  return key === null ? null : callerOf(request, deps, key);
}

/** From the raw headers, because Node keeps the first of two. */
function bearerOf({ rawHeaders }: IncomingMessage): string | null {
  let header: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isNamed(rawHeaders[i]!, 'authorization')) continue;
    if (header !== null) return null;
    header = rawHeaders[i + 1]!;
  }
  return header === null ? null : (/^Bearer (\w+)$/i.exec(header)?.[1] ?? null);
}

async function callerOf(request: IncomingMessage, deps: Deps, key: string): Promise<Caller | null> {
  const known = knownKeysOf(deps);
  const kept = known.get(key);
  if (kept !== undefined && kept.fresh_until > Date.now()) return kept.caller;
  if (!hasValidChecksum(key)) return null;
  if (kept === undefined && (await isBarred(request, deps))) return null;
  // The promise is kept and not its result: requests that come meanwhile wait for the same query.
  const caller = lookUp(deps, hashOfKey(key));
  known.delete(key);
  known.set(key, { caller, fresh_until: Date.now() + CACHED_MS });
  if (known.size > CACHED_MAX) known.delete(known.keys().next().value!);
  const forget = () => {
    if (known.get(key)?.caller === caller) known.delete(key);
  };
  caller.then((found) => found ?? forget(), forget);
  return caller;
}

async function lookUp(deps: Deps, secret_hash: Buffer): Promise<Caller | null> {
  const key = await findKeyByHash(deps.pool, secret_hash);
  if (key === null) return null;
  const { environment_id, livemode, kind, last_used_at } = key;
  if (last_used_at === null || Date.parse(last_used_at) < Date.now() - TOUCHED_MS)
    await touchKey(deps.pool, environment_id, key.id);
  return { environment_id, livemode, kind, key_id: key.id };
}
