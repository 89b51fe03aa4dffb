import type { Role } from '../../domain/people/role.ts';
import { newId } from '../../keys/ids.ts';
import type { User } from '../../objects/user.ts';
import type { Db } from '../connection/pool.ts';

const SELECT_USERS = `
  select u.id, 'user' as object, u.email, u.name, u.role, u.role_from, u.status, u.created_at
  from users u join environments n on n.account_id = u.account_id`;

/** Users of the environment's account, newest first. */
export async function listUsers(
  db: Db,
  environment_id: number,
  page: { before: string | null; limit: number },
): Promise<User[]> {
  const { rows } = await db.query<User>(
    `${SELECT_USERS} where n.id = $1 and ($2::text is null or u.id < $2) order by u.id desc limit $3`,
    [environment_id, page.before, page.limit],
  );
  return rows;
}

/** A user of the environment's account; null if there is none with this id. */
export async function findUser(db: Db, environment_id: number, id: string): Promise<User | null> {
  const { rows } = await db.query<User>(`${SELECT_USERS} where n.id = $1 and u.id = $2`, [
    environment_id,
    id,
  ]);
  return rows[0] ?? null;
}

/** The names of active admins, whom others may ask; those who were invited first come first. */
export async function namesOfAdmins(db: Db, environment_id: number, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select u.name from users u join environments n on n.account_id = u.account_id
     where n.id = $1 and u.role = 'admin' and u.status = 'active' order by u.id limit $2`,
    [environment_id, limit],
  );
  return rows.map(({ name }) => name);
}

/** The user with this email in any case, and whether a provider knows the user; null if there is none. */
export async function findUserByEmail(
  db: Db,
  environment_id: number,
  email: string,
): Promise<(User & { has_subject: boolean }) | null> {
  const { rows } = await db.query<User & { has_subject: boolean }>(
    `select found.*, u.subject is not null as has_subject from (${SELECT_USERS}
       where n.id = $1 and lower(u.email) = lower($2)) as found join users u on u.id = found.id`,
    [environment_id, email],
  );
  return rows[0] ?? null;
}

/** The user whom a provider knows by this subject; null if there is none. */
export async function findUserBySubject(
  db: Db,
  environment_id: number,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<User | null> {
  const { rows } = await db.query<User>(
    `${SELECT_USERS} where n.id = $1 and u.issuer = $2 and u.subject = $3`,
    [environment_id, issuer, subject],
  );
  return rows[0] ?? null;
}

/**
 * Locks the users of the environment's account until the end of the transaction, so that what is decided about all of
 * them stays true.
 */
export async function lockUsers(db: Db, environment_id: number): Promise<void> {
  await db.query(
    `select from accounts a join environments n on n.account_id = a.id where n.id = $1 for no key update of a`,
    [environment_id],
  );
}

/** Whether the account has an active admin besides this user. The caller has locked the users. */
export async function hasOtherAdmin(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `${SELECT_USERS} where n.id = $1 and u.id <> $2 and u.role = 'admin' and u.status = 'active' limit 1`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Stores a person who is invited. Returns the id. */
export async function insertUser(
  db: Db,
  environment_id: number,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<string> {
  const id = newId('usr');
  await db.query(
    `insert into users (account_id, id, email, name, role, status)
     select account_id, $2, $3, $4, $5, 'invited' from environments where id = $1`,
    [environment_id, id, email, name, role],
  );
  return id;
}

/**
 * Stores a person who comes from a provider without an invitation: a viewer, unless the provider decides on the role.
 * Returns the id.
 */
export async function insertProviderUser(
  db: Db,
  environment_id: number,
  person: { email: string; name: string; role: Role | null; issuer: string; subject: string },
): Promise<string> {
  const id = newId('usr');
  const { email, name, role, issuer, subject } = person;
  await db.query(
    `insert into users (account_id, id, email, name, role, role_from, status, issuer, subject)
     select account_id, $2, $3, $4, coalesce($5, 'viewer'), case when $5::text is null then 'admin' else 'provider' end,
       'active', $6, $7
     from environments where id = $1`,
    [environment_id, id, email, name, role, issuer, subject],
  );
  return id;
}

/**
 * Writes the members of a user that change. Who is no active admin then has invited nobody any more: the unused
 * invitations by this user are void for good (contract.md 9). The caller has locked the users.
 */
export async function updateUser(
  db: Db,
  id: string,
  changes: Partial<
    Pick<User, 'email' | 'name' | 'role' | 'role_from' | 'status'> & { issuer: string; subject: string }
  >,
): Promise<void> {
  const { email = null, name = null, role = null, role_from = null, status = null } = changes;
  const { issuer = null, subject = null } = changes;
  await db.query(
    `update users set email = coalesce($2, email), name = coalesce($3, name), role = coalesce($4, role),
       role_from = coalesce($5, role_from), status = coalesce($6, status), issuer = coalesce($7, issuer),
       subject = coalesce($8, subject)
     where id = $1`,
    [id, email, name, role, role_from, status, issuer, subject],
  );
  await db.query(
    `delete from sign_in_links l using users u
     where l.created_by = $1 and l.used_at is null and u.id = $1 and (u.role <> 'admin' or u.status <> 'active')`,
    [id],
  );
}

/** The id of the owner of the oldest account, who is made if there is none yet; null if there is no account. */
export async function ownerId(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `with account as (select id from accounts order by created_at, id limit 1)
     insert into users (account_id, id, name, role, status, is_owner)
     select id, $1, 'Owner', 'admin', 'active', true from account
     on conflict (account_id) where is_owner do update set is_owner = true
     returning id`,
    [newId('usr')],
  );
  return rows[0]?.id ?? null;
}

/** Makes the owner an active admin again, whatever has become of the user. */
export async function restoreOwner(db: Db, id: string): Promise<void> {
  await db.query(
    `update users set role = 'admin', role_from = 'admin', status = 'active'
     where id = $1 and (role, role_from, status) is distinct from ('admin', 'admin', 'active')`,
    [id],
  );
}
