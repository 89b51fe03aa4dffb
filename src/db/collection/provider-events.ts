import type { Db } from '../connection/pool.ts';

/** An event as a provider has posted it; `object_type` is null unless it is about a refund or a dispute. */
export type PostedEvent = {
  id: string;
  type: string;
  object_type: 'refund' | 'dispute' | null;
  object_reference: string;
};

/** An event about what is read: a refund or a dispute, by its id at the provider. */
export type DueEvent = {
  environment_id: number;
  provider_id: string;
  id: string;
  object_type: 'refund' | 'dispute';
  object_reference: string;
};

/** Events whose object is read at the provider now, the oldest first. */
export async function dueEvents(db: Db, limit: number): Promise<DueEvent[]> {
  const { rows } = await db.query<DueEvent>(
    `select e.environment_id, e.provider_id, e.id, e.object_type, e.object_reference from provider_events e
     join payment_providers p on p.environment_id = e.environment_id and p.id = e.provider_id
     where e.next_read_at <= now() and p.deleted_at is null order by e.next_read_at limit $1`,
    [limit],
  );
  return rows;
}

/** Notes that the object of an event is read, or for some seconds, that it is read after them. */
export async function noteEventRead(
  db: Db,
  { environment_id, provider_id, id }: DueEvent,
  put_off_seconds: number | null,
): Promise<void> {
  await db.query(
    `update provider_events set next_read_at = now() + make_interval(secs => $4)
     where environment_id = $1 and provider_id = $2 and id = $3`,
    [environment_id, provider_id, id, put_off_seconds],
  );
}

/** Stores an event, of a refund or a dispute to be read at once. Returns false if it came before. */
export async function insertProviderEvent(
  db: Db,
  { environment_id, provider_id }: { environment_id: number; provider_id: string },
  { id, type, object_type, object_reference }: PostedEvent,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into provider_events (environment_id, provider_id, id, type, object_reference, object_type, next_read_at)
     values ($1, $2, $3, $4, $5, $6, case when $6::text is not null then now() end) on conflict do nothing`,
    [environment_id, provider_id, id, type, object_reference, object_type],
  );
  return rowCount === 1;
}

/** Deletes events that came more than thirty days ago, at most some thousand at once; returns how many. */
export async function sweepProviderEvents(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from provider_events where (environment_id, provider_id, id) in (
       select environment_id, provider_id, id from provider_events
       where received_at < now() - interval '30 days' order by received_at limit $1)`,
    [limit],
  );
  return rowCount ?? 0;
}
