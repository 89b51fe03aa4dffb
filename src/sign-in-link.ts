import type { Pool } from './db/connection/pool.ts';
import { insertSignInLink } from './db/account/sessions.ts';
import { hashOfToken, newToken } from './token.ts';

const LINK_HOURS = 12;

/**
 * A one-time sign-in link to a dashboard whose address ends with a slash. The token is in the fragment, which browsers never send. Null if
 * the database has no account.
 */
export async function newSignInLink(
  pool: Pool,
  dashboard_url: string,
  hours = LINK_HOURS,
): Promise<string | null> {
  const token = newToken();
  const stored = await insertSignInLink(pool, hashOfToken(token), hours);
  return stored ? `${dashboard_url}sign-in#${token}` : null;
}
