import { newId } from '../../ids.ts';
import type { Db } from '../connection/pool.ts';

/** A session as the settings show it: never its token. */
export type Session = {
  id: string;
  object: 'session';
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
};

/** An active session and its current environment. */
export type ActiveSession = { id: string; environment_id: number; expires_at: string };

const SESSION_HOURS = 12;
/** Retention of expired links and sessions; the next new link deletes older ones. */
const KEPT_DAYS = 30;

/** Stores the hash of a sign-in link for the oldest account. Returns false if there is no account. */
export async function insertSignInLink(db: Db, token_hash: Buffer, hours: number): Promise<boolean> {
  await db.query(`delete from sign_in_links where expires_at < now() - interval '${KEPT_DAYS} days'`);
  // The last session of an account stays for ever: it says that somebody has signed in.
  await db.query(
    `delete from sessions s where s.expires_at < now() - interval '${KEPT_DAYS} days'
       and exists (select from sessions newer where newer.account_id = s.account_id and newer.id > s.id)`,
  );
  const { rowCount } = await db.query(
    `insert into sign_in_links (token_hash, account_id, expires_at)
     select $1, id, date_trunc('milliseconds', now()) + make_interval(hours => $2)
     from accounts order by created_at, id limit 1`,
    [token_hash, hours],
  );
  return rowCount === 1;
}

/** Whether anybody has ever signed in to the account. */
export async function hasSignedIn(db: Db, account_id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from sessions where account_id = $1 limit 1', [account_id]);
  return rowCount === 1;
}

/** Opens a session with a sign-in link and uses the link up. Returns null if the link is unknown, used or expired. */
export async function openSession(
  db: Db,
  { link_hash, token_hash }: { link_hash: Buffer; token_hash: Buffer },
): Promise<Session | null> {
  const { rows } = await db.query<Session>(
    `with link as (
       update sign_in_links set used_at = date_trunc('milliseconds', now())
       where token_hash = $1 and used_at is null and expires_at > now() returning account_id
     )
     insert into sessions (id, account_id, token_hash, expires_at)
     select $2, account_id, $3, date_trunc('milliseconds', now()) + interval '${SESSION_HOURS} hours' from link
     returning id, 'session' as object, created_at, expires_at, last_used_at`,
    [link_hash, newId('ses'), token_hash],
  );
  return rows[0] ?? null;
}

/** The session of a token's hash; records its use once a minute. Null if it is unknown, expired or revoked. */
export async function findSession(
  db: Db,
  { token_hash, livemode }: { token_hash: Buffer; livemode: boolean },
): Promise<ActiveSession | null> {
  const { rows } = await db.query<ActiveSession & { is_fresh: boolean }>(
    `select s.id, n.id as environment_id, s.expires_at, s.last_used_at > now() - interval '1 minute' as is_fresh
     from sessions s join environments n on n.account_id = s.account_id and n.livemode = $2
     where s.token_hash = $1 and s.revoked_at is null and s.expires_at > now()`,
    [token_hash, livemode],
  );
  const [session] = rows;
  if (session === undefined) return null;
  const { is_fresh, ...active } = session;
  const touch = `update sessions set last_used_at = date_trunc('milliseconds', now()) where id = $1`;
  // last_used_at is for display only: if the write fails, as on a full disk, the session is still valid.
  if (!is_fresh) await db.query(touch, [session.id]).catch(() => undefined);
  return active;
}

/** Active sessions of the environment's account, newest first. */
export async function listSessions(
  db: Db,
  environment_id: number,
  page: { before: string | null; limit: number },
): Promise<Session[]> {
  const { rows } = await db.query<Session>(
    `select s.id, 'session' as object, s.created_at, s.expires_at, s.last_used_at
     from sessions s join environments n on n.account_id = s.account_id
     where n.id = $1 and s.revoked_at is null and s.expires_at > now() and ($2::text is null or s.id < $2)
     order by s.id desc limit $3`,
    [environment_id, page.before, page.limit],
  );
  return rows;
}

/** Revokes a session; every process refuses it from then on. Returns false if the environment's account has no such active session. */
export async function revokeSession(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sessions s set revoked_at = date_trunc('milliseconds', now()) from environments n
     where n.id = $1 and n.account_id = s.account_id and s.id = $2 and s.revoked_at is null and s.expires_at > now()`,
    [environment_id, id],
  );
  return rowCount === 1;
}
