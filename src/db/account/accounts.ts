import { hasValidChecksum, hashOfKey, newApiKey } from '../../keys/api-key.ts';
import { findKeyByHash, insertKey } from './api-keys.ts';
import { createPool, transaction, type Db } from '../connection/pool.ts';
import { SWITCHED_KINDS } from '../../domain/email/kind.ts';
import type { Account } from '../../objects/account.ts';

export type SeededKeys = { test_key: string; live_key: string };

/** Settings of an environment: the seller of its documents, and the defaults of its customers and plans. */
export type AccountSettings = Omit<
  Account,
  'id' | 'object' | 'livemode' | 'created_at' | 'next_invoice_number' | 'logo_sha256'
>;

/** The name of an account whose seller has not been named yet. */
export const FIRST_NAME = 'Tidemark';

/** Greatest number of days of a notice. */
export const NOTICE_DAYS_MAX = 60;

/** The account of an environment. */
export async function findAccount(db: Db, environment_id: number): Promise<Account> {
  const { rows } = await db.query<Account>(
    `select a.id, 'account' as object, n.livemode, a.created_at, n.name, n.address, n.tax_ids, n.currency,
       trim_scale(n.tax_rate)::text as tax_rate, n.timezone, n.net_days, n.invoice_prefix, n.invoice_footer,
       n.hide_zero_lines, n.portal_origins, n.notice_days, n.language, n.email_kinds,
       n.email_reply_to, n.email_copy_to, n.email_attach, n.email_hours, n.email_test_recipients, n.reminder_days,
       n.charge_mode, n.charge_on, n.charge_retry_days, n.account_numbers, n.datev, n.logo_sha256,
       (n.last_invoice_number + 1)::float8 as next_invoice_number
     from environments n join accounts a on a.id = n.account_id where n.id = $1`,
    [environment_id],
  );
  return rows[0]!;
}

/** Locks the settings of an account, in both environments. Rows read before the lock may be stale. */
export async function lockAccount(db: Db, environment_id: number): Promise<void> {
  await db.query(
    `select from environments where account_id = (select account_id from environments where id = $1)
     order by id for no key update`,
    [environment_id],
  );
}

/**
 * Writes all settings of an environment, and the origins of the other environment of its account. The caller has locked
 * the account.
 */
export async function updateAccount(
  db: Db,
  environment_id: number,
  settings: AccountSettings,
): Promise<void> {
  await db.query(
    `update environments set name = $2, address = $3, tax_ids = $4, currency = $5, tax_rate = $6, timezone = $7,
       net_days = $8, invoice_prefix = $9, invoice_footer = $10, hide_zero_lines = $11,
       notice_days = $12, account_numbers = $13, datev = $14, language = $15, email_kinds = $16,
       email_reply_to = $17, email_copy_to = $18, email_attach = $19, email_hours = $20, email_test_recipients = $21,
       reminder_days = $22, charge_mode = $23, charge_on = $24, charge_retry_days = $25,
       charge_mode_at = case when charge_mode = $23 then charge_mode_at else date_trunc('milliseconds', now()) end
     where id = $1`,
    [
      environment_id,
      settings.name,
      settings.address,
      JSON.stringify(settings.tax_ids),
      settings.currency,
      settings.tax_rate,
      settings.timezone,
      settings.net_days,
      settings.invoice_prefix,
      settings.invoice_footer,
      settings.hide_zero_lines,
      settings.notice_days,
      JSON.stringify(settings.account_numbers),
      settings.datev,
      settings.language,
      JSON.stringify(settings.email_kinds),
      settings.email_reply_to,
      settings.email_copy_to,
      JSON.stringify(settings.email_attach),
      settings.email_hours,
      JSON.stringify(settings.email_test_recipients),
      JSON.stringify(settings.reminder_days),
      settings.charge_mode,
      settings.charge_on,
      JSON.stringify(settings.charge_retry_days),
    ],
  );
  await db.query(
    `update environments set portal_origins = $2
     where account_id = (select account_id from environments where id = $1) and portal_origins <> $2`,
    [environment_id, JSON.stringify(settings.portal_origins)],
  );
}

