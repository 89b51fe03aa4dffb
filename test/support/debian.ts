import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const INSTALL_LIMIT_MS = 300_000;
const TRIES = 3;
const PAUSE_MS = 10_000;
/** A mirror that is away for a moment, and another apt at work, are waited for. */
const PATIENCE = ['-o', 'Acquire::Retries=2', '-o', 'DPkg::Lock::Timeout=60'];

/** Within a describe: a command of a Debian package, which root installs where it is missing. Without it the tests fail, and say why. */
export function useCommand(command: string, debian_package: string): void {
  use(command, debian_package, () => isThere(command));
}

/** The same for a file, by its path. */
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

/** What apt-get said where it failed at every try. */
async function install(debian_package: string, tries: number): Promise<string> {
  const said = [['update'], ['install', '-y', debian_package]].map(aptGet).join('');
  if (said === '' || tries === 1) return said;
  await sleep(PAUSE_MS);
  return install(debian_package, tries - 1);
}

/** What apt-get said on stderr; empty where it did as it was told. */
function aptGet(args: string[]): string {
  const { status, stderr } = spawnSync('apt-get', [...PATIENCE, ...args], { encoding: 'utf8' });
  return status === 0 ? '' : `apt-get ${args.join(' ')}: ${stderr}`;
}

function isThere(command: string): boolean {
  return spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
}
