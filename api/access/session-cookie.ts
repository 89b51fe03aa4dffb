import type { IncomingMessage } from 'node:http';
import { isToken } from '../../src/token.ts';

const NAME = 'tidemark_session';
const PAIR = new RegExp(`(?:^|; *)${NAME}=([^;]*)`, 'g');

/** The token that a request brings; null where there is none, or two. */
export function sessionTokenOf({ headers }: IncomingMessage): string | null {
  const [pair, ...more] = headers.cookie?.matchAll(PAIR) ?? [];
  const token = pair?.[1];
  return token !== undefined && more.length === 0 && isToken(token) ? token : null;
}

/** The header that gives a browser its session until it ends. No script reads it, and no other site's request carries it. */
export function sessionCookie(token: string, expires_at: string, is_secure: boolean): string {
  return attributes(token, new Date(expires_at).toUTCString(), is_secure);
}

/** The header that takes it away. */
export function noSessionCookie(): string {
  return attributes('', new Date(0).toUTCString(), false);
}

function attributes(token: string, expires: string, is_secure: boolean): string {
  const cookie = `${NAME}=${token}; Path=/; Expires=${expires}; HttpOnly; SameSite=Strict`;
  return is_secure ? `${cookie}; Secure` : cookie;
}

/**
 * Whether a browser says that a page of ours sent the request. Those that say nothing are let through: the cookie is not sent from
 * other sites, and our own header could not be.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === headers.host);
}

/** Whether the client came by https, here or at the proxy before us, as the origin that it names says. */
export function isSecure({ headers }: IncomingMessage): boolean {
  return headers.origin?.startsWith('https://') ?? false;
}
