import type { WebhookPayload, WebhookStatus } from '../../domain/feed/webhook.ts';
import type { Db } from '../connection/pool.ts';

/** An endpoint as the API shows it (contract.md 11). The secret is apart. */
export type WebhookEndpoint = {
  id: string;
  object: 'webhook_endpoint';
  livemode: boolean;
  created_at: string;
  url: string;
  types: string[] | null;
  description: string | null;
  payload: WebhookPayload;
  status: WebhookStatus;
  status_reason: string | null;
  failing_since: string | null;
  delivered_up_to: number;
  previous_secret_until: string | null;
};

/** Members that a person writes. */
export type EndpointSettings = Pick<WebhookEndpoint, 'url' | 'types' | 'description' | 'payload'>;

export type NewEndpoint = EndpointSettings & { id: string; secret: Buffer; taken_up_to: number };

/** SQL: a delivery `d` that waits for its first or its next try. A test never does. */
export const IS_OPEN = `d.status in ('pending', 'failing') and d.sequence is not null`;

const SELECT = `
  select e.id, 'webhook_endpoint' as object, n.livemode, e.created_at, e.url, e.types, e.description, e.payload,
    e.status, e.status_reason, o.failing_since, coalesce(o.oldest - 1, e.taken_up_to)::float8 as delivered_up_to,
    case when e.previous_secret_until > now() then e.previous_secret_until end as previous_secret_until
  from webhook_endpoints e
  join environments n on n.id = e.environment_id
  cross join lateral (
    select min(d.sequence) as oldest, min(d.first_attempt_at) filter (where d.status = 'failing') as failing_since
    from webhook_deliveries d
    where d.environment_id = e.environment_id and d.endpoint_id = e.id and ${IS_OPEN}) as o`;

/** Stores an endpoint. */
export async function insertEndpoint(db: Db, environment_id: number, endpoint: NewEndpoint): Promise<void> {
  const { id, url, types, description, payload, secret, taken_up_to } = endpoint;
  await db.query(
    `insert into webhook_endpoints (environment_id, id, url, types, description, payload, secret, taken_up_to)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [environment_id, id, url, types, description, payload, secret, taken_up_to],
  );
}

/** Counts the endpoints of an environment, under a lock under which alone one is added. */
export async function countEndpointsLocked(db: Db, environment_id: number): Promise<number> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('webhook endpoints', $1))`, [environment_id]);
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from webhook_endpoints where environment_id = $1 and deleted_at is null',
    [environment_id],
  );
  return rows[0]!.count;
}

