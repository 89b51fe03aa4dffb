import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aFolder } from './folder.ts';
import type { Stack } from './stack.ts';

/** Runs lines of a document in a folder with the addresses of a stack, as a reader does, and returns their output. Throws if one fails. */
export async function runLines(
  lines: readonly string[],
  { api_url, test_key }: Pick<Stack, 'api_url' | 'test_key'>,
): Promise<string> {
  const cwd = await aFolder();
  mkdirSync(join(cwd, '.tidemark'));
  writeFileSync(join(cwd, '.tidemark', 'stack.json'), JSON.stringify({ api_url, test_key }));
  const bash = ['-e', '-o', 'pipefail', '-c', lines.join('\n')];
  const { stdout, stderr } = await promisify(execFile)('bash', bash, { cwd, timeout: 120_000 });
  assert.equal(stderr, '');
  return stdout;
}
