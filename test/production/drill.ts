import { chmodSync, copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { onNpmGone } from '../../dev/npm-parent.ts';
import type { Say } from '../../dev/progress.ts';
import { stopEverything } from '../support/servers/at-end.ts';
import { aFolder } from '../support/servers/folder.ts';

export type Drill = {
  /** Prints a line with the seconds since the start. */
  say: Say;
  /** Prints whether something is as it should be; if not, the drill exits with 1 at its end. */
  expect: (what: string, is_so: boolean) => void;
};

/** Runs a drill with a folder of its own. Rejects if it failed or found a fault; the logs are then kept. */
export async function runDrill(work: (drill: Drill, folder: string) => Promise<void>): Promise<void> {
  const folder = await aFolder();
  // The user who runs PostgreSQL may enter it.
  chmodSync(folder, 0o711);
  const started_at = performance.now();
  let faults = 0;
  const say = (line: string) =>
    console.log(`${((performance.now() - started_at) / 1000).toFixed(1).padStart(7)} s  ${line}`);
  const expect = (what: string, is_so: boolean) => {
    if (!is_so) faults++;
    say(`${is_so ? 'yes  ' : 'FAULT'} ${what}`);
  };
  onNpmGone(() => void stopEverything().finally(() => process.exit(1)));
  // Of an error that nothing awaits, too, or the servers would be left behind.
  const uncaught = new Promise<never>((_, reject) => process.once('uncaughtException', reject));
  try {
    await Promise.race([work({ say, expect }, folder), uncaught]);
    if (faults > 0) throw new Error(`${faults} faults were found`);
    say('No fault was found.');
  } catch (error) {
    keepLogs(folder, say);
    throw error;
  }
}

/** Copies all logs, because the folder is about to be removed. */
function keepLogs(folder: string, say: Say): void {
  const kept = mkdtempSync(join(tmpdir(), 'tidemark-drill-logs-'));
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.log'),
  );
  for (const path of logs) copyFileSync(join(folder, path), join(kept, path.replaceAll(sep, '-')));
  say(`The logs are in ${kept}`);
}
