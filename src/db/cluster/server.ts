import type { Db } from '../connection/pool.ts';
import { wrongSettings, type WrongSetting } from './settings.ts';

/** Facts of a server that decide whether it can be part of a cluster. */
export type Server = {
  /** The major version of PostgreSQL. */
  version: number;
  is_superuser: boolean;
  /** Identity of the data, the same on a copy of the server. */
  system_identifier: string;
  /** The version of Citus that can be installed, such as 14.0-1; null if it is not on the machine. */
  citus: string | null;
  /** Whether connections from and to other servers of the cluster are encrypted. */
  has_tls: boolean;
  wrong: WrongSetting[];
};

/** Modes in which a connection is never without TLS. */
const TLS_MODES = ['require', 'verify-ca', 'verify-full'];

/** Reads what a server is and has. */
export async function readServer(db: Db): Promise<Server> {
  const { rows } = await db.query<Omit<Server, 'has_tls' | 'wrong'> & { ssl: string; conninfo: string }>(
    // Only a superuser may read how servers connect.
    `select current_setting('server_version_num')::integer / 10000 as version, rolsuper as is_superuser,
       (select system_identifier::text from pg_control_system()) as system_identifier,
       (select default_version from pg_available_extensions where name = 'citus') as citus,
       current_setting('ssl') as ssl,
       case when rolsuper then coalesce(current_setting('citus.node_conninfo', true), '') else '' end as conninfo
     from pg_roles where rolname = current_user`,
  );
  const { ssl, conninfo, ...server } = rows[0]!;
  const [, mode = ''] = /sslmode=([\w-]+)/.exec(conninfo) ?? [];
  return { ...server, has_tls: ssl === 'on' && TLS_MODES.includes(mode), wrong: await wrongSettings(db) };
}

/** How far the clocks of two servers are apart, in milliseconds, or less: the time of the answers is not counted. */
export async function clocksApart(one: Db, other: Db): Promise<number> {
  const from_ms = await clock(one);
  const theirs_ms = await clock(other);
  const to_ms = await clock(one);
  return Math.max(from_ms - theirs_ms, theirs_ms - to_ms, 0);
}

async function clock(db: Db): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return rows[0]!.ms;
}

/** The version of Citus in a database; null if it is not installed there. */
export async function installedCitus(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  );
  return rows[0]?.version ?? null;
}

/** Whether a server has a database of this name. */
export async function hasDatabase(db: Db, database: string): Promise<boolean> {
  const { rows } = await db.query('select from pg_database where datname = $1', [database]);
  return rows.length > 0;
}

/** Whether a database has tables of its own. */
export async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await db.query(
    `select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
  );
  return rows.length > 0;
}