/** Origins of the sites that may frame the page of portal links, of the oldest account. */
export async function readPortalOrigins(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ portal_origins: string[] }>(
    `select n.portal_origins from accounts a join environments n on n.account_id = a.id
     order by a.created_at, a.id limit 1`,
  );
  return rows[0]?.portal_origins ?? [];
}

/** Stores an account with its test and its live environment. Returns the environments' ids. */
export async function insertAccount(
  db: Db,
  account: { name: string; currency: string },
): Promise<{ test: number; live: number }> {
  const { rows } = await db.query<{ id: number; livemode: boolean }>(
    `with account as (
       insert into accounts (id) values ('acct_' || replace(gen_random_uuid()::text, '-', '')) returning id
     )
     insert into environments (account_id, livemode, name, currency, email_kinds)
     select account.id, mode.livemode, $1, $2, case when mode.livemode then '[]' else $3::jsonb end
     from account, (values (false), (true)) as mode(livemode)
     returning id, livemode`,
    [account.name, account.currency, JSON.stringify(SWITCHED_KINDS)],
  );
  const idOf = (livemode: boolean) => rows.find((row) => row.livemode === livemode)!.id;
  return { test: idOf(false), live: idOf(true) };
}

/** The environments of the oldest account; null if the database is empty. */
export async function findEnvironments(db: Db): Promise<{ test: number; live: number } | null> {
  const { rows } = await db.query<{ test: number; live: number }>(
    `select t.id as test, l.id as live from accounts a
     join environments t on t.account_id = a.id and not t.livemode
     join environments l on l.account_id = a.id and l.livemode
     order by a.created_at, a.id limit 1`,
  );
  return rows[0] ?? null;
}

/** The id of the oldest account; null if the database is empty. */
export async function findAccountId(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>('select id from accounts order by created_at, id limit 1');
  return rows[0]?.id ?? null;
}

/** Creates the account in an empty database. Must run in a transaction; concurrent ones create one account. */
export async function openAccount(db: Db): Promise<{ test: number; live: number; is_new: boolean }> {
  await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.account'))`);
  const environments = await findEnvironments(db);
  if (environments !== null) return { ...environments, is_new: false };
  return { ...(await insertAccount(db, { name: FIRST_NAME, currency: 'USD' })), is_new: true };
}

/**
 * Creates the account in an empty database. Returns a key for each environment: the `existing` ones if both are active
 * there, otherwise new ones. Concurrent processes create one account.
 */
export async function seedAccount(database_url: string, existing: SeededKeys | null): Promise<SeededKeys> {
  const pool = createPool(database_url, 1);
  try {
    return await transaction(pool, async (db) => {
      const environments = await openAccount(db);
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

/** True if an epoch is stored, which the last step of preparing a database does. Throws if the tables are missing. */
export async function isPrepared(db: Db): Promise<boolean> {
  const { rowCount } = await db.query('select from epochs limit 1');
  return rowCount === 1;
}

/** True if both keys are active, each in an environment of its own kind. */
async function areInForce(db: Db, { test_key, live_key }: SeededKeys): Promise<boolean> {
  for (const [key, livemode] of [
    [test_key, false],
    [live_key, true],
  ] as const) {
    const known_key = hasValidChecksum(key) ? await findKeyByHash(db, hashOfKey(key)) : null;
    if (known_key === null || known_key.livemode !== livemode) return false;
  }
  return true;
}

async function newKey(db: Db, environment_id: number, livemode: boolean): Promise<string> {
  const secret = newApiKey(livemode);
  await insertKey(db, environment_id, { secret, name: 'Created at the first start', kind: 'full' });
  return secret;
}
