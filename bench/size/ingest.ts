import { createPool, type Pool } from '../../src/db/pool.ts';
import { authorization, BATCH_CONNECTIONS, TIMES } from '../ingest.ts';
import { runLoad } from '../load.ts';
import { startApi } from '../programs.ts';
import { batchRequest } from '../requests.ts';
import { DAYS_END, openTable, type TableSize } from './tables.ts';
import type { Place } from '../servers.ts';

/** What ingest does just after a checkpoint, when the first change of every page is written to the log as the whole page. */
export type AfterCheckpoint = { events_per_second: number; wal_bytes_per_event: number };

/**
 * Returns how to measure batches of a thousand over HTTP into a table: an empty one is empty again each time, another one grows. The
 * warm-up comes before the checkpoint, as what it costs is greatest in the first second. Throws where acknowledged is not stored.
 */
export async function openIngest(place: Place, size: TableSize): Promise<() => Promise<AfterCheckpoint>> {
  const table = await openTable(place, size);
  const api = await startApi(table);
  const pool = createPool(table.database_url, 1);
  place.stops.add(() => pool.end());
  const prepare = () => batchRequest(authorization(api));
  const load = { port: api.port, connections: BATCH_CONNECTIONS, prepare };
  return async () => {
    await runLoad({ ...load, warm_up_ms: 0, window_ms: TIMES.warm_up_ms });
    if (size === 'empty') await pool.query('truncate events restart identity');
    const stored = await countIngested(pool);
    await pool.query('checkpoint');
    const written = await walPosition(pool);
    const { events_per_second, acknowledged } = await runLoad({
      ...load,
      warm_up_ms: 0,
      window_ms: TIMES.window_ms,
    });
    const wal_bytes_per_event = ((await walPosition(pool)) - written) / acknowledged;
    const more = (await countIngested(pool)) - stored;
    if (more !== acknowledged)
      throw new Error(`${acknowledged} events were acknowledged, and ${more} stored`);
    return { events_per_second, wal_bytes_per_event };
  };
}

/** Events since the days of the seeded ones; all others are of requests. */
async function countIngested(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from events where environment_id = (select id from environments where livemode) and timestamp >= $1`,
    [DAYS_END],
  );
  return Number(rows[0]!.count);
}

async function walPosition(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return Number(rows[0]!.bytes);
}
