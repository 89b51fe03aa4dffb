import type { Config } from '../src/settings/config.ts';
import { findEnvironments } from '../src/db/account/accounts.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { dashboardUrlOf } from '../src/settings/public-url.ts';
import { runningStack } from '../dev/running-stack.ts';
import { Failure } from './failure.ts';

/**
 * DATABASE_URL, else the database of the stack that runs in the data directory. Throws a Failure if there is neither.
 */
export function databaseUrl({ database_url, data_dir }: Config): string {
  const url = database_url ?? runningStack(data_dir)?.database_url;
  if (url === undefined) throw new Failure(`no stack is running in ${data_dir}, and DATABASE_URL is not set`);
  return url;
}

/** The URLs of a command that works as a superuser. Throws a Failure if a setting is missing. */
export function adminUrls({ database_url, database_admin_url }: Config): {
  admin_url: string;
  database_url: string;
} {
  if (database_url === null || database_admin_url === null)
    throw new Failure('DATABASE_URL and DATABASE_ADMIN_URL must be set', 2);
  return { admin_url: database_admin_url, database_url };
}

/** TEMPORAL_ADDRESS, else the address of the stack that runs in the data directory, else null. */
export function temporalAddress({ temporal_address, data_dir }: Config): string | null {
  return temporal_address ?? runningStack(data_dir)?.temporal_address ?? null;
}

/**
 * PUBLIC_URL, else the dashboard of the stack that runs in the data directory, else the address of an API with these
 * settings.
 */
export function dashboardUrl(config: Config): string {
  const running = config.public_url === null ? runningStack(config.data_dir) : null;
  return running?.dashboard_url ?? dashboardUrlOf(config);
}

/** Runs `work` on one environment of the first account. Throws a Failure if the database has no account. */
export async function inEnvironment(
  config: Config,
  livemode: boolean,
  work: (pool: Pool, environment_id: number) => Promise<void>,
): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    const environments = await findEnvironments(pool);
    if (environments === null)
      throw new Failure('the database has no account yet; tidemark setup creates it');
    await work(pool, livemode ? environments.live : environments.test);
  } finally {
    await pool.end();
  }
}
