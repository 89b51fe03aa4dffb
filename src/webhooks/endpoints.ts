import { transaction, type Db } from '../db/connection/pool.ts';
import { readBounds } from '../db/feed/feed.ts';
import { findDelivery, dropOpen, makeDue, skipUpTo, type DeliveryKey } from '../db/webhooks/deliveries.ts';
import { insertTest, recordResend } from '../db/webhooks/tries.ts';
import type { WebhookDelivery } from '../objects/webhook-delivery.ts';
import {
  countEndpointsLocked,
  findEndpoint,
  findTarget,
  insertEndpoint,
  lockEndpoint,
  markEndpointDeleted,
  moveStatus,
  rotateSecret,
  updateSettings,
  type EndpointSettings,
  type Target,
} from '../db/webhooks/endpoints.ts';
import type { WebhookEndpoint } from '../objects/webhook-endpoint.ts';
import { countFailures, movePlace, takeChanges } from '../db/webhooks/intake.ts';
import { conflict, invalid } from '../domain/money/errors.ts';
import { checkedAfter } from '../domain/feed/feed-place.ts';
import { ENDPOINTS_MAX, type WebhookStatus } from '../domain/feed/webhook.ts';
import { newId } from '../keys/ids.ts';
import type { SigningSecrets } from '../settings/signing-secrets.ts';
import { secretsOf } from './endpoint-secrets.ts';
import { changeOfTest, type SentChange } from './message.ts';
import { namesOf } from './place.ts';
import { faultOfTarget, type Reach } from './reachable.ts';
import { seal } from './sealed-secret.ts';
import type { Sender } from './sender.ts';
import { newSecret } from './signature.ts';
import { sendOnce, type Recipient } from './try.ts';

const DAY_MS = 86_400_000;
/** Changes that one request may list as skipped. */
const SKIPPED_MAX = 100_000;

/** An endpoint whose secret is shown this once. */
export type ShownEndpoint = WebhookEndpoint & { secret: string };

/**
 * Makes an endpoint, which begins after the number `after`, else with what comes next. Throws invalid_request, conflict
 * `too_many`.
 */
export async function createEndpoint(
  db: Db,
  environment_id: number,
  { after, ...settings }: EndpointSettings & { after: number | undefined },
  { reach, secrets }: { reach: Reach; secrets: SigningSecrets },
): Promise<ShownEndpoint> {
  checkTarget(settings.url, reach);
  const taken_up_to = await placeOf(db, environment_id, after);
  if ((await countEndpointsLocked(db, environment_id)) >= ENDPOINTS_MAX)
    throw conflict(null, 'too_many', `an environment has at most ${ENDPOINTS_MAX} webhook endpoints`);
  const [id, secret] = [newId('whe'), newSecret()];
  const sealed = seal(secret, { owner: id, secrets });
  await insertEndpoint(db, environment_id, { ...settings, id, secret: sealed, taken_up_to });
  return { ...(await findEndpoint(db, environment_id, id))!, secret };
}

/**
 * Changes settings of an endpoint; null if it does not exist. Another address is tried at once. Throws invalid_request.
 */
export async function changeEndpoint(
  db: Db,
  environment_id: number,
  { id, ...changed }: Partial<EndpointSettings> & { id: string },
  reach: Reach,
): Promise<WebhookEndpoint | null> {
  if (!(await lockEndpoint(db, environment_id, id))) return null;
  const before = (await findEndpoint(db, environment_id, id))!;
  if (changed.url !== undefined) checkTarget(changed.url, reach);
  await updateSettings(db, environment_id, { ...before, ...changed });
  if (changed.url !== undefined && changed.url !== before.url) await tryAtOnce(db, environment_id, id);
  return findEndpoint(db, environment_id, id);
}

/** Pauses an active endpoint: nothing is sent, and nothing is lost. Throws conflict `invalid_state`. */
export async function pauseEndpoint(
  db: Db,
  environment_id: number,
  id: string,
): Promise<WebhookEndpoint | null> {
  return move(db, environment_id, { id, from: ['active'], to: 'paused', reason: null });
}

