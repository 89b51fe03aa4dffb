import type { Role } from '../../domain/people/role.ts';
import { newId } from '../../keys/ids.ts';
import type { Session } from '../../objects/session.ts';
import type { Db } from '../connection/pool.ts';

/** A session as the settings show it, but for whether it is that of the request. */
export type SessionRow = Omit<Session, 'is_current' | 'browser'>;

/** A person who is signed in. */
export type SignedInUser = { id: string; email: string | null; name: string; role: Role };

/** An active session in one environment of its account. */
export type ActiveSession = { id: string; environment_id: number; user: SignedInUser };

/** A session that begins. `hours` is its longest time; `user_agent` and `address` are of the request that signs in. */
export type NewSession = {
  user_id: string;
  token_hash: Buffer;
  hours: number;
  user_agent: string | null;
  address: string;
};

/** A session that nobody uses ends after this time. */
const IDLE = `interval '12 hours'`;
/** SQL: the end of session `s` if nobody uses it again. */
const ENDS_AT = `least(s.expires_at, coalesce(s.last_used_at, s.created_at) + ${IDLE})`;
/** SQL: whether session `s` of user `u` is good. */
const IS_GOOD = `s.revoked_at is null and u.status = 'active' and ${ENDS_AT} > now()`;

/** Whether anybody has ever signed in to the account. */
export async function hasSignedIn(db: Db, account_id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from sessions where account_id = $1 limit 1', [account_id]);
  return rowCount === 1;
}

/** Opens a session of an active user. Returns null for any other user. */
export async function insertSession(db: Db, session: NewSession): Promise<SessionRow | null> {
  const { user_id, token_hash, hours, user_agent, address } = session;
  const id = newId('ses');
  await db.query(
    `insert into sessions (id, account_id, user_id, token_hash, user_agent, address, expires_at)
     select $1, account_id, id, $3, left($4, 500), $5,
       date_trunc('milliseconds', now()) + make_interval(hours => $6)
     from users where id = $2 and status = 'active'`,
    [id, user_id, token_hash, user_agent, address, hours],
  );
  const { rows } = await db.query<SessionRow>(`${SELECT_SESSIONS} where s.id = $1`, [id]);
  return rows[0] ?? null;
}

const SELECT_SESSIONS = `
  select s.id, 'session' as object, json_build_object('id', u.id, 'name', u.name) as user, s.user_agent, s.address,
    s.created_at, s.last_used_at, ${ENDS_AT} as expires_at
  from sessions s join users u on u.id = s.user_id`;

/**
 * The session of a token's hash; records its use once a minute. Null if it is unknown, over or revoked, or its user is
 * removed.
 */
export async function findSession(
  db: Db,
  { token_hash, livemode }: { token_hash: Buffer; livemode: boolean },
): Promise<ActiveSession | null> {
  const { rows } = await db.query<ActiveSession & { is_fresh: boolean }>(
    `select s.id, n.id as environment_id, s.last_used_at > now() - interval '1 minute' as is_fresh,
       json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'role', u.role) as user
     from sessions s join users u on u.id = s.user_id
       join environments n on n.account_id = s.account_id and n.livemode = $2
     where s.token_hash = $1 and ${IS_GOOD}`,
    [token_hash, livemode],
  );
  const [session] = rows;
  if (session === undefined) return null;
  const { is_fresh, ...active } = session;
  const touch = `update sessions set last_used_at = date_trunc('milliseconds', now()) where id = $1`;
  // If the write fails, as on a full disk, the session is still good; it ends 12 hours after the last use that was
  // written.
  if (!is_fresh) await db.query(touch, [session.id]).catch(() => undefined);
  return active;
}

/** Open sessions of the environment's account, newest first; of one user if `user_id` is not null. */
export async function listSessions(
  db: Db,
  environment_id: number,
  { user_id, before, limit }: { user_id: string | null; before: string | null; limit: number },
): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `${SELECT_SESSIONS} join environments n on s.account_id = n.account_id
     where n.id = $1 and ${IS_GOOD} and ($2::text is null or s.user_id = $2) and ($3::text is null or s.id < $3)
     order by s.id desc limit $4`,
    [environment_id, user_id, before, limit],
  );
  return rows;
}

/**
 * Ends a session; every process refuses it from then on. Returns false if the environment's account, or its user
 * `user_id` if that is not null, has no such open session.
 */
export async function revokeSession(
  db: Db,
  environment_id: number,
  { id, user_id }: { id: string; user_id: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sessions s set revoked_at = date_trunc('milliseconds', now()) from environments n, users u
     where n.id = $1 and n.account_id = s.account_id and s.id = $2 and u.id = s.user_id and ${IS_GOOD}
       and ($3::text is null or s.user_id = $3)`,
    [environment_id, id, user_id],
  );
  return rowCount === 1;
}

/** Ends the session of a token's hash, if there is one. */
export async function revokeSessionOfToken(db: Db, token_hash: Buffer): Promise<void> {
  await db.query(
    `update sessions set revoked_at = date_trunc('milliseconds', now()) where token_hash = $1 and revoked_at is null`,
    [token_hash],
  );
}

/** Ends all sessions of a user. */
export async function revokeSessionsOf(db: Db, user_id: string): Promise<void> {
  await db.query(
    `update sessions set revoked_at = date_trunc('milliseconds', now()) where user_id = $1 and revoked_at is null`,
    [user_id],
  );
}
