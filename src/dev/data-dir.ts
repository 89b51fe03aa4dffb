import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { SeededKeys } from '../db/account/accounts.ts';
import { claim } from './pid-file.mjs';

/** What other programs need to know of a running stack: stack.json of the data directory. */
export type StackFile = {
  api_url: string;
  dashboard_url: string;
  temporal_address: string;
  /** Null for a Temporal that somebody else runs and whose UI nobody named. */
  temporal_ui_url: string | null;
  database_url: string;
  pid: number;
} & SeededKeys;

const STACK_FILE = 'stack.json';

/** Makes the data directory and holds it until this process ends. Throws when another stack runs in it. */
export function claimDataDir(data_dir: string): void {
  fs.mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const lock = join(data_dir, 'lock');
  const holder = claim(lock);
  if (holder !== null) throw new Error(`process ${holder} already runs in ${data_dir}; stop it first`);
  const stack_file = join(data_dir, STACK_FILE);
  fs.rmSync(stack_file, { force: true }); // of a stack that was killed
  process.on('exit', () => {
    fs.rmSync(stack_file, { force: true });
    fs.rmSync(lock, { force: true });
  });
}

export function writeStackFile(data_dir: string, stack: StackFile): void {
  writePrivately(join(data_dir, STACK_FILE), stack);
}

/** What the next start of this data directory needs to know. The keys are null until an account has been made. */
export type Secrets = { secret: string; keys: SeededKeys | null };

export function readSecrets(data_dir: string): Secrets {
  const path = join(data_dir, 'secrets.json');
  if (!fs.existsSync(path)) return { secret: randomBytes(32).toString('base64url'), keys: null };
  return JSON.parse(fs.readFileSync(path, 'utf8')) as Secrets;
}

export function writeSecrets(data_dir: string, secrets: Secrets): void {
  writePrivately(join(data_dir, 'secrets.json'), secrets);
}

function writePrivately(path: string, value: unknown): void {
  fs.writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${path}.new`, path);
}
