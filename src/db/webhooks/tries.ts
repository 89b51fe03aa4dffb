import { TRIES_KEPT, type DeliveryStatus, type WebhookPayload } from '../../domain/feed/webhook.ts';
import type { WebhookDelivery } from '../../objects/webhook-delivery.ts';
import type { WebhookEndpoint } from '../../objects/webhook-endpoint.ts';
import type { Db } from '../connection/pool.ts';
import { DELIVERY, type DeliveryKey } from './deliveries.ts';

/** Where a try went, what it sent with which signature, and how that ended. */
type SentTry = {
  url: string;
  payload: WebhookPayload;
  signature: string;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number;
};

/** A try of a delivery, to be stored. */
export type Try = SentTry & { id: string; at: Date };

/** SQL: the last try of the delivery `d`, as `earlier_tries` has those before it. */
const LAST_TRY = `jsonb_build_object('at', instant_text(d.last_attempt_at), 'url', d.sent_to, 'payload', d.sent_payload,
    'signature', d.signature, 'response_status', d.response_status, 'response_body', d.response_body, 'error', d.error,
    'duration_ms', d.duration_ms)`;

/** SQL: what an update writes of a try, with its values from $4 on. The last try until now is an earlier one then. */
const WRITES_TRY = `attempts = d.attempts + 1, earlier_tries = case when d.attempts = 0 then d.earlier_tries
         when d.attempts < ${TRIES_KEPT} then d.earlier_tries || ${LAST_TRY}
         else (d.earlier_tries - 0) || ${LAST_TRY} end,
       sent_to = $4, sent_payload = $5, signature = $6, response_status = $7, response_body = $8, error = $9,
       duration_ms = $10, first_attempt_at = coalesce(d.first_attempt_at, $11), last_attempt_at = $11`;

/** The values from $4 on of WRITES_TRY. */
function valuesOf(sent: Omit<Try, 'id'>): unknown[] {
  const { url, payload, signature, response_status, response_body, error, duration_ms, at } = sent;
  return [url, payload, signature, response_status, response_body, error, duration_ms, at];
}

/**
 * Stores a try that succeeded. Returns the failures in a row of its endpoint until now; null if the delivery was closed
 * meanwhile.
 */
export async function recordSuccess(db: Db, environment_id: number, attempt: Try): Promise<number | null> {
  return recordTry(db, environment_id, { ...attempt, status: 'delivered', next_attempt_at: null });
}

/** Stores a try that failed, and when the next one is. Returns false if the delivery was closed meanwhile. */
export async function recordFailure(
  db: Db,
  environment_id: number,
  attempt: Try & { next_attempt_at: Date },
): Promise<boolean> {
  return (await recordTry(db, environment_id, { ...attempt, status: 'failing' })) !== null;
}

async function recordTry(
  db: Db,
  environment_id: number,
  attempt: Try & { status: DeliveryStatus; next_attempt_at: Date | null },
): Promise<number | null> {
  const { rows } = await db.query<{ failures_of_endpoint: number }>(
    `update webhook_deliveries d set status = $3,
       failures = d.failures + case when $3 = 'failing' then 1 else 0 end, ${WRITES_TRY}, next_attempt_at = $12
     where environment_id = $1 and id = $2 and status in ('pending', 'failing')
     returning (
       select e.failures from webhook_endpoints e
       where e.environment_id = d.environment_id and e.id = d.endpoint_id) as failures_of_endpoint`,
    [environment_id, attempt.id, attempt.status, ...valuesOf(attempt), attempt.next_attempt_at],
  );
  return rows[0]?.failures_of_endpoint ?? null;
}

/**
 * Stores one more try that a person asked for: a success delivers it, a failure changes neither its state nor the time
 * of its next try.
 */
export async function recordResend(
  db: Db,
  environment_id: number,
  attempt: Try & { is_success: boolean },
): Promise<void> {
  await db.query(
    `update webhook_deliveries d set status = case when $3 then 'delivered' else d.status end, ${WRITES_TRY},
       next_attempt_at = case when not $3 then d.next_attempt_at end
     where environment_id = $1 and id = $2 and status <> 'pending'`,
    [environment_id, attempt.id, attempt.is_success, ...valuesOf(attempt)],
  );
}

/** Stores a test of an endpoint, which is tried once and holds up nothing. `data` is the endpoint as it was sent. */
export async function insertTest(
  db: Db,
  environment_id: number,
  test: Try & {
    endpoint_id: string;
    change_id: string;
    type: string;
    is_success: boolean;
    data: WebhookEndpoint | null;
  },
): Promise<void> {
  const { id, endpoint_id, change_id, type, is_success, data } = test;
  await db.query(
    `insert into webhook_deliveries (environment_id, id, status, sent_to, sent_payload, signature, response_status,
       response_body, error, duration_ms, created_at, first_attempt_at, last_attempt_at, attempts, endpoint_id,
       object_id, change_id, type, test_data)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11, 1, $12, $12, $13, $14, $15)`,
    [
      environment_id,
      id,
      is_success ? 'delivered' : 'failing',
      ...valuesOf(test),
      endpoint_id,
      change_id,
      type,
      JSON.stringify(data),
    ],
  );
}

/** A delivery with its tries that are kept, the newest first; `test_data` is what a test sent of the endpoint. */
export type TriedDelivery = WebhookDelivery & {
  tries: (SentTry & { at: string })[];
  test_data: WebhookEndpoint | null;
};

/** A delivery of an endpoint with its tries; null if it does not exist. */
export async function findTriedDelivery(
  db: Db,
  environment_id: number,
  { endpoint_id, id }: DeliveryKey,
): Promise<TriedDelivery | null> {
  const { rows } = await db.query<TriedDelivery>(
    `select ${DELIVERY}, d.test_data, (
       select coalesce(json_agg(t.try order by t.place desc), '[]')
       from jsonb_array_elements(
         case when d.attempts = 0 then '[]' else d.earlier_tries || ${LAST_TRY} end) with ordinality as t(try, place)
     ) as tries
     from webhook_deliveries d join environments n on n.id = d.environment_id
     where d.environment_id = $1 and d.endpoint_id = $2 and d.id = $3`,
    [environment_id, endpoint_id, id],
  );
  return rows[0] ?? null;
}

/** Takes away what receivers answered to the changes of a customer, by its `cus_` id: they may have said who it is. */
export async function eraseAnswers(db: Db, environment_id: number, customer_key: string): Promise<void> {
  await db.query(
    `update webhook_deliveries d set response_body = null, earlier_tries = (
       select coalesce(jsonb_agg(t.try || '{"response_body": null}' order by t.place), '[]')
       from jsonb_array_elements(d.earlier_tries) with ordinality as t(try, place))
     from feed f
     where f.environment_id = $1 and f.customer_key = $2
       and d.environment_id = f.environment_id and d.change_id = f.id and d.attempts > 0`,
    [environment_id, customer_key],
  );
}
