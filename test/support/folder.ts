import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from '../../src/dev/pid-file.mjs';
import { removeHome } from '../../src/dev/postgres-home.ts';
import { stopLeftovers } from '../../src/dev/processes.ts';
import { atEnd } from './at-end.ts';

const PREFIX = 'tidemark-test-';

/** A new folder that is removed at the end of the run. The first one also removes what runs that were killed left behind. */
export async function aFolder(): Promise<string> {
  await removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  atEnd(() => removeHome(folder));
  return folder;
}

async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : process.pid;
    if (identityOf(pid) !== null) continue;
    await stopLeftovers(join(tmpdir(), name, 'logs'));
    removeHome(join(tmpdir(), name));
  }
}
