import { newId } from '../../keys/ids.ts';
import type { Passkey } from '../../objects/passkey.ts';
import type { Db } from '../connection/pool.ts';

/** The values by which the use of a passkey is proved. `credential_id` is base64url. */
export type Credential = {
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: readonly string[];
};

const SELECT_PASSKEYS = `select id, 'passkey' as object, name, created_at, last_used_at from passkeys`;

/** Passkeys of a user, newest first. */
export async function listPasskeys(
  db: Db,
  user_id: string,
  page: { before: string | null; limit: number },
): Promise<Passkey[]> {
  const { rows } = await db.query<Passkey>(
    `${SELECT_PASSKEYS} where user_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
    [user_id, page.before, page.limit],
  );
  return rows;
}

/** Locks a user's passkeys until the end of the transaction, and counts them. */
export async function lockPasskeys(db: Db, user_id: string): Promise<number> {
  await db.query('select from users where id = $1 for no key update', [user_id]);
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from passkeys where user_id = $1',
    [user_id],
  );
  return rows[0]!.count;
}

/** Ids of the credentials of a user: a device is asked for no second one. */
export async function credentialIdsOf(db: Db, user_id: string): Promise<string[]> {
  const { rows } = await db.query<{ credential_id: string }>(
    'select credential_id from passkeys where user_id = $1',
    [user_id],
  );
  return rows.map(({ credential_id }) => credential_id);
}

/** Stores a passkey; null if its credential is known. */
export async function insertPasskey(
  db: Db,
  { user_id, name, credential }: { user_id: string; name: string; credential: Credential },
): Promise<Passkey | null> {
  const { credential_id, public_key, counter, transports } = credential;
  const { rows } = await db.query<Passkey>(
    `insert into passkeys (user_id, id, name, credential_id, public_key, counter, transports)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing
     returning id, 'passkey' as object, name, created_at, last_used_at`,
    [user_id, newId('pk'), name, credential_id, public_key, counter, JSON.stringify(transports)],
  );
  return rows[0] ?? null;
}

/** The passkey of a credential, with its user, locked until the end of the transaction; null if it is unknown. */
export async function lockCredential(
  db: Db,
  credential_id: string,
): Promise<(Credential & { id: string; user_id: string }) | null> {
  const { rows } = await db.query<Credential & { id: string; user_id: string }>(
    `select id, user_id, credential_id, public_key, counter::float8 as counter, transports
     from passkeys where credential_id = $1 for update`,
    [credential_id],
  );
  return rows[0] ?? null;
}

/** Records a use, with the count of the device. */
export async function usePasskey(db: Db, id: string, counter: number): Promise<void> {
  await db.query(
    `update passkeys set counter = $2, last_used_at = date_trunc('milliseconds', now()) where id = $1`,
    [id, counter],
  );
}

/** Removes a passkey of a user, and returns it; null if the user has no such one. */
export async function deletePasskey(db: Db, user_id: string, id: string): Promise<Passkey | null> {
  const { rows } = await db.query<Passkey>(
    `delete from passkeys where user_id = $1 and id = $2
     returning id, 'passkey' as object, name, created_at, last_used_at`,
    [user_id, id],
  );
  return rows[0] ?? null;
}

/** Removes all passkeys of a user. */
export async function deletePasskeysOf(db: Db, user_id: string): Promise<void> {
  await db.query('delete from passkeys where user_id = $1', [user_id]);
}
