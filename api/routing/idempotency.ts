import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  claimKey,
  findEarlierUse,
  forgetExpired,
  releaseKey,
  saveResponse,
  type Claim,
  type SavedResponse,
} from '../../src/db/account/idempotency-keys.ts';
import type { Db, Pool } from '../../src/db/connection/pool.ts';
import { BillingError, conflict, invalid } from '../../src/domain/money/errors.ts';

const HEADER = 'Idempotency-Key';
const PRINTABLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const RETRY_SECONDS = 1;
const CLAIM_TRIES_MAX = 3;
/** Time after which a claim lapses by itself and need not be released any more. */
const LAPSES_MS = 60_000;
const RELEASE_INTERVAL_MS = 1000;
/** How long the response of a failed request waits for the release of its claim. */
const RELEASE_WAIT_MS = 500;

export type Use = { environment_id: number; key: string; fingerprint: Buffer };

/** The Idempotency-Key header of a request; null for none. Throws invalid_request if it is malformed or sent twice. */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | null {
  const values = headersDistinct[HEADER.toLowerCase()];
  if (values === undefined) return null;
  const [key, ...more] = values;
  if (key === undefined || more.length > 0 || !PRINTABLE_ASCII.test(key))
    throw invalid(
      HEADER,
      'malformed',
      `${HEADER} must be sent once, with 1 to 255 printable ASCII characters`,
    );
  return key;
}

/** SHA-256 of method, path and body, which must be the same in a retry. */
export function fingerprintOf({
  method,
  path,
  body,
}: {
  method: string;
  path: string;
  body: Buffer | null;
}): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n`)
    .update(body ?? '')
    .digest();
}

/** Stores the response of a request with a key for its retries. Call it in the transaction of the request's effect. */
export type Keep = (db: Db, response: SavedResponse) => Promise<void>;

/**
 * Runs a request once: a retry gets the stored response (contract.md 1, "Retry of other POSTs"). `run` must call `keep`
 * in the transaction of its effect; without that, a retry runs again. Throws conflict: `idempotency_mismatch` if the
 * key was used for another request, `request_in_progress` while the first request runs.
 */
export async function runOnce<Outcome>(
  pool: Pool,
  use: Use,
  run: (keep: Keep) => Promise<Outcome>,
): Promise<{ fresh: Outcome } | { replayed: SavedResponse }> {
  const claim: Claim = { environment_id: use.environment_id, key: use.key, claim: randomUUID() };
  let is_kept = false;
  const keep: Keep = async (db, response) => {
    // This request stalled until its claim had lapsed, and another request has claimed the key.
    if (!(await saveResponse(db, claim, response))) throw inProgress();
    is_kept = true;
  };
  try {
    const replayed = await claimOrReplay(pool, use, claim);
    if (replayed !== null) return { replayed };
    const fresh = await run(keep);
    if (!is_kept) await releaseKey(pool, claim);
    return { fresh };
  } catch (error) {
    // Also if claiming failed: the claim may be stored although its result was lost. The original error is thrown in
    // any case.
    await Promise.race([release(pool, claim), pause(RELEASE_WAIT_MS, undefined, { ref: false })]);
    throw error;
  }
}

/** The stored response of an earlier request; null if this request has claimed the key and must run. */
async function claimOrReplay(pool: Pool, use: Use, claim: Claim): Promise<SavedResponse | null> {
  await forgetExpired(pool);
  for (let attempt = 1; attempt <= CLAIM_TRIES_MAX; attempt++) {
    if (await claimKey(pool, claim, use.fingerprint)) return null;
    const earlier = await findEarlierUse(pool, use.environment_id, use.key);
    // The earlier request has just released the key: claim again.
    if (earlier === null) continue;
    if (!earlier.fingerprint.equals(use.fingerprint))
      throw conflict(
        HEADER,
        'idempotency_mismatch',
        `${HEADER} was already used for a request with a different path or body`,
      );
    if (earlier.response !== null) return earlier.response;
    break;
  }
  throw inProgress();
}

/** Releases a claim. Retries until the database responds or the claim has lapsed (60 s). Never rejects. */
async function release(pool: Pool, claim: Claim): Promise<void> {
  const lapses_at = performance.now() + LAPSES_MS;
  while (performance.now() < lapses_at) {
    const is_released = await releaseKey(pool, claim).then(
      () => true,
      () => false,
    );
    if (is_released || pool.ended) return;
    await pause(RELEASE_INTERVAL_MS, undefined, { ref: false });
  }
}

function inProgress(): BillingError {
  const message = 'an earlier request with this key is still running';
  return new BillingError(
    'conflict',
    [{ param: HEADER, reason: 'request_in_progress', message }],
    RETRY_SECONDS,
  );
}
