import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const INSTALL_LIMIT_MS = 300_000;
const TRIES = 3;
const PAUSE_MS = 10_000;
/** Waits for a mirror that is briefly unreachable, and for another running apt. */
const PATIENCE = ['-o', 'Acquire::Retries=2', '-o', 'DPkg::Lock::Timeout=60'];

/** Within a describe: requires a command. If it is missing, root installs its Debian package; otherwise the tests fail with the reason. */
export function useCommand(command: string, debian_package: string): void {
  use(command, debian_package, () => isThere(command));
}

/** Like useCommand, for a file path. */
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
