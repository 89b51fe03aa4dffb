import type { RouterMiddleware } from '@koa/router';
import { Type } from 'typebox';
import { openSession } from '../../src/db/account/sessions.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { hashOfToken, isToken, newToken } from '../../src/token.ts';
import { BODY_BYTES_MAX, objectOf, receiveBody } from '../http/body.ts';
import { overloaded, unauthorized } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { createGate, type Gate } from '../queues/gate.ts';
import type { Admission } from '../access/admission.ts';
import type { Deps } from '../http/deps.ts';
import { exactly } from '../../src/objects/parts.ts';
import { parserOf } from '../schema/validation.ts';
import { isSameOrigin, isSecure, sessionCookie } from '../access/session-cookie.ts';

export const SIGN_IN_PATH = '/dashboard/api/session';

/** One lookup at a time, so that guessed links occupy at most one connection of the pool; about one second's work may wait. */
const LOOKUP_LIMITS = { running_max: 1, waiting_max: 100, waiting_ms: 5000 };

const parse = parserOf(exactly({ token: Type.String({ minLength: 1, maxLength: 255 }) }));

/** Exchanges the token of a sign-in link for a session, once; 401 for any other token. It is the only route without authentication. */
export function signIn(deps: Deps, admission: Admission): RouterMiddleware {
  const lookups = createGate(LOOKUP_LIMITS, () => overloaded(deps));
  return async (ctx) => {
    exchangeOf(ctx.res).route = SIGN_IN_PATH;
    if (!isSameOrigin(ctx.req)) throw unauthorized();
    const { token: link } = parse(objectOf(await receiveBody(ctx.res, BODY_BYTES_MAX)));
    const token = newToken();
    const session = await openedSession(deps.pool, lookups, { link, token });
    if (session === null) {
      admission.countFailedSignIn(ctx.req);
      throw unauthorized();
    }
    ctx.set('Set-Cookie', sessionCookie(token, session.expires_at, isSecure(deps.config, ctx.req)));
    ctx.status = 201;
    ctx.body = session;
  };
}

/** The session that a link opens; null if the link is not valid. */
async function openedSession(pool: Pool, lookups: Gate, { link, token }: { link: string; token: string }) {
  if (!isToken(link)) return null;
  const hashes = { link_hash: hashOfToken(link), token_hash: hashOfToken(token) };
  return lookups.pass(() => openSession(pool, hashes));
}
