import { withoutSearchText, writeSearchTexts } from '../src/db/customers/customer-search.ts';
import type { Db } from '../src/db/connection/pool.ts';

/**
 * Writes the search text of customers that have none, at most `limit`: of those that were there before search texts
 * were, and of what a process of an earlier release writes during an upgrade. Returns how many it has seen.
 */
export async function writeMissingSearchTexts(db: Db, limit: number): Promise<number> {
  const customers = await withoutSearchText(db, limit);
  if (customers.length > 0) await writeSearchTexts(db, customers);
  return customers.length;
}
