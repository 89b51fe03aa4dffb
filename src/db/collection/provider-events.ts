import type { Db } from '../connection/pool.ts';

/** An event as a provider has posted it. */
export type PostedEvent = { id: string; type: string; object_reference: string };

/** Stores an event. Returns false if it came before. */
export async function insertProviderEvent(
  db: Db,
  { environment_id, provider_id }: { environment_id: number; provider_id: string },
  { id, type, object_reference }: PostedEvent,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into provider_events (environment_id, provider_id, id, type, object_reference) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [environment_id, provider_id, id, type, object_reference],
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
