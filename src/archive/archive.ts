import { existsSync } from 'node:fs';
import { mkdir, writeFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keepArchivedLines } from '../db/archive/archived-lines.ts';
import {
  filesOfMonth,
  finishFile,
  insertFile,
  nextPart,
  unfinishedFiles,
  type ArchiveFile,
} from '../db/archive/files.ts';
import {
  countLeaving,
  monthsBefore,
  monthsWithEvents,
  pageOfLeaving,
  removeLeaving,
  rolledUpTo,
  sealEqual,
  type ArchivedEvent,
  type Leaving,
} from '../db/archive/leaving-events.ts';
import { dropPartition, leavesAsAWhole, pastBuckets } from '../db/archive/leaving-partitions.ts';
import {
  customersToArchive,
  lockArchivedCustomer,
  moveArchivedTo,
  settledUntil,
  type ArchivedCustomer,
} from '../db/archive/watermark.ts';
import { transaction, type Pool } from '../db/connection/pool.ts';
import { monthIn, UTC } from '../domain/time/local-time.ts';
import { readEventFile, writeEventFile } from './event-file.ts';
import { ArchiveFault } from './fault.ts';

const CUSTOMERS_A_PAGE = 500;
const EVENTS_A_PAGE = 5000;
const DROPS_MAX = 10;
const DROP_REST_MS = 1000;

export type Archiving = {
  /** End of the archive, exclusive: only events with timestamps before it leave. */
  before: string;
  environments: readonly { id: number; livemode: boolean }[];
  folder: string;
  /** Says how far it is. */
  say: (text: string) => void;
};

/** The files and events that a run has written and removed. */
export type Archived = { files: number; events: number };

/**
 * Moves the events that are billed for good, and before an instant, from the database to files. Killed at any moment,
 * it loses nothing, and the next run goes on: events are removed once their file was written, read back, compared with
 * them and entered. The caller holds the archive's lock, so that there is one run at a time. Throws an ArchiveFault.
 */
export async function archiveEvents(pool: Pool, archiving: Archiving): Promise<Archived> {
  const { environments, before, say } = archiving;
  await mkdir(archiving.folder, { recursive: true });
  for (const file of await unfinishedFiles(pool)) await removeEvents(pool, file, archiving);
  const stored = await rolledUpTo(pool);
  if (stored === null)
    throw new ArchiveFault('the daily totals are behind: run it again when the worker has caught up');
  await settleCustomers(pool, before);
  const files: ArchiveFile[] = [];
  for (const { id: environment_id, livemode } of environments) {
    for (const month of await monthsWithEvents(pool, environment_id, before)) {
      const { from, to } = monthIn(month, UTC);
      const leaving = { environment_id, from, to, ...stored };
      if ((await pageOfLeaving(pool, leaving, { after: null, limit: 1 })).length === 0) continue;
      const file = await writeMonth(pool, { leaving, livemode, month }, archiving.folder);
      say(`${file.name}: ${file.events} events are written and compared`);
      files.push(file);
    }
  }
  for (const bucket of await pastBuckets(pool, before))
    if ((await leavesAsAWhole(pool, bucket, stored)) && (await removePartition(pool, bucket)))
      say(`the partition of ${bucket} has left the database as a whole`);
  for (const file of files) await removeEvents(pool, file, archiving);
  return { files: files.length, events: files.reduce((sum, { events }) => sum + events, 0) };
}

/**
 * Drops a partition of which all events are in files. Returns false if others used the table at each try: its events
 * are then removed one by one.
 */
async function removePartition(pool: Pool, bucket: number): Promise<boolean> {
  const busy = new Error('the table is in use');
  for (let attempt = 0; attempt < DROPS_MAX; attempt++) {
    if (attempt > 0) await pause(DROP_REST_MS);
    const is_gone = await transaction(pool, async (db) => {
      if (!(await dropPartition(db, bucket))) throw busy;
      return true;
    }).catch((error: unknown) => {
      if (error !== busy) throw error;
      return false;
    });
    if (is_gone) return true;
  }
  return false;
}

/** How many events a run would move now, by environment and month; changes nothing. */
export async function countArchivable(pool: Pool, before: string): Promise<ArchivableMonth[]> {
  const months = new Map<string, ArchivableMonth>();
  for await (const customer of customersOf(pool))
    for (const { month, events } of await monthsBefore(
      pool,
      customer,
      await settledUntil(pool, customer, before),
    )) {
      const { environment_id } = customer;
      const key = `${environment_id} ${month}`;
      months.set(key, { environment_id, month, events: events + (months.get(key)?.events ?? 0) });
    }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}

