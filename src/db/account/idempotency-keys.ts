import type { Db } from '../connection/pool.ts';

/**
 * One use of an Idempotency-Key header. `claim` is a UUID, unique to this use; it distinguishes the current holder of
 * the key from one whose claim has lapsed.
 */
export type Claim = { environment_id: number; key: string; claim: string };

export type SavedResponse = { status: number; location: string | null; body: string };

/** The earlier use of a key: the hash of its request, and its response; null while it runs. */
export type EarlierUse = { fingerprint: Buffer; response: SavedResponse | null };

const EXPIRED_MAX = 100;

/**
 * Claims a key for a request. Returns false if another use holds the key: one answered within 24 h, or one running for
 * less than 60 s.
 */
export async function claimKey(
  db: Db,
  { environment_id, key, claim }: Claim,
  fingerprint: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into idempotency_keys as k (environment_id, key, fingerprint, claim, claimed_at)
     values ($1, $2, $3, $4, clock_timestamp())
     on conflict (environment_id, key) do update
       set fingerprint = excluded.fingerprint, claim = excluded.claim, claimed_at = excluded.claimed_at,
         status = null, location = null, body = null
       where k.claimed_at < now() - case when k.status is null then interval '60 s' else interval '24 h' end`,
    [environment_id, key, fingerprint, claim],
  );
  return rowCount === 1;
}

/** The use that holds a key; null if there is none. */
export async function findEarlierUse(
  db: Db,
  environment_id: number,
  key: string,
): Promise<EarlierUse | null> {
  const { rows } = await db.query<{
    fingerprint: Buffer;
    status: number | null;
    location: string | null;
    body: string;
  }>(
    'select fingerprint, status, location, body from idempotency_keys where environment_id = $1 and key = $2',
    [environment_id, key],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { fingerprint, status, location, body } = row;
  return { fingerprint, response: status === null ? null : { status, location, body } };
}

/**
 * Stores the response in the transaction of its effect. Returns false if the claim has lapsed and another request holds
 * the key.
 */
export async function saveResponse(db: Db, claim: Claim, response: SavedResponse): Promise<boolean> {
  const { rowCount } = await db.query(
    `update idempotency_keys set status = $4, location = $5, body = $6
     where environment_id = $1 and key = $2 and claim = $3 and status is null`,
    [claim.environment_id, claim.key, claim.claim, response.status, response.location, response.body],
  );
  return rowCount === 1;
}

/** Releases a key after a request without effect; a key with a stored response is kept. */
export async function releaseKey(db: Db, claim: Claim): Promise<void> {
  await db.query(
    'delete from idempotency_keys where environment_id = $1 and key = $2 and claim = $3 and status is null',
    [claim.environment_id, claim.key, claim.claim],
  );
}

/** Deletes some of the keys older than 24 h, oldest first. */
export async function forgetExpired(db: Db): Promise<void> {
  await db.query(
    `delete from idempotency_keys where (environment_id, key) in (
       select environment_id, key from idempotency_keys where claimed_at < now() - interval '24 h'
       order by claimed_at limit $1 for update skip locked)`,
    [EXPIRED_MAX],
  );
}
