import type { IncomingMessage } from 'node:http';
import { hasValidChecksum, hashOfKey, isPortalToken } from '../../src/keys/api-key.ts';
import { findKeyByHash, touchKey } from '../../src/db/account/api-keys.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import type { Caller } from '../http/deps.ts';
import { isNamed } from '../http/framing.ts';
import { hedged } from './hedged.ts';
import type { Find, CachedCredential } from './credentials.ts';
import type { Failures } from './failures.ts';
import { createPortalAuth } from './portal-auth.ts';
import type { SentKeys } from './sent-keys.ts';

type Key = NonNullable<CachedCredential['key']>;

const TOUCHED_MS = 60_000;
const TOUCHED_MAX = 10_000;

/**
 * Returns the caller of a request by its API key or portal link: `Bearer`, one space, a valid one; at once if the
 * answer is known. Null for every fault.
 */
export type KeyAuth = (request: IncomingMessage) => Caller | null | Promise<Caller | null>;

/** Makes a KeyAuth. `sent_keys` must be forgotten whenever `find` replaces what it cached. */
export function createKeyAuth(pool: Pool, find: Find, failures: Failures, sent_keys: SentKeys): KeyAuth {
  /** The time at which the last use of each key was recorded, in milliseconds of performance.now(); oldest first. */
  const touches = new Map<string, number>();
  /** Running key queries by key hash: simultaneous requests with the same key share one. */
  const lookups = new Map<string, Promise<Key | null>>();

  const callerOfPortal = createPortalAuth(pool, find, failures);

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
  const isTouchDue = ({ id }: Key): boolean =>
    performance.now() - (touches.get(id) ?? -Infinity) >= TOUCHED_MS;

  const touch = async ({ id, environment_id }: Key): Promise<void> => {
    touches.delete(id);
    touches.set(id, performance.now());
    if (touches.size > TOUCHED_MAX) touches.delete(touches.keys().next().value!);
    // Only for display: if the database cannot write, for example on a full disk, the key stays valid.
    await touchKey(pool, environment_id, id).catch(() => undefined);
  };

  /** The key of a header that its connection sent before; null if it must be looked up. */
  const knownKeyOf = ({ socket }: IncomingMessage, header: string): Key | null => {
    const hash = sent_keys.hashOf(socket, header);
    return hash === null ? null : (find.known(hash)?.cached.key ?? null);
  };

  const lookUp = async (request: IncomingMessage, header: string): Promise<Caller | null> => {
    const secret = secretOf(header);
    if (secret === null) return null;
    if (isPortalToken(secret)) return callerOfPortal(request, secret);
    if (!hasValidChecksum(secret)) return null;
    const secret_hash = hashOfKey(secret);
    const key = await keyOf(request, secret_hash);
    if (key === null) return null;
    if (isTouchDue(key)) await touch(key);
    const hash = secret_hash.toString('hex');
    const known = find.known(hash);
    if (known !== null) sent_keys.remember(request.socket, { header, hash }, known.good_until);
    return callerOf(key);
  };

  return (request) => {
    const header = authorizationOf(request);
    if (header === null) return null;
    const key = knownKeyOf(request, header);
    return key === null || isTouchDue(key) ? lookUp(request, header) : callerOf(key);
  };
}

function callerOf({ id, environment_id, livemode, kind }: Key): Caller {
  return { environment_id, livemode, kind, key_id: id, actor_id: id, user: null, customer: null };
}

/** The Authorization header; null for none or two. Reads the raw headers, because Node drops the second of two. */
function authorizationOf({ rawHeaders }: IncomingMessage): string | null {
  let header: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isNamed(rawHeaders[i]!, 'authorization')) continue;
    if (header !== null) return null;
    header = rawHeaders[i + 1]!;
  }
  return header;
}

function secretOf(header: string): string | null {
  return /^Bearer (\w+)$/i.exec(header)?.[1] ?? null;
}
