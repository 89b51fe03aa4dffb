import type { Db } from '../connection/pool.ts';
import type { KeyKind } from '../../objects/api-key.ts';

/** A key, a session or a portal link; `hash` is that of its secret, in hexadecimal. */
export type Credential = {
  hash: string;
  is_in_force: boolean;
  /** Time to expiry by the database's clock; null if it never expires. */
  expires_in_ms: number | null;
  /** Null for a session and a portal link. */
  key: { id: string; environment_id: number; livemode: boolean; kind: KeyKind } | null;
};

export type CredentialReading = {
  /** Position at which the next reading of changes begins. */
  read_to: string;
  credentials: readonly Credential[];
};

/** Requests wait for this query: a quick 500 is better than a client that hangs. */
const READ_TIMEOUT_MS = 4000;

/** SQL: keys, sessions and portal links together; last_used_at decides which ones are read if there are too many. */
const CREDENTIALS = `
  select k.secret_hash as hash, k.changed_in, k.expires_at, k.last_used_at,
    k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) as is_in_force,
    json_build_object('id', k.id, 'environment_id', n.id, 'livemode', n.livemode, 'kind', k.kind) as key
  from api_keys k join environments n on n.id = k.environment_id
  union all
  select token_hash, changed_in, expires_at, last_used_at, revoked_at is null and expires_at > now(), null
  from sessions
  union all
  select token_hash, changed_in, expires_at, null, revoked_at is null and expires_at > now(), null
  from portal_sessions`;

const SHOWN = `encode(c.hash, 'hex') as hash, c.is_in_force, c.key,
  extract(epoch from c.expires_at - now())::float8 * 1000 as expires_in_ms`;

type Row = { read_to: string } & (Credential | { hash: null });

/** Active keys, sessions and portal links, at most `max`, last used first. */
export async function readCredentials(db: Db, max: number): Promise<CredentialReading> {
  return reading(db, `where is_in_force order by last_used_at desc nulls last limit $1`, max);
}

/** Credentials changed by any transaction that the earlier reading did not see; may include others. */
export async function readChangedCredentials(db: Db, read_to: string): Promise<CredentialReading> {
  // A transaction id above the snapshot comes from another cluster, by a dump.
  const changed = `where changed_in >= $1::xid8 and changed_in < pg_snapshot_xmax(pg_current_snapshot())`;
  return reading(db, changed, read_to);
}

/** One statement, so one snapshot: `read_to` from another statement would not match the rows. */
async function reading(db: Db, which: string, value: string | number): Promise<CredentialReading> {
  const query = {
    text: `select pg_snapshot_xmin(pg_current_snapshot())::text as read_to, ${SHOWN}
      from (select) as always left join (select * from (${CREDENTIALS}) as either ${which}) as c on true`,
    values: [value],
    query_timeout: READ_TIMEOUT_MS,
  };
  const { rows } = await db.query<Row>(query);
  return { read_to: rows[0]!.read_to, credentials: rows.filter((row) => row.hash !== null) };
}
