import { setTimeout as pause } from 'node:timers/promises';
import { mayRedact } from '../src/db/events/redaction-turn.ts';
import { nextSlice, redactSlice } from '../src/db/events/redacted-slice.ts';
import { tryRollupLock } from '../src/db/events/rollup-turn.ts';
import { transaction, type Pool } from '../src/db/connection/pool.ts';
import { nextPendingRedaction, saveProgress } from '../src/db/customers/redactions.ts';

/**
 * Removes redacted properties from the next events, at most `limit`, in one transaction. Returns `limit` if it did,
 * else 0: nothing is pending, another process redacts or rolls up, or the events move between servers. Rests as long as
 * it worked, because the rollup waits meanwhile.
 */
export async function redactEvents(pool: Pool, limit: number): Promise<number> {
  const started_at = performance.now();
  const has_worked = await transaction(pool, async (db) => {
    if (!(await tryRollupLock(db)) || !(await mayRedact(db))) return false;
    const redaction = await nextPendingRedaction(db);
    if (redaction === null) return false;
    const { count, last } = await nextSlice(db, redaction, limit);
    if (last !== null) await redactSlice(db, redaction, last);
    await saveProgress(db, redaction.id, { last, is_finished: count < limit });
    return true;
  });
  if (!has_worked) return 0;
  await pause(performance.now() - started_at);
  return limit;
}