/** The endpoints with these ids that are not deleted, in any order. */
export async function readEndpoints(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<WebhookEndpoint[]> {
  const { rows } = await db.query<WebhookEndpoint>(
    `${SELECT} where e.environment_id = $1 and e.id = any($2) and e.deleted_at is null`,
    [environment_id, ids],
  );
  return rows;
}

/** An endpoint by id; null if it does not exist or is deleted. */
export async function findEndpoint(
  db: Db,
  environment_id: number,
  id: string,
): Promise<WebhookEndpoint | null> {
  return (await readEndpoints(db, environment_id, [id]))[0] ?? null;
}

/** Endpoints, newest first. */
export async function listEndpoints(
  db: Db,
  environment_id: number,
  page: { before: string | null; limit: number },
): Promise<WebhookEndpoint[]> {
  const { rows } = await db.query<WebhookEndpoint>(
    `${SELECT} where e.environment_id = $1 and e.deleted_at is null and ($2::text is null or e.id < $2)
     order by e.id desc limit $3`,
    [environment_id, page.before, page.limit],
  );
  return rows;
}

/** Endpoints that are parked or whose deliveries fail, newest first. */
export async function listTroubledEndpoints(
  db: Db,
  environment_id: number,
  limit: number,
): Promise<WebhookEndpoint[]> {
  const { rows } = await db.query<WebhookEndpoint>(
    `${SELECT} where e.environment_id = $1 and e.deleted_at is null
       and (e.status = 'parked' or e.status = 'active' and o.failing_since is not null)
     order by e.id desc limit $2`,
    [environment_id, limit],
  );
  return rows;
}

/** Locks an endpoint, so that its state and its place move once at a time; false if it does not exist or is deleted. */
export async function lockEndpoint(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from webhook_endpoints where environment_id = $1 and id = $2 and deleted_at is null for update',
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Writes the settings of an endpoint. The caller holds its lock. */
export async function updateSettings(
  db: Db,
  environment_id: number,
  { id, url, types, description, payload }: EndpointSettings & { id: string },
): Promise<void> {
  await db.query(
    `update webhook_endpoints set url = $3, types = $4, description = $5, payload = $6
     where environment_id = $1 and id = $2
       and (url, types, description, payload) is distinct from ($3, $4::text[], $5, $6)`,
    [environment_id, id, url, types, description, payload],
  );
}

/**
 * Moves an endpoint from one of some states to another, with `taken_up_to` only if that is its place. Returns false if
 * it is in none of the states, at another place, or deleted.
 */
export async function moveStatus(
  db: Db,
  environment_id: number,
  {
    id,
    from,
    to,
    reason,
    taken_up_to = null,
  }: {
    id: string;
    from: readonly WebhookStatus[];
    to: WebhookStatus;
    reason: string | null;
    taken_up_to?: number | null;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set status = $4, status_reason = $5
     where environment_id = $1 and id = $2 and status = any($3) and deleted_at is null
       and ($6::bigint is null or taken_up_to = $6)`,
    [environment_id, id, from, to, reason, taken_up_to],
  );
  return rowCount === 1;
}

/** Marks an endpoint as deleted, and closes its open deliveries. Returns false if there is none. */
export async function markEndpointDeleted(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set deleted_at = date_trunc('milliseconds', now()), secret = '', previous_secret = null,
       previous_secret_until = null
     where environment_id = $1 and id = $2 and deleted_at is null`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Its new secret; the one until now stays valid until an instant. The caller holds the lock. */
export async function rotateSecret(
  db: Db,
  environment_id: number,
  { id, secret, previous, until }: { id: string; secret: Buffer; previous: Buffer; until: Date },
): Promise<void> {
  await db.query(
    `update webhook_endpoints set secret = $3, previous_secret = $4, previous_secret_until = $5
     where environment_id = $1 and id = $2 and deleted_at is null`,
    [environment_id, id, secret, previous, until],
  );
}

/** Where an endpoint sends, and with which secrets. */
export type Target = {
  environment_id: number;
  id: string;
  url: string;
  payload: WebhookPayload;
  types: string[] | null;
  status: WebhookStatus;
  status_reason: string | null;
  secret: Buffer;
  /** Null once its time is over. */
  previous_secret: Buffer | null;
  taken_up_to: number;
};

/** SQL: the columns of a Target, of the endpoint `e` at the instant $3. */
export const TARGET = `e.environment_id, e.id, e.url, e.payload, e.types, e.status, e.status_reason, e.secret,
       case when e.previous_secret_until > $3 then e.previous_secret end as previous_secret,
       e.taken_up_to::float8 as taken_up_to`;

/** The target of an endpoint; null if it does not exist or is deleted. */
export async function findTarget(
  db: Db,
  environment_id: number,
  { id, at }: { id: string; at: Date },
): Promise<Target | null> {
  const { rows } = await db.query<Target>(
    `select ${TARGET} from webhook_endpoints e
     where e.environment_id = $1 and e.id = $2 and e.deleted_at is null`,
    [environment_id, id, at],
  );
  return rows[0] ?? null;
}

/** Replaces secrets by their text under another key. False if they have changed meanwhile. */
export async function replaceSealed(
  db: Db,
  { environment_id, id, secret, previous_secret }: Target,
  sealed: { secret: Buffer; previous_secret: Buffer | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set secret = $4, previous_secret = coalesce($6, previous_secret)
     where environment_id = $1 and id = $2 and secret = $3 and ($5::bytea is null or previous_secret = $5)`,
    [environment_id, id, secret, sealed.secret, previous_secret, sealed.previous_secret],
  );
  return rowCount === 1;
}

/** Endpoints of all environments by status. */
export async function countEndpoints(
  db: Db,
): Promise<{ environment: string; status: WebhookStatus; count: number }[]> {
  const { rows } = await db.query<{ environment: string; status: WebhookStatus; count: number }>(
    `select case when n.livemode then 'live' else 'test' end as environment, e.status, count(*)::integer as count
     from webhook_endpoints e join environments n on n.id = e.environment_id where e.deleted_at is null group by 1, 2`,
  );
  return rows;
}

export type EndpointKey = { environment_id: number; endpoint_id: string };

/**
 * Endpoints whose workflow sleeps although changes that they may send are there: the publisher wakes them. Rows are
 * locked by nothing, so a workflow that falls asleep looks again after it has said so.
 */
export async function sleepersWithChanges(db: Db): Promise<EndpointKey[]> {
  const { rows } = await db.query<EndpointKey>(
    `select e.environment_id, e.id as endpoint_id from webhook_endpoints e
     join feeds f on f.environment_id = e.environment_id and f.last_sequence > e.taken_up_to
     where e.is_asleep and e.status = 'active' and e.deleted_at is null`,
  );
  return rows;
}

/** All endpoints that have a workflow. */
export async function allEndpoints(db: Db): Promise<EndpointKey[]> {
  const { rows } = await db.query<EndpointKey>(
    'select environment_id, id as endpoint_id from webhook_endpoints where deleted_at is null',
  );
  return rows;
}

/** Notes that the workflow of an endpoint sleeps until a signal, or that it does not any more. */
export async function noteSleep(
  db: Db,
  { environment_id, endpoint_id }: EndpointKey,
  is_asleep: boolean,
): Promise<void> {
  await db.query(
    'update webhook_endpoints set is_asleep = $3 where environment_id = $1 and id = $2 and is_asleep <> $3',
    [environment_id, endpoint_id, is_asleep],
  );
}
