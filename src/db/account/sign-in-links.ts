import type { Db } from '../connection/pool.ts';
import { restoreOwner, type User } from './users.ts';

/** Time for which used and expired links and sessions stay; the next new link deletes older ones. */
const KEPT_DAYS = 30;

/** Stores the hash of a link that signs a user in, once. Returns when it expires. */
export async function insertSignInLink(
  db: Db,
  link: {
    token_hash: Buffer;
    user_id: string;
    hours: number;
    restores_owner: boolean;
    /** The person who invites; null for the command line. */
    created_by: string | null;
  },
): Promise<string> {
  await db.query(`delete from sign_in_links where expires_at < now() - interval '${KEPT_DAYS} days'`);
  // The last session of an account stays for ever: it says that somebody has signed in.
  await db.query(
    `delete from sessions s where s.expires_at < now() - interval '${KEPT_DAYS} days'
       and exists (select from sessions newer where newer.account_id = s.account_id and newer.id > s.id)`,
  );
  const { token_hash, user_id, hours, restores_owner, created_by } = link;
  const { rows } = await db.query<{ expires_at: string }>(
    `insert into sign_in_links (token_hash, account_id, user_id, restores_owner, created_by, expires_at)
     select $1, account_id, id, $3, $5, date_trunc('milliseconds', now()) + make_interval(hours => $4)
     from users where id = $2 returning expires_at`,
    [token_hash, user_id, restores_owner, hours, created_by],
  );
  return rows[0]!.expires_at;
}

/** Deletes the invitations of a user that are not used: a later one replaces them, and a removed user has none. */
export async function deleteInvitations(db: Db, user_id: string): Promise<void> {
  await db.query('delete from sign_in_links where user_id = $1 and used_at is null and not restores_owner', [
    user_id,
  ]);
}

/**
 * Uses a link up and returns the id of its user, who is active then: who was invited has arrived. Null if the link is
 * unknown, used or expired, or if its user is removed.
 */
export async function takeSignInLink(db: Db, token_hash: Buffer): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string; restores_owner: boolean }>(
    `update sign_in_links set used_at = date_trunc('milliseconds', now())
     where token_hash = $1 and used_at is null and expires_at > now()
     returning user_id, restores_owner`,
    [token_hash],
  );
  const [link] = rows;
  if (link === undefined) return null;
  if (link.restores_owner) await restoreOwner(db, link.user_id);
  const arrived = await db.query<Pick<User, 'id'>>(
    `update users set status = 'active' where id = $1 and status <> 'removed' returning id`,
    [link.user_id],
  );
  return arrived.rows[0]?.id ?? null;
}
