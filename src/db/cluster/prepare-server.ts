import { setTimeout as pause } from 'node:timers/promises';
import { parseDatabaseUrl } from '../../settings/database-address.ts';
import { Refusal } from '../../settings/refusal.ts';
import type { Db } from '../connection/pool.ts';
import { wrongText } from './refused-servers.ts';
import { setWithoutRestart, wrongSettings } from './settings.ts';

const TRIES_MAX = 50;
const TRY_MS = 100;

export type Preparing = { admin_url: string; database_url: string; without_tls: boolean; name: string };

/**
 * Gives a server of a cluster the settings that need no restart, the extension in the product's database, and the
 * passwords with which it reaches the others. `db` is of a superuser in that database. Idempotent. Throws a Refusal if
 * a setting stays wrong.
 */
export async function prepareServer(
  db: Db,
  { admin_url, database_url, without_tls, name }: Preparing,
): Promise<void> {
  if (without_tls) await allowWithoutTls(db);
  await setWithoutRestart(db, await wrongSettings(db));
  const wrong = await onceTaken(
    () => wrongSettings(db),
    (settings) => settings.length === 0,
  );
  if (wrong.length > 0)
    throw new Refusal(`settings of a role or a database of ${name} are wrong: ${wrongText(wrong)}`);
  await db.query('create extension if not exists citus');
  for (const url of [admin_url, database_url]) await keepPassword(db, url);
}

/** Reads until it is so, at most five seconds: the server takes new settings over a moment later. */
async function onceTaken<T>(read: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    const found = await read();
    if (isSo(found) || tries === TRIES_MAX) return found;
    await pause(TRY_MS);
  }
}

/** TLS is asked for by default, and a server without it would refuse every connection. */
async function allowWithoutTls(db: Db): Promise<void> {
  if (!(await requiresTls(db))) return;
  await db.query(`alter system set citus.node_conninfo = 'sslmode=prefer'`);
  await db.query('select pg_reload_conf()');
  await onceTaken(
    () => requiresTls(db),
    (requires) => !requires,
  );
}

/** Whether a server that has no TLS connects to others by TLS alone. */
async function requiresTls(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ requires: boolean }>(
    `select current_setting('ssl') = 'off' and current_setting('citus.node_conninfo') ~ 'sslmode=(require|verify)'
       as requires`,
  );
  return rows[0]!.requires;
}

/** Every server of a cluster connects to the others as the role that asks, with the role's password. */
async function keepPassword(db: Db, url: string): Promise<void> {
  const { role, password } = parseDatabaseUrl(url);
  if (password === '') return;
  const quoted = password.replaceAll(/[\\']/g, String.raw`\$&`);
  await db.query(
    `insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, $1, $2)
     on conflict (rolename, nodeid) do update set authinfo = excluded.authinfo`,
    [role, `password='${quoted}'`],
  );
}