/**
 * Goes on with a paused or parked endpoint where it stopped, or after the number `after`, beyond what it passes, which
 * is listed as skipped. Throws conflict `invalid_state`, invalid_request.
 */
export async function resumeEndpoint(
  db: Db,
  environment_id: number,
  { id, after, at }: { id: string; after: number | undefined; at: Date },
): Promise<WebhookEndpoint | null> {
  const resumed = await move(db, environment_id, {
    id,
    from: ['paused', 'parked'],
    to: 'active',
    reason: null,
  });
  if (resumed === null) return null;
  if (after !== undefined) await skipTo(db, environment_id, { endpoint: resumed, after, at });
  await tryAtOnce(db, environment_id, id);
  return findEndpoint(db, environment_id, id);
}

/** Sends all changes after a number again, with the same ids, before what comes next. Throws invalid_request. */
export async function replayEndpoint(
  db: Db,
  environment_id: number,
  { id, after }: { id: string; after: number },
): Promise<WebhookEndpoint | null> {
  if (!(await lockEndpoint(db, environment_id, id))) return null;
  const to = await placeOf(db, environment_id, after);
  const { taken_up_to } = (await findTarget(db, environment_id, { id, at: new Date(0) }))!;
  if (to > taken_up_to) {
    const message = `after must not be above ${taken_up_to}, where the endpoint is: resume goes ahead`;
    throw invalid('after', 'out_of_range', message);
  }
  await dropOpen(db, environment_id, { endpoint_id: id, after: to });
  await movePlace(db, environment_id, { endpoint_id: id, to });
  await tryAtOnce(db, environment_id, id);
  return findEndpoint(db, environment_id, id);
}

/** Gives an endpoint a new secret. The one until now signs beside it for 24 hours. */
export async function rotateEndpoint(
  db: Db,
  environment_id: number,
  { id, at, secrets }: { id: string; at: Date; secrets: SigningSecrets },
): Promise<ShownEndpoint | null> {
  if (!(await lockEndpoint(db, environment_id, id))) return null;
  const target = (await findTarget(db, environment_id, { id, at }))!;
  const secret = newSecret();
  await rotateSecret(db, environment_id, {
    id,
    secret: seal(secret, { owner: id, secrets }),
    previous: target.secret,
    until: new Date(at.getTime() + DAY_MS),
  });
  return { ...(await findEndpoint(db, environment_id, id))!, secret };
}

/** Deletes an endpoint. Returns false if there is none. */
export async function deleteEndpoint(db: Db, environment_id: number, id: string): Promise<boolean> {
  if (!(await markEndpointDeleted(db, environment_id, id))) return false;
  await dropOpen(db, environment_id, { endpoint_id: id, after: 0 });
  return true;
}

/** Sends a test once; null if the endpoint does not exist. Changes nothing of the endpoint. */
export async function testEndpoint(
  sender: Sender,
  environment_id: number,
  { id, livemode, at }: { id: string; livemode: boolean; at: Date },
): Promise<WebhookDelivery | null> {
  const target = await findTarget(sender.pool, environment_id, { id, at });
  if (target === null) return null;
  const [delivery_id, created_at] = [newId('whd'), at.toISOString()];
  const data = await findEndpoint(sender.pool, environment_id, id);
  const change = changeOfTest({ id: newId('chn'), livemode, created_at, endpoint_id: id, data });
  const tried = (await sendOnce(sender, await recipientOf(sender, target), { change, at }))!;
  const { id: change_id, type } = change;
  const test = { ...tried, id: delivery_id, endpoint_id: id, change_id, type, data };
  await insertTest(sender.pool, environment_id, test);
  return findDelivery(sender.pool, environment_id, { endpoint_id: id, id: delivery_id });
}

/**
 * Tries a delivery once more; null if it does not exist. Throws conflict `invalid_state` for one that waits for its
 * turn, for a test, and where the change is no longer kept.
 */
