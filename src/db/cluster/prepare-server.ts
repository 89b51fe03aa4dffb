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
  // The server reads its files again a moment later.
  for (let tries = 1; ; tries++) {
    const wrong = await wrongSettings(db);
    if (wrong.length === 0) break;
    if (tries === TRIES_MAX)
      throw new Refusal(`settings of a role or a database of ${name} are wrong: ${wrongText(wrong)}`);
    await pause(TRY_MS);
  }
  await db.query('create extension if not exists citus');
  for (const url of [admin_url, database_url]) await keepPassword(db, url);
}

/** TLS is asked for by default, and a server without it would refuse every connection. */
async function allowWithoutTls(db: Db): Promise<void> {
  const { rows } = await db.query<{ ssl: string; conninfo: string }>(
    `select current_setting('ssl') as ssl, current_setting('citus.node_conninfo') as conninfo`,
  );
  const { ssl, conninfo } = rows[0]!;
  if (ssl === 'on' || !/sslmode=(?:require|verify)/.test(conninfo)) return;
  await db.query(`alter system set citus.node_conninfo = 'sslmode=prefer'`);
  await db.query('select pg_reload_conf()');
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
