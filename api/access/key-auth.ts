import type { IncomingMessage } from 'node:http';
import { hasValidChecksum, hashOfKey } from '../../src/api-key.ts';
import { findKeyByHash, touchKey } from '../../src/db/account/api-keys.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import type { Caller } from '../http/deps.ts';
import { isNamed } from '../http/framing.ts';
import { hedged } from './hedged.ts';
import type { Find, CachedCredential } from './credentials.ts';
import type { Failures } from './failures.ts';

type Key = NonNullable<CachedCredential['key']>;

const TOUCHED_MS = 60_000;
const TOUCHED_MAX = 10_000;

/** Makes a function that returns the caller of a request by its API key: `Bearer`, one space, a valid key. Null for every fault. */
export function createKeyAuth(
  pool: Pool,
  find: Find,
  failures: Failures,
): (request: IncomingMessage) => Promise<Caller | null> {
  /** The time at which the last use of each key was recorded, in milliseconds of performance.now(); oldest first. */
  const touches = new Map<string, number>();
  /** Running key queries by key hash: simultaneous requests with the same key share one. */
  const lookups = new Map<string, Promise<Key | null>>();

  const keyOf = async (request: IncomingMessage, secret_hash: Buffer): Promise<Key | null> => {
    const hash = secret_hash.toString('hex');
    const { cached, is_fresh } = await find(hash);
    if (is_fresh) return cached?.key ?? null;
    if (cached === null && failures.areTooMany(request)) return null;
    const lookup =
      lookups.get(hash) ?? hedged(() => findKeyByHash(pool, secret_hash)).finally(() => lookups.delete(hash));
    lookups.set(hash, lookup);
    return lookup;
  };

  /** Whether to record the use of a key: at most once a minute. */
  const isTouchDue = ({ id }: Key): boolean => {
    const now = performance.now();
    if (now - (touches.get(id) ?? -Infinity) < TOUCHED_MS) return false;
    touches.delete(id);
    touches.set(id, now);
    if (touches.size > TOUCHED_MAX) touches.delete(touches.keys().next().value!);
    return true;
  };

  return async (request) => {
    const secret = bearerOf(request);
    if (secret === null || !hasValidChecksum(secret)) return null;
    const key = await keyOf(request, hashOfKey(secret));
    if (key === null) return null;
    const { id, environment_id, livemode, kind } = key;
    // Only for display: if the database cannot write, for example on a full disk, the key stays valid.
    if (isTouchDue(key)) await touchKey(pool, environment_id, id).catch(() => undefined);
    return { environment_id, livemode, kind, key_id: id };
  };
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
