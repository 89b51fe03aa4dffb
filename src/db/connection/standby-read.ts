import { isPoolTimeout } from './hosts.ts';
import { LONG_STATEMENT_MS, readOnly, type Db, type Pool, type TransactionLimits } from './pool.ts';
import { isUnavailable } from './unavailable.ts';

/**
 * Runs `work` in a read-only transaction with one snapshot: of the standby, which may be some seconds behind, or of the
 * primary if there is no standby, or none that responds. `work` may run twice.
 */
export async function readFromStandby<T>(
  { pool, standby_pool }: { pool: Pool; standby_pool: Pool | null },
  work: (db: Db) => Promise<T>,
  limits: TransactionLimits = { statement_ms: LONG_STATEMENT_MS },
): Promise<T> {
  if (standby_pool === null) return readOnly(pool, work, limits);
  try {
    return await readOnly(standby_pool, work, limits);
  } catch (error) {
    if (!isUnavailable(error) || isPoolTimeout(error)) throw error;
    return readOnly(pool, work, limits);
  }
}
