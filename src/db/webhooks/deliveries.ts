import type { DeliveryStatus } from '../../domain/feed/webhook.ts';
import type { WebhookDelivery } from '../../objects/webhook-delivery.ts';
import type { Db } from '../connection/pool.ts';
import { IS_OPEN } from './endpoints.ts';

/** SQL: a delivery `d` as the API shows it, with `n`, its environment. */
export const DELIVERY = `
  d.id, 'webhook_delivery' as object, n.livemode, d.created_at, d.endpoint_id, d.change_id,
  d.sequence::float8 as sequence, d.type, d.object_id, d.status, d.attempts, d.response_status, d.response_body,
  d.error, d.duration_ms, d.first_attempt_at, d.last_attempt_at, d.next_attempt_at`;
const SELECT = `select ${DELIVERY} from webhook_deliveries d join environments n on n.id = d.environment_id`;

export type DeliveryKey = { endpoint_id: string; id: string };

/** A delivery of an endpoint; null if it does not exist. */
export async function findDelivery(
  db: Db,
  environment_id: number,
  { endpoint_id, id }: DeliveryKey,
): Promise<WebhookDelivery | null> {
  const { rows } = await db.query<WebhookDelivery>(
    `${SELECT} where d.environment_id = $1 and d.endpoint_id = $2 and d.id = $3`,
    [environment_id, endpoint_id, id],
  );
  return rows[0] ?? null;
}

/** Deliveries of an endpoint, newest first. */
export async function listDeliveries(
  db: Db,
  environment_id: number,
  page: { endpoint_id: string; status: DeliveryStatus | null; before: string | null; limit: number },
): Promise<WebhookDelivery[]> {
  const { rows } = await db.query<WebhookDelivery>(
    `${SELECT} where d.environment_id = $1 and d.endpoint_id = $2 and ($3::text is null or d.status = $3)
       and ($4::text is null or d.id < $4)
     order by d.id desc limit $5`,
    [environment_id, page.endpoint_id, page.status, page.before, page.limit],
  );
  return rows;
}

/** How many deliveries of an endpoint are open. */
export async function countOpen(db: Db, environment_id: number, endpoint_id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from webhook_deliveries d
     where d.environment_id = $1 and d.endpoint_id = $2 and ${IS_OPEN}`,
    [environment_id, endpoint_id],
  );
  return rows[0]!.count;
}

/** Passes over a failing delivery. Returns false if it is in another state. */
export async function skipDelivery(
  db: Db,
  environment_id: number,
  { endpoint_id, id }: DeliveryKey,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_deliveries set status = 'skipped', next_attempt_at = null
     where environment_id = $1 and endpoint_id = $2 and id = $3 and status = 'failing' and sequence is not null`,
    [environment_id, endpoint_id, id],
  );
  return rowCount === 1;
}

/** Passes over the open deliveries up to a number. */
export async function skipUpTo(
  db: Db,
  environment_id: number,
  { endpoint_id, up_to }: { endpoint_id: string; up_to: number },
): Promise<void> {
  await db.query(
    `update webhook_deliveries d set status = 'skipped', next_attempt_at = null
     where d.environment_id = $1 and d.endpoint_id = $2 and ${IS_OPEN} and d.sequence <= $3`,
    [environment_id, endpoint_id, up_to],
  );
}

/** Makes failing deliveries of an endpoint due now, their times counted anew. */
export async function makeDue(db: Db, environment_id: number, endpoint_id: string): Promise<void> {
  await db.query(
    `update webhook_deliveries d set next_attempt_at = date_trunc('milliseconds', now()), failures = 0
     where d.environment_id = $1 and d.endpoint_id = $2 and d.status = 'failing' and d.sequence is not null`,
    [environment_id, endpoint_id],
  );
}

/** Takes the open deliveries after a number away: they will be made again, or their endpoint is gone. */
export async function dropOpen(
  db: Db,
  environment_id: number,
  { endpoint_id, after }: { endpoint_id: string; after: number },
): Promise<void> {
  await db.query(
    `delete from webhook_deliveries d
     where d.environment_id = $1 and d.endpoint_id = $2 and ${IS_OPEN} and d.sequence > $3`,
    [environment_id, endpoint_id, after],
  );
}

/** How long a closed delivery stays. */
const KEPT_DAYS = 30;

/** Deletes closed deliveries that are old, at most `limit` of each environment; returns how many. */
export async function forgetDeliveries(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries d using environments n, lateral (
       select o.id from (
         select * from webhook_deliveries w
         where w.environment_id = n.id and (w.status in ('delivered', 'skipped') or w.sequence is null)
         order by w.id limit $1) as o
       where o.created_at < now() - interval '${KEPT_DAYS} days') as old
     where d.environment_id = n.id and d.id = old.id`,
    [limit],
  );
  return rowCount ?? 0;
}
