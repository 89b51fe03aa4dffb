import type { Config } from '../src/settings/config.ts';
import { provisionDatabase } from '../src/db/connection/owner.ts';
import { createPool } from '../src/db/connection/pool.ts';
import { forgetRollup } from '../src/db/reports/roll-up.ts';
import { adminUrls, databaseUrl } from './database.ts';
import { Failure } from './failure.ts';
import { printResult, type Printed } from './output.ts';

/** Makes the role of DATABASE_URL the owner of its database, with no further rights. Idempotent. */
export async function giveDatabaseToRole(config: Config, options: Printed): Promise<void> {
  const { admin_url, database_url } = adminUrls(config);
  await provisionDatabase(admin_url, database_url);
  printResult(options, { is_given: true }, 'The role of DATABASE_URL now owns its database.');
}

/** Deletes the rollup; the worker rebuilds it. Until then bills read the events themselves. */
export async function rebuildRollup(config: Config, options: Printed): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    if (!(await forgetRollup(pool)))
      throw new Failure('events are archived, and their days cannot be counted again: restore them first');
    printResult(options, { is_forgotten: true }, 'The worker will rebuild the rollup from all events.');
  } finally {
    await pool.end();
  }
}
