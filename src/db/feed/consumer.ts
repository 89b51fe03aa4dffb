import { TOLD_TABLES } from '../../domain/feed/change-types.ts';
import type { LoggedChange } from '../../domain/feed/feed.ts';
import { rowsByCommit, type Consumer } from '../changes/consumers.ts';
import type { Db } from '../connection/pool.ts';
import { publishChanges } from './publish.ts';

const ROWS_MAX = 5000;

/** The consumer of the log that numbers the changes of the feed (docs/changes.md). */
export const FEED = feedBy(ROWS_MAX);

/** The consumer with batches of another size. */
export function feedBy(rows_max: number): Consumer {
  return {
    name: 'feed',
    rows_max,
    in_order_of: TOLD_TABLES,
    work: async (db) => publishChanges(db, await readBatch(db, rows_max)),
  };
}

async function readBatch(db: Db, rows_max: number): Promise<LoggedChange[]> {
  const { rows } = await db.query<LoggedChange>(
    `select r.table_name, r.environment_id, r.created_xid::text as xid, r.before, r.after, r.actor, r.noted_at
     from ${rowsByCommit('feed', rows_max, TOLD_TABLES)} as r order by r.epoch, r.last_row, r.id`,
  );
  return rows;
}
