import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../../dev/temporal-binary.ts';

/**
 * The folder with the commands of a Python package; the first call installs it by pip into the user's cache. Needs Python 3.10 or
 * newer; throws if Python or the package is not available.
 */
export async function findPythonPackage(name: string, version: string): Promise<string> {
  const home = cacheFolder(`${name}-${version}`);
  const commands = join(home, 'bin');
  if (existsSync(join(commands, name))) return commands;
  console.log(`Fetching ${name} ${version} into ${home} ...`);
  await succeed('python3', ['-m', 'venv', '--clear', home]);
  await succeed(join(commands, 'pip'), ['install', '--quiet', `${name}==${version}`]);
  return commands;
}

/** True if Python is not installed. A package that could not be fetched is a failure instead. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Runs a command with its output shown; resolves with its exit code. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code]: (number | null)[] = await once(child, 'close');
  return code ?? 1;
}

async function succeed(command: string, args: readonly string[]): Promise<void> {
  const code = await run(command, args, '.');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
