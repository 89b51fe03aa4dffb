import { hasValidChecksum, hashOfKey, newApiKey } from '../api-key.ts';
import { findKeyByHash, insertKey } from './api-keys.ts';
import { createPool, transaction, type Db } from './pool.ts';

export type SeededKeys = { test_key: string; live_key: string };

/** What customers and plans of an environment get where they name nothing else. */
export async function accountDefaults(db: Db, environment_id: number): Promise<{ currency: string }> {
  const { rows } = await db.query<{ currency: string }>(
    'select a.currency from accounts a join environments n on n.account_id = a.id where n.id = $1',
    [environment_id],
  );
  return rows[0]!;
}

/** Who sends the invoices of an environment. */
export type Seller = { name: string; address: string | null; invoice_footer: string | null };

export async function findSeller(db: Db, environment_id: number): Promise<Seller> {
  const { rows } = await db.query<Seller>(
    `select a.name, a.address, a.invoice_footer from accounts a
     join environments n on n.account_id = a.id where n.id = $1`,
    [environment_id],
  );
  return rows[0]!;
}

/** Stores an account with its test and its live environment. Returns the environments' ids. */
export async function insertAccount(
  db: Db,
  account: { name: string; currency: string },
): Promise<{ test: number; live: number }> {
  const { rows } = await db.query<{ id: number; livemode: boolean }>(
    `with account as (
       insert into accounts (id, name, currency) values ('acct_' || replace(gen_random_uuid()::text, '-', ''), $1, $2) returning id
     )
     insert into environments (account_id, livemode)
     select account.id, mode.livemode from account, (values (false), (true)) as mode(livemode)
     returning id, livemode`,
    [account.name, account.currency],
  );
  const idOf = (livemode: boolean) => rows.find((row) => row.livemode === livemode)!.id;
  return { test: idOf(false), live: idOf(true) };
}

/** The environments of the account that was there first; null for an empty database. */
export async function findEnvironments(db: Db): Promise<{ test: number; live: number } | null> {
  const { rows } = await db.query<{ test: number; live: number }>(
    `select t.id as test, l.id as live from accounts a
     join environments t on t.account_id = a.id and not t.livemode
     join environments l on l.account_id = a.id and l.livemode
     order by a.created_at, a.id limit 1`,
  );
  return rows[0] ?? null;
}

/**
 * Gives an empty database its account, and returns a key of each environment: the `existing` ones where both are in force there,
 * otherwise new ones. Two processes at once make one account.
 */
export async function seedAccount(database_url: string, existing: SeededKeys | null): Promise<SeededKeys> {
  const pool = createPool(database_url, 1);
  try {
    return await transaction(pool, async (db) => {
      await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.account'))`);
      const environments =
        (await findEnvironments(db)) ?? (await insertAccount(db, { name: 'Tidemark', currency: 'USD' }));
      if (existing !== null && (await areInForce(db, existing))) return existing;
      return {
        test_key: await newKey(db, environments.test, false),
        live_key: await newKey(db, environments.live, true),
      };
    });
  } finally {
    await pool.end();
  }
}

/** Whether the tables are there and this cluster's epoch is entered. */
export async function isPrepared(db: Db): Promise<boolean> {
  const { rowCount } = await db.query('select from epochs limit 1');
  return rowCount === 1;
}

/** The two environments of the first account; null in a database that has none. */
async function areInForce(db: Db, { test_key, live_key }: SeededKeys): Promise<boolean> {
  for (const [key, livemode] of [
    [test_key, false],
    [live_key, true],
  ] as const) {
    const found = hasValidChecksum(key) ? await findKeyByHash(db, hashOfKey(key)) : null;
    if (found === null || found.livemode !== livemode) return false;
  }
  return true;
}

async function newKey(db: Db, environment_id: number, livemode: boolean): Promise<string> {
  const secret = newApiKey(livemode);
  await insertKey(db, environment_id, { secret, name: 'Made at the first start', kind: 'full' });
  return secret;
}
