import type { Db } from '../pool.ts';

/**
 * One use of an Idempotency-Key header; `claim`, a UUID of its own, tells the use that holds the key from one that came too late.
 */
export type Claim = { environment_id: number; key: string; claim: string };

export type SavedResponse = { status: number; location: string | null; body: string };

/** Who else used the key: what it sent, and the answer it got, or null while it runs. */
export type EarlierUse = { fingerprint: Buffer; response: SavedResponse | null };

const EXPIRED_MAX = 100;

/**
 * Claims a key for a request, unless an earlier one answered within 24 h or still runs: a mark older than 60 s has lapsed. False where
 * another use holds it.
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

/** Keeps the answer beside its effect. False when the claim has lapsed and another request holds the key. */
export async function saveResponse(db: Db, claim: Claim, response: SavedResponse): Promise<boolean> {
  const { rowCount } = await db.query(
    `update idempotency_keys set status = $4, location = $5, body = $6
     where environment_id = $1 and key = $2 and claim = $3 and status is null`,
    [claim.environment_id, claim.key, claim.claim, response.status, response.location, response.body],
  );
  return rowCount === 1;
}

/** Gives a key back after a request that had no effect; one that had keeps it, with its answer. */
export async function releaseKey(db: Db, claim: Claim): Promise<void> {
  await db.query(
    'delete from idempotency_keys where environment_id = $1 and key = $2 and claim = $3 and status is null',
    [claim.environment_id, claim.key, claim.claim],
  );
}

/** Forgets some of what is older than 24 h. */
export async function forgetExpired(db: Db): Promise<void> {
  await db.query(
    `delete from idempotency_keys where (environment_id, key) in (
       select environment_id, key from idempotency_keys where claimed_at < now() - interval '24 h'
       order by claimed_at limit $1 for update skip locked)`,
    [EXPIRED_MAX],
  );
}
