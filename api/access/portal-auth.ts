import type { IncomingMessage } from 'node:http';
import { hashOfKey } from '../../src/keys/api-key.ts';
import { findPortalCaller } from '../../src/db/account/portal-sessions.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import type { Caller } from '../http/deps.ts';
import type { Find } from './credentials.ts';
import type { Failures } from './failures.ts';
import { hedged } from './hedged.ts';

/**
 * Makes a function that returns the caller of a request by the token of a portal link; null if the link is unknown,
 * over or revoked.
 */
export function createPortalAuth(
  pool: Pool,
  find: Find,
  failures: Failures,
): (request: IncomingMessage, token: string) => Promise<Caller | null> {
  return async (request, token) => {
    const token_hash = hashOfKey(token);
    const { cached, is_fresh } = await find(token_hash.toString('hex'));
    if (cached === null && (is_fresh || failures.areTooMany(request))) return null;
    // One query for each request, as for a session: a revoked link is refused at once, and no customer is read but the
    // one of now.
    const session = await hedged(() => findPortalCaller(pool, token_hash));
    if (session === null) return null;
    const { id, environment_id, livemode, customer } = session;
    return { environment_id, livemode, key_id: id, actor_id: id, kind: 'portal', user: null, customer };
  };
}
