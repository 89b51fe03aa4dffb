import type { RouterMiddleware } from '@koa/router';
import { Type } from 'typebox';
import { takeSignInLink } from '../../src/db/account/sign-in-links.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { exactly } from '../../src/objects/parts.ts';
import { hashOfToken, isToken } from '../../src/token.ts';
import type { Admission } from '../access/admission.ts';
import { isSameOrigin } from '../access/session-cookie.ts';
import { BODY_BYTES_MAX, objectOf, receiveBody } from '../http/body.ts';
import type { Deps } from '../http/deps.ts';
import { unauthorized } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { parserOf } from '../schema/validation.ts';
import { createOpening } from './opening.ts';

export const SIGN_IN_PATH = '/dashboard/api/session';

const parse = parserOf(exactly({ token: Type.String({ minLength: 1, maxLength: 255 }) }));

/** Exchanges the token of a sign-in link for a session, once; 401 for any other token. It needs no authentication. */
export function signIn(deps: Deps, admission: Admission): RouterMiddleware {
  const open = createOpening(deps);
  return async (ctx) => {
    exchangeOf(ctx.res).route = SIGN_IN_PATH;
    if (!isSameOrigin(ctx.req)) throw unauthorized();
    const { token } = parse(objectOf(await receiveBody(ctx.res, BODY_BYTES_MAX)));
    const session = isToken(token) ? await open(ctx, (db) => userOfLink(db, token)) : null;
    if (session === null) {
      admission.countFailedSignIn(ctx.req);
      throw unauthorized();
    }
    ctx.status = 201;
    ctx.body = session;
  };
}

async function userOfLink(db: Db, token: string) {
  return takeSignInLink(db, hashOfToken(token));
}
