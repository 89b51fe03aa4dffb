import type { IncomingMessage } from 'node:http';
import { findSession } from '../../src/db/account/sessions.ts';
import { hashOfToken } from '../../src/token.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { hedged } from '../http/hedged.ts';
import { findOf } from './credentials.ts';
import { hasFailedTooOften } from './rate-limit.ts';
import { isSameOrigin, sessionTokenOf } from './session-cookie.ts';

/** The environment of a dashboard request, `test` or `live`. Only our own script can set this header; other sites cannot. */
const HEADER = 'tidemark-environment';
const LIVEMODE: Readonly<Record<string, boolean>> = { test: false, live: true };

/** The caller of a session; null if there is no valid session, or if the request does not come from the dashboard. */
export async function callerOfSession(request: IncomingMessage, deps: Deps): Promise<Caller | null> {
  const token = sessionTokenOf(request);
  const [environment = '', ...more] = request.headersDistinct[HEADER] ?? [];
  const livemode = LIVEMODE[environment];
  if (token === null || livemode === undefined || more.length > 0 || !isSameOrigin(request)) return null;
  const token_hash = hashOfToken(token);
  const { held, is_sure } = await findOf(deps)(token_hash.toString('hex'));
  if (held === null && (is_sure || hasFailedTooOften(request, deps))) return null;
  // One query for each request, so that every process refuses a session as soon as it is revoked.
  const session = await hedged(() => findSession(deps.pool, { token_hash, livemode }));
  if (session === null) return null;
  return { environment_id: session.environment_id, livemode, key_id: session.id, kind: 'session' };
}