export type ArchivableMonth = { environment_id: number; month: string; events: number };

async function* customersOf(pool: Pool): AsyncGenerator<ArchivedCustomer> {
  for (let after = '0', page; ; after = page.at(-1)!.customer_key) {
    page = await customersToArchive(pool, { after, limit: CUSTOMERS_A_PAGE });
    yield* page;
    if (page.length < CUSTOMERS_A_PAGE) return;
  }
}

/** Moves archived_to of each customer as far as its events are billed for good, and keeps what its lines held. */
async function settleCustomers(pool: Pool, before: string): Promise<void> {
  for await (const customer of customersOf(pool))
    await transaction(pool, async (db) => {
      if (!(await lockArchivedCustomer(db, customer))) return;
      if (await moveArchivedTo(db, customer, await settledUntil(db, customer, before)))
        await keepArchivedLines(db, customer);
    });
}

type Month = { leaving: Leaving; livemode: boolean; month: string };

/** Writes the next part of a month, reads it back, compares it with the stored events, and enters it. */
async function writeMonth(
  pool: Pool,
  { leaving, livemode, month }: Month,
  folder: string,
): Promise<ArchiveFile> {
  const { environment_id } = leaving;
  const part = await nextPart(pool, environment_id, month);
  const name = freeName(folder, `${livemode ? 'live' : 'test'}-${month}`, part);
  const path = join(folder, name);
  const facts = await writeEventFile(path, pagesOf(pool, leaving));
  let equal = 0;
  for await (const page of readEventFile(path, facts, EVENTS_A_PAGE))
    equal += await sealEqual(pool, environment_id, page);
  const stored = await countLeaving(pool, leaving);
  if (equal !== facts.events || stored !== facts.events)
    throw new ArchiveFault(
      `${path} has ${facts.events} events, of which ${equal} equal the stored ones, and ${stored} were to be written: nothing was removed`,
    );
  const { epoch, up_to_xid } = leaving;
  await insertFile(pool, { environment_id, month, part, name, ...facts, epoch, up_to_xid });
  await writeManifest(pool, month, folder);
  return (await filesOfMonth(pool, month)).find((file) => file.name === name)!;
}

/**
 * A name that no file in the folder has: one that is there may be of another database, or of a run that was killed, and
 * is never written over.
 */
function freeName(folder: string, prefix: string, number: number): string {
  const name = `${prefix}-${String(number).padStart(3, '0')}.csv.gz`;
  return existsSync(join(folder, name)) ? freeName(folder, prefix, number + 1) : name;
}

async function* pagesOf(pool: Pool, leaving: Leaving): AsyncGenerator<ArchivedEvent[]> {
  for (let after: ArchivedEvent | null = null; ;) {
    const page: ArchivedEvent[] = await pageOfLeaving(pool, leaving, { after, limit: EVENTS_A_PAGE });
    if (page.length > 0) yield page;
    if (page.length < EVENTS_A_PAGE) return;
    after = page.at(-1)!;
  }
}

/** Writes what is entered of the files of a month to `manifest-2024-12.json`, under another name first. */
async function writeManifest(pool: Pool, month: string, folder: string): Promise<void> {
  const files = (await filesOfMonth(pool, month)).map(
    ({ name, livemode, part, events, bytes, sha256, written_at }) => ({
      name,
      livemode,
      part,
      events,
      bytes,
      sha256,
      written_at,
    }),
  );
  const path = join(folder, `manifest-${month}.json`);
  await writeFile(`${path}.partial`, `${JSON.stringify({ month, files }, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.partial`, path);
}

/** Removes the events of a file from the database, in short transactions. */
async function removeEvents(pool: Pool, file: ArchiveFile, { say }: Archiving): Promise<void> {
  const { environment_id, month, epoch, up_to_xid, name } = file;
  const leaving = { environment_id, ...monthIn(month, UTC), epoch, up_to_xid };
  for (let removed = EVENTS_A_PAGE; removed === EVENTS_A_PAGE;)
    removed = await removeLeaving(pool, leaving, EVENTS_A_PAGE);
  await finishFile(pool, file);
  say(`${name}: its events have left the database`);
}
