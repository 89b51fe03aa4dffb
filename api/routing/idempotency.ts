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
import type { Db, Pool } from '../../src/db/pool.ts';
import { BillingError, conflict, invalid } from '../../src/domain/errors.ts';

const HEADER = 'Idempotency-Key';
const PRINTABLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const RETRY_SECONDS = 1;
const CLAIM_TRIES_MAX = 3;
/** When a mark lapses by itself: nobody need take it away any longer. */
const LAPSES_MS = 60_000;
const RELEASE_INTERVAL_MS = 1000;
/** How long the answer of a request that failed waits until its mark is away. */
const RELEASE_WAIT_MS = 500;

export type Use = { environment_id: number; key: string; fingerprint: Buffer };

/** The key that a request carries for being sent again; null for none. Throws invalid_request for a malformed one. */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | null {
  const sent = headersDistinct[HEADER.toLowerCase()];
  if (sent === undefined) return null;
  const [key, ...more] = sent;
  if (key === undefined || more.length > 0 || !PRINTABLE_ASCII.test(key))
    throw invalid(HEADER, 'malformed', `${HEADER} must be one header of 1 to 255 printable ASCII characters`);
  return key;
}

/** What must be the same when a request is sent again. */
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

/** Writes the answer of a request that has a key, in the transaction of its effect. */
export type Keep = (db: Db, response: SavedResponse) => Promise<void>;

/**
 * Runs a request once: whoever sends it again gets the answer that was kept (contract.md 1, "Retry of other POSTs"). `run` must
 * call `keep` where its effect is. Throws idempotency_mismatch when the key was used for something else, request_in_progress
 * while the first use runs.
 */
export async function runOnce<Outcome>(
  pool: Pool,
  use: Use,
  run: (keep: Keep) => Promise<Outcome>,
): Promise<{ fresh: Outcome } | { replayed: SavedResponse }> {
  const claim: Claim = { environment_id: use.environment_id, key: use.key, claim: randomUUID() };
  const keep: Keep = async (db, response) => {
    // Another request took the key over: this one came to life again after its mark had lapsed.
    if (!(await saveResponse(db, claim, response))) throw inProgress();
  };
  try {
    const replayed = await claimOrReplay(pool, use, claim);
    return replayed === null ? { fresh: await run(keep) } : { replayed };
  } catch (error) {
    // Where the claim had no answer, a mark may be there all the same. The first error is the one that counts.
    await Promise.race([release(pool, claim), pause(RELEASE_WAIT_MS, undefined, { ref: false })]);
    throw error;
  }
}

/** Null where the request is to run: its claim holds the key. */
async function claimOrReplay(pool: Pool, use: Use, claim: Claim): Promise<SavedResponse | null> {
  await forgetExpired(pool);
  for (let attempt = 1; attempt <= CLAIM_TRIES_MAX; attempt++) {
    if (await claimKey(pool, claim, use.fingerprint)) return null;
    const earlier = await findEarlierUse(pool, use.environment_id, use.key);
    // Released meanwhile: it is free again.
    if (earlier === null) continue;
    if (!earlier.fingerprint.equals(use.fingerprint))
      throw conflict(
        HEADER,
        'idempotency_mismatch',
        `${HEADER} was used for a request with another path or body`,
      );
    if (earlier.response !== null) return earlier.response;
    break;
  }
  throw inProgress();
}

/** Takes a mark away as soon as the database answers; after a minute it has lapsed. Never rejects. */
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
  const message = 'the first request with this key is still running';
  return new BillingError(
    'conflict',
    [{ param: HEADER, reason: 'request_in_progress', message }],
    RETRY_SECONDS,
  );
}
