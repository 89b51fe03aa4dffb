import type { IncomingMessage } from 'node:http';
import { findSession } from '../../src/db/account/sessions.ts';
import { hashOfToken } from '../../src/token.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { hedged } from '../http/hedged.ts';
import { findOf } from './credentials.ts';
import { isBarred } from './rate-limit.ts';
import { isSameOrigin, sessionTokenOf } from './session-cookie.ts';

/** Names the data that a request of the dashboard is about. Only a script of our own can set it. */
const HEADER = 'tidemark-environment';
const LIVEMODE: Readonly<Record<string, boolean>> = { test: false, live: true };

/** Whether a request would rather be known by a session than by a key. */
export function hasSession(request: IncomingMessage): boolean {
  return request.headers.authorization === undefined && sessionTokenOf(request) !== null;
}

/** Who is signed in; null where the session is not in force, or the request is not one of the dashboard's. */
export async function callerOfSession(request: IncomingMessage, deps: Deps): Promise<Caller | null> {
  const token = sessionTokenOf(request);
  const [environment = '', ...more] = request.headersDistinct[HEADER] ?? [];
  const livemode = LIVEMODE[environment];
  if (token === null || livemode === undefined || more.length > 0 || !isSameOrigin(request)) return null;
  const token_hash = hashOfToken(token);
  const { held, is_sure } = await findOf(deps)(token_hash.toString('hex'));
  if (held === null && (is_sure || isBarred(request, deps))) return null;
  // Asked for each request, so that every process refuses it as soon as it is revoked.
  const session = await hedged(() => findSession(deps.pool, { token_hash, livemode }));
  if (session === null) return null;
  return { environment_id: session.environment_id, livemode, key_id: session.id, kind: 'session' };
}
