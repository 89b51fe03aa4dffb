import { join } from 'node:path';
import { compareRestoredLines } from '../db/archive/archived-lines.ts';
import {
  filesOfMonth,
  latestArchivedMonth,
  noteRestored,
  unfinishedFiles,
  type ArchiveFile,
} from '../db/archive/files.ts';
import { restoreEvents } from '../db/archive/leaving-events.ts';
import {
  customersArchivedBeyond,
  lockArchivedCustomer,
  moveArchivedToBack,
} from '../db/archive/watermark.ts';
import { transaction, type Pool } from '../db/connection/pool.ts';
import { monthIn, UTC } from '../domain/time/local-time.ts';
import { checkEventFile, readEventFile } from './event-file.ts';
import { ArchiveFault } from './fault.ts';

const CUSTOMERS_A_PAGE = 500;
const EVENTS_A_PAGE = 5000;

export type Restoring = { month: string; folder: string; say: (text: string) => void };

/**
 * The files and events that a restore has brought back; `differing_lines` are lines whose events are not what they were
 * when these left.
 */
export type Restored = { files: number; events: number; differing_lines: string[] };

/**
 * Brings the events of the latest archived month back. Reads all its files once before it stores an event; killed at
 * any moment, the next call goes on. The caller holds the archive's lock. Throws an ArchiveFault that names the file if
 * one is missing, cut or changed, and one that names the month to begin with if a later one is archived.
 */
export async function restoreMonth(pool: Pool, { month, folder, say }: Restoring): Promise<Restored> {
  if ((await unfinishedFiles(pool)).length > 0)
    throw new ArchiveFault('a run of the archive was interrupted: let it finish first, by running it again');
  const files = (await filesOfMonth(pool, month)).filter(({ restored_at }) => restored_at === null);
  const latest = await latestArchivedMonth(pool);
  if (latest !== null && latest > month)
    throw new ArchiveFault(`${latest} is archived too: months come back from the latest to the earliest`);
  // Without files left, a call that was interrupted may have brought the events back, but not moved its customers.
  const beyond = await customersArchivedBeyond(pool, monthIn(month, UTC).from, { after: '0', limit: 1 });
  if (files.length === 0 && beyond.length === 0) throw new ArchiveFault(`no events of ${month} are archived`);
  for (const file of files) await checkEventFile(join(folder, file.name), file);
  let events = 0;
  for (const file of files) {
    await restoreFile(pool, file, folder);
    events += file.events;
    say(`${file.name}: ${file.events} events are back`);
  }
  const differing_lines = await reopenCustomers(pool, month);
  return { files: files.length, events, differing_lines };
}

async function restoreFile(pool: Pool, file: ArchiveFile, folder: string): Promise<void> {
  const { environment_id, events } = file;
  let seen = 0;
  for await (const page of readEventFile(join(folder, file.name), file, EVENTS_A_PAGE)) {
    const [from, to] = [seen, seen + page.length];
    seen = to;
    if (to <= file.restored_events) continue;
    const rest = page.slice(Math.max(0, file.restored_events - from));
    await transaction(pool, async (db) => {
      const noted = { from: Math.max(from, file.restored_events), to, is_done: to === events };
      if (!(await noteRestored(db, file, noted)))
        throw new ArchiveFault(`${file.name} is being restored by another process`);
      await restoreEvents(db, environment_id, rest);
    });
  }
}

/**
 * Moves archived_to of the customers back to the beginning of the month, and compares their lines with what was kept of
 * them.
 */
async function reopenCustomers(pool: Pool, month: string): Promise<string[]> {
  const { from } = monthIn(month, UTC);
  const is_first = (await latestArchivedMonth(pool)) === null;
  const differing: string[] = [];
  for (let after = '0', size = CUSTOMERS_A_PAGE; size === CUSTOMERS_A_PAGE;) {
    const page = await customersArchivedBeyond(pool, from, { after, limit: CUSTOMERS_A_PAGE });
    size = page.length;
    after = page.at(-1)?.customer_key ?? after;
    for (const customer of page)
      await transaction(pool, async (db) => {
        if (!(await lockArchivedCustomer(db, customer))) return;
        await moveArchivedToBack(db, customer, is_first ? null : from);
        differing.push(...(await compareRestoredLines(db, customer, is_first ? '-infinity' : from)));
      });
  }
  return differing;
}
