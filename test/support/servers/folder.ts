import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from '../../../dev/pid-file.mjs';
import { removeHome } from '../../../dev/postgres-home.ts';
import { stopLeftovers } from '../../../dev/processes.ts';
import { atEnd } from './at-end.ts';

const PREFIX = 'tidemark-test-';

/** A new folder, removed at the end of the run. The first call also removes the folders of killed runs. */
export async function aFolder(): Promise<string> {
  await removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  atEnd(() => removeHome(folder));
  return folder;
}

async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((found) => found.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const is_in_use = identityOf(Number(name.slice(PREFIX.length).split('-')[0])) !== null;
    if (is_in_use || statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    // Several groups of a run remove the same folders: another one may be faster.
    await stopLeftovers(join(folder, 'logs'))
      .then(() => removeHome(folder))
      .catch(() => undefined);
  }
}
