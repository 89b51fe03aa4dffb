import type { Pool } from '../../../src/db/connection/pool.ts';

/** Defines a function that shadows a built-in one for all new connections to this database. */
export async function shadowFunction(pool: Pool, sql: string): Promise<void> {
  await pool.query(sql);
  await pool.query(
    `do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
  );
}
