import { findChange } from '../db/feed/feed.ts';
import { moveStatus, type Target } from '../db/webhooks/endpoints.ts';
import { countFailures } from '../db/webhooks/intake.ts';
import { recordFailure, recordSuccess, type Try } from '../db/webhooks/tries.ts';
import type { DueDelivery } from '../db/webhooks/work.ts';
import { transaction } from '../db/connection/pool.ts';
import { FAILURES_MAX } from '../domain/feed/webhook.ts';
import { bodyOf, headersOf, type SentChange } from './message.ts';
import { post } from './post.ts';
import { nextTryAt } from './retry.ts';
import type { Sender } from './sender.ts';
import { signatureHeaders } from './signature.ts';

const TIMEOUT_MS = 15_000;
const GONE = 410;

/** An endpoint, and the secrets that sign for it. */
export type Recipient = { target: Target; secrets: readonly string[] };

/** A try and what the receiver asked for. A status from 200 to 299 is a success, whatever the body does. */
export type Tried = Omit<Try, 'id'> & { is_success: boolean; retry_after: string | null };

/**
 * Sends a change once; null if `signal` broke it off, which is no try. `at` is the instant that the signature names.
 */
export async function sendOnce(
  { reach, source }: Sender,
  { target, secrets }: Recipient,
  { change, at, signal }: { change: SentChange; at: Date; signal?: AbortSignal },
): Promise<Tried | null> {
  const { url, payload } = target;
  const body = bodyOf(change, payload);
  const signed = signatureHeaders({ id: change.id, body, sent_at: at, secrets });
  const headers = { ...headersOf(change, source), ...signed };
  const {
    status,
    body: response_body,
    retry_after,
    error,
    duration_ms,
  } = await post(
    { url, headers, body },
    { reach, timeout_ms: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) },
  );
  if (status === null && signal?.aborted === true) return null;
  const is_success = status !== null && status >= 200 && status < 300;
  const sent = { at, url, payload, signature: signed['webhook-signature'] };
  return { ...sent, response_status: status, response_body, error, duration_ms, is_success, retry_after };
}

/** The outcome of a delivery that was due. `stopped`: the process ends, and nothing is stored. */
export type Outcome = 'delivered' | 'failed' | 'stopped';

/**
 * Sends a delivery that is due, and stores the try. The endpoint pauses after a 410, and is parked after 18 failed
 * tries, or if the change is no longer kept.
 */
export async function tryDelivery(
  sender: Sender,
  recipient: Recipient,
  { due, at, signal }: { due: DueDelivery; at: Date; signal: AbortSignal },
): Promise<Outcome> {
  const { pool } = sender;
  const { environment_id, id: endpoint_id } = recipient.target;
  const change = await findChange(pool, environment_id, due.sequence);
  if (change === null) {
    const reason = `the change ${due.sequence} is no longer kept: read the lists again, then resume after it`;
    await park(sender, recipient.target, reason);
    return 'failed';
  }
  const tried = await sendOnce(sender, recipient, { change, at, signal });
  if (tried === null) return 'stopped';
  if (tried.is_success) {
    const failures = await recordSuccess(pool, environment_id, { id: due.id, ...tried });
    if (failures !== 0) await countFailures(pool, environment_id, { endpoint_id, has_failed: false });
    return 'delivered';
  }
  const failures = due.failures + 1;
  const refused = { status: tried.response_status, retry_after: tried.retry_after };
  // Not `at`: a receiver that fails slowly gets the whole wait too.
  const next_attempt_at = nextTryAt(refused, { ended_at: sender.now(), failures, chance: Math.random() });
  await transaction(pool, async (db) => {
    if (!(await recordFailure(db, environment_id, { id: due.id, ...tried, next_attempt_at }))) return;
    await countFailures(db, environment_id, { endpoint_id, has_failed: true });
    const from = ['active'] as const;
    if (tried.response_status === GONE) {
      const reason = 'the receiver answered 410 Gone';
      await moveStatus(db, environment_id, { id: endpoint_id, from, to: 'paused', reason });
    } else if (failures >= FAILURES_MAX) {
      const reason = `the change ${change.sequence} (${change.type}) failed ${failures} times in a row: ${faultOf(tried)}`;
      await moveStatus(db, environment_id, { id: endpoint_id, from, to: 'parked', reason });
    }
  });
  return 'failed';
}

/** Parks an endpoint for a person. */
export async function park(
  { pool }: Pick<Sender, 'pool'>,
  { environment_id, id }: Target,
  reason: string,
): Promise<void> {
  await moveStatus(pool, environment_id, { id, from: ['active'], to: 'parked', reason });
}

function faultOf({ response_status, error }: Tried): string {
  return response_status === null ? `${error}` : `the receiver answered ${response_status}`;
}
