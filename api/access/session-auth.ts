import type { IncomingMessage } from 'node:http';
import { findSession } from '../../src/db/account/sessions.ts';
import { hashOfToken } from '../../src/keys/token.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { hedged } from './hedged.ts';
import type { Find } from './credentials.ts';
import type { Failures } from './failures.ts';
import { isSameOrigin, sessionTokenOf } from './session-cookie.ts';

/**
 * The environment of a dashboard request, `test` or `live`. Only our own script can set this header; other sites
 * cannot.
 */
const HEADER = 'tidemark-environment';
const LIVEMODE: Readonly<Record<string, boolean>> = { test: false, live: true };

/**
 * Makes a function that returns the caller of a request by its dashboard session; null if there is no valid session, or
 * if the request does not come from the dashboard.
 */
export function createSessionAuth(
  { pool, config }: Pick<Deps, 'pool' | 'config'>,
  find: Find,
  failures: Failures,
): (request: IncomingMessage) => Promise<Caller | null> {
  return async (request) => {
    const token = sessionTokenOf(request);
    const [environment = '', ...more] = request.headersDistinct[HEADER] ?? [];
    const livemode = LIVEMODE[environment];
    if (token === null || livemode === undefined || more.length > 0) return null;
    if (!isSameOrigin(config, request)) return null;
    const token_hash = hashOfToken(token);
    const { cached, is_fresh } = await find(token_hash.toString('hex'));
    if (cached === null && (is_fresh || failures.areTooMany(request))) return null;
    // One query for each request, so that every process refuses a session as soon as it is revoked.
    const session = await hedged(() => findSession(pool, { token_hash, livemode }));
    if (session === null) return null;
    const { id: key_id, environment_id, user } = session;
    return { environment_id, livemode, key_id, actor_id: user.id, kind: 'session', user, customer: null };
  };
}
