import type { IncomingMessage } from 'node:http';
import { hasValidChecksum, hashOfKey } from '../../src/api-key.ts';
import { findKeyByHash, touchKey } from '../../src/db/account/api-keys.ts';
import { findOf, type Held } from './credentials.ts';
import { callerOfSession } from './session-auth.ts';
import { unauthorized } from '../http/errors.ts';
import { hedged } from '../http/hedged.ts';
import { isNamed } from '../http/framing.ts';
import { perDeps } from '../http/per-deps.ts';
import { countFailure, hasFailedTooOften } from './rate-limit.ts';
import type { Caller, Deps } from '../http/deps.ts';

type Key = NonNullable<Held['key']>;

const TOUCHED_MS = 60_000;
const TOUCHED_MAX = 10_000;

/** When the last use of each key was recorded, in milliseconds of performance.now(); oldest first. */
const lastUseRecordedOf = perDeps(() => new Map<string, number>());

/** Running key queries by key hash: simultaneous requests with the same key share one. */
const runningLookupsOf = perDeps(() => new Map<string, Promise<Key | null>>());

/**
 * Authenticates a request by its Authorization header (`Bearer`, one space, a valid key) or, without that header, by its dashboard
 * session. Throws unauthorized, the same for every fault, or rate_limited if the address has failed too often. A valid key or session
 * is never refused because of its address.
 */
export async function authenticate(request: IncomingMessage, deps: Deps): Promise<Caller> {
  const { authorization } = request.headers;
  const caller =
    authorization === undefined ? await callerOfSession(request, deps) : await bearer(request, deps);
  if (caller !== null) return caller;
  countFailure(request, deps);
  throw unauthorized();
}

async function bearer(request: IncomingMessage, deps: Deps): Promise<Caller | null> {
  const key = bearerOf(request);
  return key === null ? null : callerOf(request, deps, key);
}

/** The key in the Authorization header; null for none or two. Reads the raw headers, because Node drops the second of two. */
function bearerOf({ rawHeaders }: IncomingMessage): string | null {
  let header: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isNamed(rawHeaders[i]!, 'authorization')) continue;
    if (header !== null) return null;
    header = rawHeaders[i + 1]!;
  }
  return header === null ? null : (/^Bearer (\w+)$/i.exec(header)?.[1] ?? null);
}

async function callerOf(request: IncomingMessage, deps: Deps, secret: string): Promise<Caller | null> {
  if (!hasValidChecksum(secret)) return null;
  const key = await keyOf(request, deps, hashOfKey(secret));
  if (key === null) return null;
  await touch(deps, key);
  const { environment_id, livemode, kind } = key;
  return { environment_id, livemode, kind, key_id: key.id };
}

async function keyOf(request: IncomingMessage, deps: Deps, secret_hash: Buffer): Promise<Key | null> {
  const hash = secret_hash.toString('hex');
  const { held, is_sure } = await findOf(deps)(hash);
  if (is_sure) return held?.key ?? null;
  if (held === null && hasFailedTooOften(request, deps)) return null;
  const asked = runningLookupsOf(deps);
  const asking =
    asked.get(hash) ?? hedged(() => findKeyByHash(deps.pool, secret_hash)).finally(() => asked.delete(hash));
  asked.set(hash, asking);
  return asking;
}

/** Records in the database that a key is used, at most once a minute. */
async function touch(deps: Deps, { environment_id, id }: Key): Promise<void> {
  const touches = lastUseRecordedOf(deps);
  const now = performance.now();
  if (now - (touches.get(id) ?? -Infinity) < TOUCHED_MS) return;
  touches.delete(id);
  touches.set(id, now);
  if (touches.size > TOUCHED_MAX) touches.delete(touches.keys().next().value!);
  // Only for display: if the database cannot write, for example on a full disk, the key stays valid.
  await touchKey(deps.pool, environment_id, id).catch(() => undefined);
}
