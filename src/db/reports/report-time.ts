import { invalid } from '../../domain/money/errors.ts';
import type { Db } from '../connection/pool.ts';
import { isTimeout, timeLimited } from '../connection/time-limited.ts';
import { rangeThatFits, type Range } from './report-range.ts';

/** Time that the statements of a report may take together. */
export const REPORT_MS = 10_000;

/** Memory for the groups of a year, which a hash would else write to files. A process reads two reports at once. */
const MEMORY = `set local work_mem = '64MB'`;

/**
 * Reads a report in the caller's transaction. Throws invalid_request `too_large`, with a range to ask for instead if it
 * is one of UTC days, if its statements take too long.
 */
export async function inReportTime<T>(
  db: Db,
  range: Range | null,
  read: (limited: Db) => Promise<T>,
): Promise<T> {
  try {
    await db.query(MEMORY);
    return await read(timeLimited(db, REPORT_MS));
  } catch (error) {
    throw isTimeout(error) ? tooLarge(range, `take more than ${REPORT_MS / 1000} seconds`) : error;
  }
}

/** Says what the report would do, and what to ask for instead. */
export function tooLarge(range: Range | null, excess: string): Error {
  const fits = range && rangeThatFits(range);
  const instead = fits === null ? 'ask for one customer_id' : `ask for ${fits.from} to ${fits.to}`;
  return invalid('to', 'too_large', `the report would ${excess}: ${instead}`);
}
