import type { IncomingMessage } from 'node:http';
import type { Config } from '../../src/settings/config.ts';
import { isPublicByHttps } from '../../src/settings/public-url.ts';
import { isToken } from '../../src/keys/token.ts';

const NAME = 'tidemark_session';
const PAIR = new RegExp(`(?:^|; *)${NAME}=([^;]*)`, 'g');

/** The session token in a request's cookie; null if there is none, or two. */
export function sessionTokenOf({ headers }: IncomingMessage): string | null {
  const [pair, ...more] = headers.cookie?.matchAll(PAIR) ?? [];
  const token = pair?.[1];
  return token !== undefined && more.length === 0 && isToken(token) ? token : null;
}

/**
 * Set-Cookie value that stores a session for its longest time. Scripts cannot read the cookie; requests from other
 * sites do not carry it.
 */
export function sessionCookie(token: string, hours: number, is_secure: boolean): string {
  return attributes(token, hours * 3600, is_secure);
}

/** Set-Cookie value that deletes the session cookie. */
export function noSessionCookie(): string {
  return attributes('', 0, false);
}

function attributes(token: string, seconds: number, is_secure: boolean): string {
  const cookie = `${NAME}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return is_secure ? `${cookie}; Secure` : cookie;
}

/**
 * Whether the browser says that our own page sent the request: by Sec-Fetch-Site, and where the browser does not send
 * it by an Origin that is PUBLIC_URL or the host of the request, which a proxy may rewrite. True if the browser says
 * nothing: other sites' requests do not carry the cookie and cannot set our own header.
 */
export function isSameOrigin(
  { public_url }: Pick<Config, 'public_url'>,
  { headers }: IncomingMessage,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === public_url && public_url !== null) return true;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === headers.host);
}

/**
 * Whether the client uses https, here or at a proxy in front of us: as PUBLIC_URL says, or without it the client's
 * Origin header.
 */
export function isSecure(config: Config, { headers }: IncomingMessage): boolean {
  if (config.public_url !== null) return isPublicByHttps(config);
  return headers.origin?.startsWith('https://') ?? false;
}
