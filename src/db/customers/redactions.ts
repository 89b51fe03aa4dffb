import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from './customer-now.ts';

/** SQL: the redactions of the customer `c` in one object, as the API shows them; null if there are none. */
export const REDACTION_OF_CUSTOMER = `(
  select jsonb_build_object('redacted_at', instant_text(max(r.redacted_at)),
    'properties', array(
      select distinct unnest(p.properties) collate "C" as name from redactions p
      where p.customer_key = c.key order by name),
    'events', case when bool_and(r.finished_at is not null) then 'done' else 'pending' end)
  from redactions r where r.customer_key = c.key having count(*) > 0)`;

export type NewRedaction = {
  customer_id: string;
  properties: readonly string[];
  /** A key or a session. */
  by: string;
};

/** Records a redaction by the customer's clock. Without properties, nothing is left to do. */
export async function insertRedaction(
  db: Db,
  environment_id: number,
  { customer_id, properties, by }: NewRedaction,
): Promise<void> {
  await db.query(
    `insert into redactions (environment_id, customer_id, customer_key, properties, redacted_at, redacted_by, epoch,
       finished_at)
     select c.environment_id, c.id, c.key, $3, now.now, $4, (select max(epoch) from epochs),
       case when cardinality($3::text[]) = 0 then now.now end
     from customers c cross join lateral (select ${CUSTOMER_NOW} as now) as now
     where c.environment_id = $1 and c.id = $2`,
    [environment_id, customer_id, properties, by],
  );
}

/** SQL: the properties of each redaction of the customer `c` whose events are not all passed, as a list of lists. */
export const PENDING_REDACTIONS = `(
  select coalesce(json_agg(r.properties order by r.id), '[]') from redactions r
  where r.environment_id = c.environment_id and r.customer_id = c.id and r.finished_at is null)`;

/** The properties of each redaction of a customer whose events are not all passed. */
export async function pendingRedactions(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<string[][]> {
  const { rows } = await db.query<{ pending: string[][] }>(
    `select ${PENDING_REDACTIONS} as pending from customers c where c.environment_id = $1 and c.id = $2`,
    [environment_id, customer_id],
  );
  return rows[0]!.pending;
}

/** A redaction in work. `after` is the last event that was passed. */
export type PendingRedaction = {
  id: string;
  customer_key: string;
  properties: string[];
  epoch: number;
  xid: string;
  after: EventPlace | null;
};

export type EventPlace = { timestamp: string; id: string };

/** The oldest redaction whose events are not all passed; null if there is none. */
export async function nextPendingRedaction(db: Db): Promise<PendingRedaction | null> {
  const { rows } = await db.query<
    Omit<PendingRedaction, 'after'> & { timestamp: string | null; event_id: string }
  >(
    // Only one after which every transaction has begun: an event that was being stored during the call is stored by
    // now.
    `select id, customer_key, properties, epoch, xid::text as xid, swept_to_timestamp as timestamp,
       swept_to_id as event_id
     from redactions
     where finished_at is null
       and (xid < pg_snapshot_xmin(pg_current_snapshot()) or epoch < (select max(epoch) from epochs))
     order by id limit 1`,
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { timestamp, event_id, ...redaction } = row;
  return { ...redaction, after: timestamp === null ? null : { timestamp, id: event_id } };
}

/** Records how far a redaction is. With `is_finished`, all events are passed. */
export async function saveProgress(
  db: Db,
  id: string,
  { last, is_finished }: { last: EventPlace | null; is_finished: boolean },
): Promise<void> {
  await db.query(
    `update redactions set swept_to_timestamp = coalesce($2, swept_to_timestamp),
       swept_to_id = coalesce($3, swept_to_id), finished_at = case when $4 then date_trunc('milliseconds', now()) end
     where id = $1 and finished_at is null`,
    [id, last?.timestamp ?? null, last?.id ?? null, is_finished],
  );
}
