import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import type { StackFile } from '../../../dev/data-dir.ts';
import { atEnd } from './at-end.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

type Command = { child: ChildProcess; output: () => string; code: Promise<number | null> };
export type Started = Command & { file: StackFile };

/** Runs one of our programs as npm does, with this process's environment and `environment`. */
export function runProgram(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Command {
  const child = spawn('/bin/sh', ['dev/run.sh', program, ...args], {
    cwd: ROOT,
    env: { ...inheritedEnvironment(), ...environment },
  });
  const code = once(child, 'close').then(([exit_code]) => exit_code as number | null);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  atEnd(async () => {
    child.kill();
    await code;
  });
  return { child, output: () => output, code };
}

/** Runs what npm start runs. */
export function npmStart(args: readonly string[], environment: Record<string, string> = {}): Command {
  return runProgram('dev/main.ts', args, environment);
}

/** The one-command stack of a data directory, on any port, once it runs. */
export async function started(
  data_dir: string,
  options: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Started> {
  const command = npmStart(['--data-dir', data_dir, '--port', '0', ...options], environment);
  while (!command.output().includes('Tidemark is running.')) {
    assert.equal(command.child.exitCode, null, command.output());
    await delay(50);
  }
  const file: StackFile = JSON.parse(readFileSync(join(data_dir, 'stack.json'), 'utf8'));
  return { ...command, file };
}
