import type { Pool } from './pool.ts';

/** Whether a database has Citus, by its URL, as its newest connection has found. */
const known = new Map<string, boolean>();

/** Notes what the check of a new connection has found. */
export function noteCitus(url: string, has_citus: boolean): void {
  known.set(url, has_citus);
}

/** Whether the database of a pool has Citus, as the newest connection has found; sends no statement. */
export function hasCitus({ options }: Pool): boolean {
  return known.get(options.connectionString ?? '') ?? false;
}
