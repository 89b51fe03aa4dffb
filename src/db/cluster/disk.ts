import pg from 'pg';
import { Refusal } from '../../settings/refusal.ts';
import { transaction, type Pool } from '../connection/pool.ts';

/** Runs on the server, in the folder of its data. The fourth column is what is free, in KB. */
const DF = `copy disk from program 'df -Pk .'`;
/** SQLSTATEs of such a copy for a role that may not run programs, and where there is no such program. */
const UNKNOWN_CODE = /^(42501|38\w{3}|58\w{3}|22P04)$/;

/**
 * Throws a Refusal if the disk of the coordinator has no room for the events and the log of their copy: a full one
 * stops the whole server, money too. A server that does not say what is free is not refused.
 */
export async function refuseWithoutDisk(pool: Pool, event_bytes: number): Promise<void> {
  const { rows } = await pool.query<{ log_bytes: string }>(
    `select pg_size_bytes(current_setting('max_wal_size'))::text as log_bytes`,
  );
  const needed = event_bytes + Number(rows[0]!.log_bytes);
  const free = await freeBytes(pool);
  if (free !== null && free < needed)
    throw new Refusal(
      `the disk of the coordinator has ${megabytes(free)} MB free, and the events need ${megabytes(needed)} MB with the log of their copy: make room first`,
    );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

async function freeBytes(pool: Pool): Promise<number | null> {
  try {
    return await transaction(pool, async (db) => {
      await db.query('create temporary table disk (line text) on commit drop');
      await db.query(DF);
      const { rows } = await db.query('select line from disk');
      const kilobytes = Number(rows.at(-1)?.line.split(/\s+/)[3]);
      return Number.isSafeInteger(kilobytes) ? 1024 * kilobytes : null;
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError && UNKNOWN_CODE.test(error.code ?? '')) return null;
    throw error;
  }
}
