import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { LOOPBACK, anyFreePort, isFree } from './ports.ts';
import type { PostgresHome } from './postgres-home.ts';
import { run } from './processes.ts';

/** Passwords and port of a cluster. Stored inside the cluster, so that neither can be lost without the other. */
type Access = {
  readonly password: string;
  /** Password of the role as which the processes connect. */
  readonly service_password: string;
  readonly port: number;
};

/** The address of a cluster: `admin_url` for the superuser, `url` for the role that owns the database. */
export type ClusterAddress = { admin_url: string; url: string; port: number };

/** Name of both the superuser and the database. */
const NAME = 'tidemark';
/** Role as which the processes connect. */
const SERVICE = 'tidemark_service';

const ACCESS_FILE = 'tidemark.json';

/** Creates the cluster and its database if they do not exist. If a call was interrupted, the next one starts over. */
export async function makeCluster(home: PostgresHome, durable: boolean): Promise<void> {
  if (fs.existsSync(home.cluster)) return;
  const unfinished = `${home.cluster}.new`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  give(unfinished, home);
  const access = { password: newPassword(), service_password: newPassword(), port: await anyFreePort() };
  await initialize(home, unfinished, { password: access.password, durable });
  await createDatabase(home, unfinished);
  writeAccess(home, unfinished, access);
  fs.renameSync(unfinished, home.cluster);
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

async function initialize(
  home: PostgresHome,
  folder: string,
  { password, durable }: { password: string; durable: boolean },
): Promise<void> {
  const password_file = `${folder}.password`;
  fs.writeFileSync(password_file, password, { mode: 0o600 });
  give(password_file, home);
  const locale = ['--encoding=UTF8', '--locale=C'];
  const authentication = ['--auth=scram-sha-256', `--username=${NAME}`, `--pwfile=${password_file}`];
  const args = [
    '-D',
    folder,
    ...locale,
    ...authentication,
    '--data-checksums',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await run(join(home.bin, 'initdb'), args, { ...home.user });
  } finally {
    fs.rmSync(password_file);
  }
}

async function createDatabase(home: PostgresHome, folder: string): Promise<void> {
  const input = `create database ${NAME}\n`;
  await run(join(home.bin, 'postgres'), ['--single', '-D', folder, 'postgres'], { ...home.user, input });
}

/**
 * The address of a cluster: at the port asked for, else at the port of its last start, else, if that is taken, at any
 * free port.
 */
export async function addressOf(home: PostgresHome, asked_port: number | undefined): Promise<ClusterAddress> {
  const access = JSON.parse(fs.readFileSync(join(home.cluster, ACCESS_FILE), 'utf8')) as Access;
  const port = asked_port ?? ((await isFree(access.port)) ? access.port : await anyFreePort());
  if (port !== access.port) writeAccess(home, home.cluster, { ...access, port });
  const urlOf = (role: string, password: string) =>
    `postgres://${role}:${password}@${LOOPBACK}:${port}/${NAME}`;
  return { admin_url: urlOf(NAME, access.password), url: urlOf(SERVICE, access.service_password), port };
}

function writeAccess(home: PostgresHome, folder: string, access: Access): void {
  const file = join(folder, ACCESS_FILE);
  fs.writeFileSync(`${file}.new`, JSON.stringify(access), { mode: 0o600 });
  give(`${file}.new`, home);
  fs.renameSync(`${file}.new`, file);
}

function give(path: string, { user }: PostgresHome): void {
  if (user !== null) fs.chownSync(path, user.uid, user.gid);
}
