import { readPortalOrigins } from '../../src/db/account/accounts.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { isStillRunning } from '../../src/process/still-running.ts';

/** Anybody may ask for the page, so that the database is asked at most once in this time. */
const FRESH_MS = 2000;
/** Time limit of the database: beyond it the page comes, and no site may frame it. */
const WITHIN_MS = 2000;

/**
 * Makes a function that returns the origins of the sites that may frame the page of portal links, as of at most
 * FRESH_MS ago; none while the database does not respond.
 */
export function createPortalOrigins(pool: Pool): () => Promise<readonly string[]> {
  let read_at = -Infinity;
  let reading: Promise<readonly string[]> = Promise.resolve([]);
  return async () => {
    const now = performance.now();
    if (now - read_at > FRESH_MS) {
      read_at = now;
      reading = readPortalOrigins(pool).catch(() => []);
    }
    return (await isStillRunning(reading, WITHIN_MS)) ? [] : reading;
  };
}
