import { insertPortalSession } from '../db/account/portal-sessions.ts';
import type { Db } from '../db/connection/pool.ts';
import { hashOfKey, newPortalToken } from '../keys/api-key.ts';

const LINK_MINUTES = 60 * 24 * 60;

/**
 * Makes the link of an email, for 60 days, to the portal of its customer at an invoice. Only the hash of its token is
 * stored.
 */
export async function makeLink(
  db: Db,
  email: { environment_id: number; id: string; customer_id: string },
  { portal_url, invoice_id }: { portal_url: string; invoice_id: string | null },
): Promise<string> {
  const token = newPortalToken();
  const { environment_id, id: created_by, customer_id } = email;
  const session = { customer_id, minutes: LINK_MINUTES, created_by, token_hash: hashOfKey(token) };
  await insertPortalSession(db, environment_id, session);
  return `${portal_url}${invoice_id === null ? '' : `?invoice_id=${invoice_id}`}#${token}`;
}
