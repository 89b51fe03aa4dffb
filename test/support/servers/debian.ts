import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aFolder } from './folder.ts';

const INSTALL_LIMIT_MS = 300_000;
const TRIES = 3;
const PAUSE_MS = 10_000;
/** Waits for a mirror that is briefly unreachable, and for another running apt. */
const PATIENCE = ['-o', 'Acquire::Retries=2', '-o', 'DPkg::Lock::Timeout=60'];

/** Requires a command within a describe. If it is missing, root installs its Debian package; otherwise the tests fail with the reason. */
export function useCommand(command: string, debian_package: string): void {
  use(command, debian_package, () => isThere(command));
}

/** Requires a file by its path, as useCommand requires a command. */
export function useFile(path: string, debian_package: string): void {
  use(path, debian_package, () => existsSync(path));
}

function use(what: string, debian_package: string, isFound: () => boolean): void {
  before(async function () {
    this.timeout(INSTALL_LIMIT_MS);
    if (isFound()) return;
    const said = process.getuid?.() === 0 ? await install(debian_package, TRIES) : '';
    if (!isFound())
      throw new Error(`${what} is missing; the Debian package ${debian_package} brings it\n${said}`);
  });
}

/** Finds, within a describe, the path of a command (findUnpacked). If there is none, the tests are skipped with a sentence. */
export function useUnpacked(command: string, debian_package: string): () => string {
  let path = command;
  before(async function () {
    this.timeout(INSTALL_LIMIT_MS);
    const found = await findUnpacked(command, debian_package);
    if (found === null) {
      console.log(
        `${command} is missing and the Debian package ${debian_package} cannot be downloaded: skipped`,
      );
      this.skip();
    } else path = found;
  });
  return () => path;
}

/**
 * The path of a command. If it is missing, its Debian package is downloaded and unpacked, without the packages that it depends on, which
 * takes seconds. Null if there is no such package.
 */
export async function findUnpacked(command: string, debian_package: string): Promise<string | null> {
  if (isThere(command)) return command;
  const path = join(await (unpacked.get(debian_package) ?? unpack(debian_package)), 'usr/bin', command);
  return existsSync(path) ? path : null;
}

/** Folders of unpacked packages, by name. */
const unpacked = new Map<string, Promise<string>>();

function unpack(debian_package: string): Promise<string> {
  const unpacking = aFolder().then((folder) => {
    const run = (line: string) => spawnSync('sh', ['-c', line], { cwd: folder }).status === 0;
    const download = `apt-get ${PATIENCE.join(' ')} download ${debian_package}`;
    if (run(download) || (run('apt-get update') && run(download))) run('dpkg-deb -x *.deb .');
    return folder;
  });
  unpacked.set(debian_package, unpacking);
  return unpacking;
}

/** The errors of apt-get if every try failed, else an empty text. */
async function install(debian_package: string, tries: number): Promise<string> {
  const said = [['update'], ['install', '-y', debian_package]].map(aptGet).join('');
  if (said === '' || tries === 1) return said;
  await sleep(PAUSE_MS);
  return install(debian_package, tries - 1);
}

/** The command and its stderr if apt-get failed, else an empty text. */
function aptGet(args: string[]): string {
  const { status, stderr } = spawnSync('apt-get', [...PATIENCE, ...args], { encoding: 'utf8' });
  return status === 0 ? '' : `apt-get ${args.join(' ')}: ${stderr}`;
}

function isThere(command: string): boolean {
  return spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
}
