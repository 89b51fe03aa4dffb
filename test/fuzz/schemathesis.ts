import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../src/dev/temporal-binary.ts';

const VERSION = '4.32.5';

/** The path of the tester, fetched by pip the first time, into a folder of the user's cache. It needs Python 3.10 or newer. */
export async function findSchemathesis(): Promise<string> {
  const home = cacheFolder(`schemathesis-${VERSION}`);
  const command = join(home, 'bin', 'schemathesis');
  if (existsSync(command)) return command;
  console.log(`Fetching schemathesis ${VERSION} into ${home} ...`);
  await succeed('python3', ['-m', 'venv', '--clear', home]);
  await succeed(join(home, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return command;
}

/** Runs a command whose output is shown; resolves with its exit code. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code]: (number | null)[] = await once(child, 'close');
  return code ?? 1;
}

async function succeed(command: string, args: readonly string[]): Promise<void> {
  const code = await run(command, args, '.');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
