import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from '../../../dev/pid-file.mjs';
import { removeHome } from '../../../dev/postgres-home.ts';
import { stopLeftovers } from '../../../dev/processes.ts';
import { PLACES_OF_FOLDERS, placeOfServers } from '../../../dev/test-servers.ts';
import { atEnd } from './at-end.ts';

const PREFIX = 'tidemark-test-';

/** A new folder, removed at the end of the run. The first call also removes the folders of killed runs. */
export function aFolder(): Promise<string> {
  return aFolderIn(tmpdir());
}

/** A new folder for the data of a test server, which is in memory if there is room; else as aFolder. */
export function aServerFolder(): Promise<string> {
  return aFolderIn(placeOfServers());
}

async function aFolderIn(place: string): Promise<string> {
  for (const other of PLACES_OF_FOLDERS) await removeAbandoned(other);
  const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
  atEnd(() => removeHome(folder));
  return folder;
}

async function removeAbandoned(place: string): Promise<void> {
  for (const name of readdirSync(place).filter((found) => found.startsWith(PREFIX))) {
    const folder = join(place, name);
    const is_in_use = identityOf(Number(name.slice(PREFIX.length).split('-')[0])) !== null;
    if (is_in_use || statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    // Several groups of a run remove the same folders: another one may be faster.
    await stopLeftovers(join(folder, 'logs'))
      .then(() => removeHome(folder))
      .catch(() => undefined);
  }
}
