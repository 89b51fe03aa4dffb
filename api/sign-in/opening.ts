import type { RouterContext } from '@koa/router';
import { insertSession, revokeSessionOfToken, type SessionRow } from '../../src/db/account/sessions.ts';
import { transaction, type Db } from '../../src/db/connection/pool.ts';
import { hashOfToken, newToken } from '../../src/keys/token.ts';
import { addressOf } from '../access/client-address.ts';
import { isSecure, sessionCookie, sessionTokenOf } from '../access/session-cookie.ts';
import type { Deps } from '../http/deps.ts';
import { overloaded } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { createGate } from '../../src/queues/gate.ts';

/** One at a time, so that guessed links occupy at most one connection of the pool; about one second's work may wait. */
const LIMITS = { running_max: 1, waiting_max: 100, waiting_ms: 5000 };

/** Longest time of a session, in hours: 30 days. One that nobody uses ends after 12 hours (contract.md 9). */
export const SESSION_HOURS = 30 * 24;

/**
 * Opens the session of a browser: `prove` returns the id of the user who signs in, or null. The token is always new,
 * the session that the browser brought ends, and the response sets the cookie. Null if nobody signs in.
 */
export type Opening = (
  ctx: RouterContext,
  prove: (db: Db) => Promise<string | null>,
  hours?: number,
) => Promise<SessionRow | null>;

/** Makes the Opening of one API. */
export function createOpening(deps: Deps): Opening {
  const gate = createGate(LIMITS, () => overloaded(deps));
  const { pool, config } = deps;
  return async (ctx, prove, hours = SESSION_HOURS) => {
    const token = newToken();
    const brought = sessionTokenOf(ctx.req);
    const opened = (db: Db, user_id: string) =>
      insertSession(db, {
        user_id,
        token_hash: hashOfToken(token),
        hours,
        user_agent: ctx.headers['user-agent'] ?? null,
        address,
      });
    const address = addressOf(ctx.req, config.trusted_proxies);
    const act = { request_id: exchangeOf(ctx.res).request_id, address };
    const session = await gate.pass(() =>
      transaction(
        pool,
        async (db) => {
          const user_id = await prove(db);
          const session = user_id === null ? null : await opened(db, user_id);
          if (session !== null && brought !== null) await revokeSessionOfToken(db, hashOfToken(brought));
          return session;
        },
        { act },
      ),
    );
    if (session === null) return null;
    ctx.set('Set-Cookie', sessionCookie(token, hours, isSecure(config, ctx.req)));
    return session;
  };
}
