import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { SeededKeys } from '../src/db/account/accounts.ts';
import { claim } from './pid-file.mjs';

/** Addresses and keys of a running stack for other programs: stack.json of the data directory. */
export type StackFile = {
  api_url: string;
  dashboard_url: string;
  temporal_address: string;
  /** Null for an external Temporal whose UI address is not set. */
  temporal_ui_url: string | null;
  database_url: string;
  pid: number;
} & SeededKeys;

const STACK_FILE = 'stack.json';

/** Creates the data directory and locks it until this process ends. Throws if another stack runs in it. */
export function claimDataDir(data_dir: string): void {
  fs.mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const lock = join(data_dir, 'lock');
  const holder = claim(lock);
  if (holder !== null) throw new Error(`process ${holder} already uses ${data_dir}; stop it first`);
  const stack_file = join(data_dir, STACK_FILE);
  fs.rmSync(stack_file, { force: true }); // of a stack that was killed
  process.on('exit', () => {
    fs.rmSync(stack_file, { force: true });
    fs.rmSync(lock, { force: true });
  });
}

/** Replaces stack.json atomically, mode 0600; removed when this process exits. */
export function writeStackFile(data_dir: string, stack: StackFile): void {
  writePrivately(join(data_dir, STACK_FILE), stack);
}

/** The secrets that the next start needs from this data directory. `keys` is null until the account exists. */
export type Secrets = { secret: string; keys: SeededKeys | null };

/** Reads secrets.json; draws a new secret if the file does not exist. */
export function readSecrets(data_dir: string): Secrets {
  const path = join(data_dir, 'secrets.json');
  if (!fs.existsSync(path)) return { secret: randomBytes(32).toString('base64url'), keys: null };
  return JSON.parse(fs.readFileSync(path, 'utf8')) as Secrets;
}

/** Replaces secrets.json atomically, mode 0600. */
export function writeSecrets(data_dir: string, secrets: Secrets): void {
  writePrivately(join(data_dir, 'secrets.json'), secrets);
}

function writePrivately(path: string, value: unknown): void {
  fs.writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${path}.new`, path);
}
