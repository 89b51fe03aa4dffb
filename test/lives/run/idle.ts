import type { Pool } from 'pg';
import { eventually } from '../../support/servers/eventually.ts';

/** Changes of an environment that the consumer which plans charges has not read. */
const UNREAD = `select from row_changes r cross join consumers c
  where r.environment_id = $1 and c.name = 'collections' and r.created_xid >= pg_snapshot_xmin(c.snapshot)
    and (r.epoch > c.epoch or not pg_visible_in_snapshot(r.created_xid, c.snapshot)) limit 1`;

/** Waits until all changes of an environment are read by the consumer of the log that plans charges. */
export async function untilIdle(pool: Pool, environment_id: number): Promise<void> {
  const read = async () => (await pool.query(UNREAD, [environment_id])).rowCount;
  await eventually(read, (unread) => unread === 0);
}
