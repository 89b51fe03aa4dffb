import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { waitUntil } from '../../bench/waiting.ts';
import { LOOPBACK, anyFreePort } from '../../dev/ports.ts';
import { run } from '../../dev/processes.ts';
import { atEnd } from '../support/servers/at-end.ts';
import type { Programs } from './postgres-programs.ts';

/** A PostgreSQL server with a data directory and a port of its own. Anybody on this machine may sign in, without a password. */
export type Node = {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  /** URL of the superuser. */
  readonly admin_url: string;
  /** URL of the role that owns the database. */
  readonly url: string;
  start: () => Promise<void>;
  stop: (mode: 'fast' | 'immediate') => Promise<void>;
};

export const SUPERUSER = 'postgres';
const DATABASE = 'tidemark';
const ROLE = 'tidemark_service';

const SETTINGS = `
listen_addresses = '${LOOPBACK}'
unix_socket_directories = ''
timezone = 'UTC'
shared_buffers = '256MB'
max_connections = 200
max_wal_size = '4GB'
wal_keep_size = '512MB'
`;

const LIMIT_MS = 120_000;

/**
 * Address of the database at these ports, for the role that owns it. The server asks for no password, but our commands refuse an address
 * without.
 */
export function addressOf(...ports: number[]): string {
  return `postgres://${ROLE}:unused@${ports.map((port) => `${LOOPBACK}:${port}`).join()}/${DATABASE}`;
}

/** A node whose data directory need not exist yet. Stops at the end of the drill. */
export async function aNode(
  { bin, user }: Programs,
  folder: string,
  name: string,
  known_port?: number,
): Promise<Node> {
  const port = known_port ?? (await anyFreePort());
  const data = join(folder, name);
  const control = (args: string[]) =>
    run(join(bin, 'pg_ctl'), ['--pgdata', data, '--wait', '--timeout=120', ...args], { ...user, cwd: '/' });
  const log = join(folder, `${name}.log`);
  const stop = (mode: 'fast' | 'immediate') => control(['stop', `--mode=${mode}`]);
  atEnd(() => stop('immediate').catch(() => undefined));
  return {
    name,
    data,
    port,
    admin_url: `postgres://${SUPERUSER}@${LOOPBACK}:${port}/postgres`,
    url: addressOf(port),
    start: () => control(['start', `--log=${log}`, `--options=-p ${port}`]),
    stop,
  };
}

/** Makes a folder for nodes, which belongs to the user who runs them. */
export function makeFolder({ user }: Programs, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  if (user !== null) chownSync(folder, user.uid, user.gid);
}

/** Creates a node's cluster. */
export async function initialize({ bin, user }: Programs, { data }: Node, settings = ''): Promise<void> {
  const args = ['--pgdata', data, `--username=${SUPERUSER}`, '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await run(join(bin, 'initdb'), args, { ...user, cwd: '/' });
  writeFileSync(join(data, 'postgresql.conf'), SETTINGS + settings, { flag: 'a' });
}

/** Makes `standby`, which must be empty, a copy of a running node, and starts it; every commit of the primary waits for it. */
export async function followSynchronously(programs: Programs, primary: Node, standby: Node): Promise<void> {
  const from = `postgres://${SUPERUSER}@${LOOPBACK}:${primary.port}`;
  const args = [`--dbname=${from}`, '--pgdata', standby.data, '--checkpoint=fast', '--write-recovery-conf'];
  await run(join(programs.bin, 'pg_basebackup'), args, { ...programs.user, cwd: '/' });
  await standby.start();
  await query(primary, `alter system set synchronous_standby_names = '*'`);
  await query(primary, 'select pg_reload_conf()');
  await waitUntil('the standby', LIMIT_MS, async () => {
    const rows = await query(primary, `select from pg_stat_replication where sync_state = 'sync'`);
    return rows.length === 1;
  });
}

/** Makes a standby the primary. It commits without a standby until it has one. */
export async function promote({ bin, user }: Programs, { data }: Node): Promise<void> {
  await run(join(bin, 'pg_ctl'), ['--pgdata', data, '--wait', '--timeout=120', 'promote'], {
    ...user,
    cwd: '/',
  });
}

/** Runs one statement as the superuser. */
export async function query<Row extends object>({ admin_url }: Node, statement: string): Promise<Row[]> {
  const client = new pg.Client(admin_url);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