export async function resendDelivery(
  sender: Sender,
  environment_id: number,
  { change, delivery, at }: { change: SentChange | null; delivery: WebhookDelivery; at: Date },
): Promise<WebhookDelivery | null> {
  const { id, endpoint_id, status } = delivery;
  if (status === 'pending' || delivery.sequence === null)
    throw conflict(
      null,
      'invalid_state',
      `the delivery ${id} is ${status === 'pending' ? 'not tried yet' : 'a test'}`,
    );
  if (change === null)
    throw conflict(null, 'invalid_state', `the change of the delivery ${id} is no longer kept`);
  const target = await findTarget(sender.pool, environment_id, { id: endpoint_id, at });
  if (target === null) return null;
  const tried = (await sendOnce(sender, await recipientOf(sender, target), { change, at }))!;
  await transaction(sender.pool, async (db) => {
    await recordResend(db, environment_id, { id, ...tried });
    if (tried.is_success) await countFailures(db, environment_id, { endpoint_id, has_failed: false });
  });
  const key: DeliveryKey = { endpoint_id, id };
  return findDelivery(sender.pool, environment_id, key);
}

async function recipientOf(sender: Sender, target: Target): Promise<Recipient> {
  const secrets = await secretsOf(sender, target);
  if (secrets === null)
    throw conflict(null, 'invalid_state', `the secret of ${target.id} cannot be read: rotate it`);
  return { target, secrets };
}

function checkTarget(url: string, reach: Reach): void {
  const fault = faultOfTarget(url, reach);
  if (fault !== null) throw invalid('url', 'not_allowed', `url ${fault}`);
}

/** The place after a number of the feed, as in `GET /v1/changes`; without one, after the newest. */
async function placeOf(db: Db, environment_id: number, after: number | undefined): Promise<number> {
  const bounds = await readBounds(db, environment_id);
  return after === undefined ? bounds.newest_sequence : checkedAfter(after, bounds);
}

/** Throws conflict `invalid_state` unless the endpoint is in one of the states `from`. Null if there is none. */
async function move(
  db: Db,
  environment_id: number,
  moved: { id: string; from: readonly WebhookStatus[]; to: WebhookStatus; reason: string | null },
): Promise<WebhookEndpoint | null> {
  const is_moved = await moveStatus(db, environment_id, moved);
  const endpoint = await findEndpoint(db, environment_id, moved.id);
  if (endpoint !== null && !is_moved)
    throw conflict(null, 'invalid_state', `the endpoint ${moved.id} is ${endpoint.status}`);
  return endpoint;
}

/** Passes over all changes of an endpoint up to a number. */
async function skipTo(
  db: Db,
  environment_id: number,
  { endpoint, after, at }: { endpoint: WebhookEndpoint; after: number; at: Date },
): Promise<void> {
  const { id: endpoint_id, delivered_up_to } = endpoint;
  const up_to = await placeOf(db, environment_id, after);
  if (up_to < delivered_up_to) {
    const message = `after must be ${delivered_up_to} or above, which is delivered: replay sends changes again`;
    throw invalid('after', 'out_of_range', message);
  }
  await skipUpTo(db, environment_id, { endpoint_id, up_to });
  const target = (await findTarget(db, environment_id, { id: endpoint_id, at }))!;
  if (up_to - target.taken_up_to > SKIPPED_MAX)
    return movePlace(db, environment_id, { endpoint_id, to: up_to });
  const names = namesOf(target.types);
  for (let place = target.taken_up_to; place < up_to;)
    place = (await takeChanges(db, environment_id, {
      endpoint: { ...target, taken_up_to: place },
      up_to,
      names,
      status: 'skipped',
      at,
    }))!;
}

async function tryAtOnce(db: Db, environment_id: number, endpoint_id: string): Promise<void> {
  await makeDue(db, environment_id, endpoint_id);
  await countFailures(db, environment_id, { endpoint_id, has_failed: false });
}
