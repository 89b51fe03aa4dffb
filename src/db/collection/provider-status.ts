import type { Db } from '../connection/pool.ts';

/** Notes in its own words why a provider fails; null: it answers. Writes nothing that is noted already. */
export async function noteProvider(
  db: Db,
  { environment_id, id }: { environment_id: number; id: string },
  fault: string | null,
): Promise<void> {
  await db.query(
    `update payment_providers set status = case when $3::text is null then 'active' else 'failing' end, status_reason = $3
     where environment_id = $1 and id = $2 and deleted_at is null and status_reason is distinct from $3`,
    [environment_id, id, fault],
  );
}
