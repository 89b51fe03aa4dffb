import { hashOfKey } from '../../keys/api-key.ts';
import { newId } from '../../keys/ids.ts';
import type { ApiKey, KeyKind } from '../../objects/api-key.ts';
import type { Db } from '../connection/pool.ts';

/** An active key, with what a request needs. */
export type ActiveKey = {
  id: string;
  environment_id: number;
  livemode: boolean;
  kind: KeyKind;
};

/** `created_by` of a key that the command line makes. */
const COMMAND_LINE = 'command_line';

/** Requests wait for this query: a quick 500 is better than a client that hangs. */
const LOOKUP_TIMEOUT_MS = 4000;

/**
 * Stores the hash of a new key and returns the key's id. `created_by` is the id of a user; the command line has none.
 */
export async function insertKey(
  db: Db,
  environment_id: number,
  key: { secret: string; name: string; kind: KeyKind; expires_at?: string; created_by?: string },
): Promise<string> {
  const id = newId('key');
  await db.query(
    `insert into api_keys (environment_id, id, name, kind, secret_hash, last_four, expires_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      environment_id,
      id,
      key.name,
      key.kind,
      hashOfKey(key.secret),
      key.secret.slice(-4),
      key.expires_at,
      key.created_by ?? COMMAND_LINE,
    ],
  );
  return id;
}

/** The active key with this hash; null if it is unknown, revoked or expired. */
export async function findKeyByHash(db: Db, secret_hash: Buffer): Promise<ActiveKey | null> {
  const query = {
    text: `select k.id, k.environment_id, n.livemode, k.kind
           from api_keys k join environments n on n.id = k.environment_id
           where k.secret_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    values: [secret_hash],
    query_timeout: LOOKUP_TIMEOUT_MS,
  };
  const { rows } = await db.query<ActiveKey>(query);
  return rows[0] ?? null;
}

const SELECT_KEYS = `
  select k.id, 'api_key' as object, n.livemode, k.name, k.kind, k.last_four, k.created_at, k.last_used_at, k.expires_at,
    k.revoked_at, u.id is not null and u.status = 'removed' as is_of_removed_user,
    case when u.id is not null then json_build_object('type', 'user', 'id', u.id, 'name', u.name)
      when k.created_by is not null then json_build_object('type', k.created_by, 'id', null, 'name', 'Command line')
    end as created_by
  from api_keys k join environments n on n.id = k.environment_id left join users u on u.id = k.created_by`;

/** The keys with these ids, active or not, in any order. */
export async function readKeys(db: Db, environment_id: number, ids: readonly string[]): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(`${SELECT_KEYS} where k.environment_id = $1 and k.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows;
}

/** A key by id, active or not; null if it does not exist. */
export async function findKey(db: Db, environment_id: number, id: string): Promise<ApiKey | null> {
  return (await readKeys(db, environment_id, [id]))[0] ?? null;
}

/** Keys, newest first. */
export async function listKeys(
  db: Db,
  environment_id: number,
  page: { before: string | null; limit: number },
): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `${SELECT_KEYS} where k.environment_id = $1 and ($2::text is null or k.id < $2) order by k.id desc limit $3`,
    [environment_id, page.before, page.limit],
  );
  return rows;
}

/** Revokes a key; every process refuses it within 5 s. Returns false if it does not exist or is revoked already. */
export async function revokeKey(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_keys set revoked_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and revoked_at is null`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Records the use of a key, at most once a minute across all processes. */
export async function touchKey(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [environment_id, id],
  );
}
