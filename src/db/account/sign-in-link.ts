import { insertSignInLink } from './sign-in-links.ts';
import { ownerId } from './users.ts';
import type { Pool } from '../connection/pool.ts';
import { hashOfToken, newToken } from '../../keys/token.ts';

const LINK_HOURS = 12;

/**
 * Address that signs in with a token, at a dashboard whose address ends with a slash. The token is in the fragment,
 * which browsers never send.
 */
export function signInAddress(dashboard_url: string, token: string): string {
  return `${dashboard_url}sign-in#${token}`;
}

/**
 * A one-time link of the command line, which signs in the owner and makes the owner an active admin again. Null if the
 * database has no account.
 */
export async function newSignInLink(
  pool: Pool,
  dashboard_url: string,
  hours = LINK_HOURS,
): Promise<string | null> {
  const owner = await ownerId(pool);
  if (owner === null) return null;
  const token = newToken();
  await insertSignInLink(pool, {
    token_hash: hashOfToken(token),
    user_id: owner,
    hours,
    restores_owner: true,
    created_by: null,
  });
  return signInAddress(dashboard_url, token);
}
