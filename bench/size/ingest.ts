import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { authorization, BATCH_CONNECTIONS } from '../ingest.ts';
import { runLoad } from '../load.ts';
import { startApi } from '../programs.ts';
import { batchRequest, fixedNumbers } from '../requests.ts';
import { rollingUp } from '../rolling-up.ts';
import { DAYS_END, openTable, type TableSize } from './tables.ts';
import type { Place } from '../servers.ts';

/**
 * Events of about four seconds of ingest. A number, not a time: after a checkpoint the first change of a page writes the whole page to
 * the WAL, so the fewer events there are, the more each of them costs.
 */
const EVENTS = 400_000;
const LIMIT_MS = 120_000;

export type AfterCheckpoint = { events_per_second: number; wal_bytes_per_event: number };

/**
 * Returns a function that measures batches of a thousand over HTTP just after a checkpoint, while the rollup runs: the empty table
 * is emptied each time, another one grows. The warm-up precedes the checkpoint. Throws if an acknowledged event is not stored.
 */
export async function openIngest(place: Place, size: TableSize): Promise<() => Promise<AfterCheckpoint>> {
  const table = await openTable(place, size);
  const api = await startApi(table);
  const pool = createPool(table.database_url, 1);
  place.stops.add(() => pool.end());
  const send = (events: number) => {
    const { once } = fixedNumbers(events);
    const prepare = () => batchRequest(authorization(api), once);
    const load = { port: api.port, connections: BATCH_CONNECTIONS, prepare };
    return runLoad({ ...load, warm_up_ms: 0, window_ms: LIMIT_MS });
  };
  return async () => {
    await send(EVENTS / 10);
    if (size === 'empty')
      await pool.query(
        'truncate events, event_keys, usage_days, event_days, billing_days, report_days restart identity',
      );
    const stored = await countIngested(pool);
    await pool.query('checkpoint');
    const written = await walPosition(pool);
    const { events_per_second, acknowledged } = await rollingUp(table.database_url, () => send(EVENTS));
    const wal_bytes_per_event = ((await walPosition(pool)) - written) / acknowledged;
    const more = (await countIngested(pool)) - stored;
    if (more !== acknowledged)
      throw new Error(`${acknowledged} events were acknowledged, and ${more} stored`);
    return { events_per_second, wal_bytes_per_event };
  };
}

/** Events stamped after the days of the seeded ones: all of them come from requests. */
async function countIngested(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from events where environment_id = (select id from environments where livemode)
       and timestamp >= $1`,
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
