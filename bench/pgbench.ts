import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../src/settings/config.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

const execute = promisify(execFile);

/** The path of pgbench: on the PATH, or in Debian's folder; null if there is none. */
export function findPgbench(): string | null {
  const folders = (inheritedEnvironment().PATH ?? '').split(delimiter);
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const newest_first = versions.sort((a, b) => Number(b) - Number(a));
  const debian = newest_first.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  return (
    [...folders, ...debian].map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path)) ?? null
  );
}

/** The reason why a figure with pgbench cannot be measured here; null if it can. */
export function pgbenchLacks(): string | null {
  if (findPgbench() !== null) return null;
  return 'it needs pgbench, which is not on the PATH: `apt-get install postgresql-contrib` brings it';
}

/** The version of pgbench; null if there is none. */
export function pgbenchVersion(): string | null {
  const path = findPgbench();
  if (path === null) return null;
  return /\d+(\.\d+)*/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[0] ?? null;
}

export type Run = {
  database_url: string;
  /** File with the transaction that each client repeats. */
  script: string;
  clients: number;
  seconds: number;
};

/** Runs pgbench with one thread and prepared statements; the rate excludes connecting. Throws if a transaction failed. */
export async function runPgbench(run: Run): Promise<{ per_second: number; transactions: number }> {
  const load = ['-c', `${run.clients}`, '-j', '1', '-T', `${run.seconds}`];
  const args = ['-n', '-M', 'prepared', '-f', run.script, ...load, run.database_url];
  const { stdout } = await execute(findPgbench()!, args);
  return {
    per_second: numberAfter(stdout, /^tps = ([\d.]+) \(without initial connection time\)/m),
    transactions: numberAfter(stdout, /^number of transactions actually processed: (\d+)/m),
  };
}

function numberAfter(report: string, pattern: RegExp): number {
  const number_text = pattern.exec(report)?.[1];
  if (number_text === undefined) throw new Error(`pgbench reported something else:\n${report}`);
  return Number(number_text);
}
