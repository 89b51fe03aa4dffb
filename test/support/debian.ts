import { spawnSync } from 'node:child_process';

const INSTALL_LIMIT_MS = 300_000;

/** Within a describe: a command of a Debian package, which root installs where it is missing. Without it the tests fail, and say so. */
export function useCommand(command: string, debian_package: string): void {
  before(function () {
    this.timeout(INSTALL_LIMIT_MS);
    if (isThere(command)) return;
    if (process.getuid?.() === 0)
      for (const args of [['update'], ['install', '-y', debian_package]])
        spawnSync('apt-get', args, { stdio: 'ignore' });
    if (!isThere(command))
      throw new Error(`${command} is missing; the Debian package ${debian_package} brings it`);
  });
}

function isThere(command: string): boolean {
  return spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
}
