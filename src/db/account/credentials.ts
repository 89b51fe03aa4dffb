import type { Db } from '../pool.ts';
import type { KeyKind } from './api-keys.ts';

/** A key or a session, by the hash of its secret in hexadecimal digits. */
export type Credential = {
  hash: string;
  is_in_force: boolean;
  /** Until it expires, by the database's clock; null for never. */
  expires_in_ms: number | null;
  /** Null for a session. */
  key: { id: string; environment_id: number; livemode: boolean; kind: KeyKind } | null;
};

export type CredentialReading = {
  /** Where the next reading of changes begins. */
  read_to: string;
  credentials: readonly Credential[];
};

/** A slow answer here is a request that waits: better a 500 soon than a client that hangs. */
const READ_TIMEOUT_MS = 4000;

/** Both tables, as one; last_used_at orders what is read where there is too much of it. */
const CREDENTIALS = `
  select k.secret_hash as hash, k.changed_in, k.expires_at, k.last_used_at,
    k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) as is_in_force,
    json_build_object('id', k.id, 'environment_id', n.id, 'livemode', n.livemode, 'kind', k.kind) as key
  from api_keys k join environments n on n.id = k.environment_id
  union all
  select token_hash, changed_in, expires_at, last_used_at, revoked_at is null and expires_at > now(), null from sessions`;

const SHOWN = `encode(c.hash, 'hex') as hash, c.is_in_force, c.key,
  extract(epoch from c.expires_at - now())::float8 * 1000 as expires_in_ms`;

type Row = { read_to: string } & (Credential | { hash: null });

/** What is in force: up to `max` keys and sessions, the last used first. */
export async function readCredentials(db: Db, max: number): Promise<CredentialReading> {
  return reading(db, `where is_in_force order by last_used_at desc nulls last limit $1`, max);
}

/** What was made, revoked or otherwise changed since an earlier reading, by any transaction that it did not see; perhaps some others. */
export async function readChangedCredentials(db: Db, read_to: string): Promise<CredentialReading> {
  // A number of the future is one of the cluster that a dump was made of.
  const changed = `where changed_in >= $1::xid8 and changed_in < pg_snapshot_xmax(pg_current_snapshot())`;
  return reading(db, changed, read_to);
}

/** One statement and so one snapshot: of rows that another statement read it might be the wrong one. */
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
