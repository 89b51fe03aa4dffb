import { redactEvents } from '../../../worker/redactions.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { eventually } from '../servers/eventually.ts';

/** Runs the sweep until no redaction is pending. A transaction of any database of the server that is older than a redaction delays it. */
export async function redactAllEvents(pool: Pool, limit = 500): Promise<void> {
  await eventually(
    async () => {
      while ((await redactEvents(pool, limit)) > 0);
      return pool.query('select from redactions where finished_at is null');
    },
    ({ rowCount }) => rowCount === 0,
  );
}
