import pg from 'pg';
import type { Config } from '../../settings/config.ts';
import { Refusal } from '../../settings/refusal.ts';
import { findAccountId } from './accounts.ts';
import { listNodes } from '../cluster/nodes.ts';
import { createPool, LONG_STATEMENT_MS, type Pool } from '../connection/pool.ts';
import { isUnavailable } from '../connection/unavailable.ts';

/**
 * The pool of DATABASE_READ_URL; null if it is not set. Throws a Refusal if it leads to another database than
 * `primary`, or to a session that cannot be used, or if the events are on nodes. A standby that does not respond is not
 * refused.
 */
export async function openStandby(config: Config, primary: Pool): Promise<Pool | null> {
  const pool = createStandbyPool(config, { statement_ms: LONG_STATEMENT_MS });
  if (pool === null) return null;
  try {
    await refuseBesideNodes(primary);
    await assertSameAccount(pool, primary);
  } catch (error) {
    if (isUnavailable(error)) return pool;
    await pool.end();
    throw error instanceof Refusal ? new Refusal(`DATABASE_READ_URL: ${error.message}`) : error;
  }
  return pool;
}

/** Throws a Refusal if the database has nodes. */
export async function refuseBesideNodes(primary: Pool): Promise<void> {
  if ((await listNodes(primary)).length > 0)
    throw new Refusal(
      'a standby of the coordinator of a cluster has no events, and its nodes would be asked in its place: remove the setting',
    );
}

/** An unchecked pool of DATABASE_READ_URL; null if it is not set. */
export function createStandbyPool(
  { database_read_url: url, database_pool_size: size }: Config,
  limits: { statement_ms: number },
): Pool | null {
  return url === null ? null : createPool(url, size, { ...limits, may_be_standby: true });
}

/** Throws a Refusal if the two databases have different accounts, or one has none. */
export async function assertSameAccount(standby: Pool, primary: Pool): Promise<void> {
  const [copy, original] = [await findAccountId(standby).catch(ofNoTable), await findAccountId(primary)];
  if (copy === original) return;
  throw new Refusal(
    `the database has ${accountText(copy)}, and that of DATABASE_URL has ${accountText(original)}: it must be a standby of the same database`,
  );
}

const UNDEFINED_TABLE = '42P01';

function ofNoTable(error: unknown): null {
  if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return null;
  throw error;
}

function accountText(account_id: string | null): string {
  return account_id === null ? 'no account' : `the account ${account_id}`;
}
