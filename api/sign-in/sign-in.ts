import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Next } from 'koa';
import { Type } from 'typebox';
import { takeSignInLink } from '../../src/db/account/sign-in-links.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { exactly } from '../../src/objects/parts.ts';
import { hashOfToken, isToken } from '../../src/keys/token.ts';
import type { Admission } from '../access/admission.ts';
import { isSameOrigin } from '../access/session-cookie.ts';
import { BODY_BYTES_MAX, objectOf, receiveBody } from '../http/body.ts';
import type { Deps } from '../http/deps.ts';
import { unauthorized } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import type { Route } from '../routing/route.ts';
import { parserOf } from '../schema/validation.ts';
import { oidcHandlers } from './oidc.ts';
import { createOpening, type Opening } from './opening.ts';
import { optionsToSignIn, userOfPasskey } from './passkeys.ts';

const parse = parserOf(
  exactly({
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    passkey: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  }),
);
const parseNothing = parserOf(exactly({}));

type Handler = { path: string; method: Route['method']; handle: RouterMiddleware };

/** Requests of people who are not signed in yet: the only ones without authentication. */
export function signInHandlers(deps: Deps, admission: Admission): readonly Handler[] {
  const open = createOpening(deps);
  const { oidc } = deps.config;
  // Links of other sites lead to these: no check of the origin, a sealed cookie instead.
  const of_provider = (
    oidc === null ? [] : oidcHandlers(deps, oidc, { open, countFailure: admission.countFailedSignIn })
  ).map(({ path, handle }) => ({
    path,
    method: 'get' as const,
    handle: (ctx: RouterContext, next: Next) => {
      exchangeOf(ctx.res).route = path;
      return handle(ctx, next);
    },
  }));
  const named = (method: Route['method'], path: string, handle: RouterMiddleware): Handler => ({
    path,
    method,
    handle: async (ctx, next) => {
      exchangeOf(ctx.res).route = path;
      if (!isSameOrigin(deps.config, ctx.req)) throw unauthorized();
      await handle(ctx, next);
    },
  });
  return [
    named('get', '/dashboard/api/sign-in-methods', (ctx) => {
      ctx.body = { object: 'sign_in_methods', passkey: true, oidc: oidc !== null };
    }),
    named('post', '/dashboard/api/sign-in/options', async (ctx) => {
      const bytes = await receiveBody(ctx.res, BODY_BYTES_MAX);
      parseNothing(bytes === null ? {} : objectOf(bytes));
      ctx.body = { options: await optionsToSignIn(deps) };
    }),
    named('post', '/dashboard/api/session', signIn(deps, admission, open)),
    ...of_provider,
  ];
}

/** Opens a session for the token of a link, or for the answer of a passkey, once; 401 for any other. */
function signIn(deps: Deps, admission: Admission, open: Opening): RouterMiddleware {
  return async (ctx) => {
    const { token, passkey } = parse(objectOf(await receiveBody(ctx.res, BODY_BYTES_MAX)));
    if ((token === undefined) === (passkey === undefined))
      throw invalid(
        'token',
        token === undefined ? 'missing' : 'not_allowed',
        'send token or passkey, one of them',
      );
    const session = await open(ctx, (db) =>
      passkey === undefined ? userOfLink(db, token!) : userOfPasskey(deps, db, passkey),
    );
    if (session === null) {
      admission.countFailedSignIn(ctx.req);
      throw unauthorized();
    }
    ctx.status = 201;
    ctx.body = session;
  };
}

async function userOfLink(db: Db, token: string): Promise<string | null> {
  return isToken(token) ? takeSignInLink(db, hashOfToken(token)) : null;
}
