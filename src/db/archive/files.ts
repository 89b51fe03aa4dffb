import type { Db } from '../connection/pool.ts';
import type { StoredTo } from './leaving-events.ts';

/** A file of the archive: part `part` of the events of an environment and month (UTC, `2024-12`). */
export type ArchiveFile = StoredTo & {
  environment_id: number;
  livemode: boolean;
  month: string;
  part: number;
  /** Name without the folder. */
  name: string;
  events: number;
  bytes: number;
  /** Hash in hexadecimal. */
  sha256: string;
  written_at: string;
  removed_at: string | null;
  restored_events: number;
  restored_at: string | null;
};

const FILES = `
  select f.environment_id, n.livemode, f.month, f.part, f.name, f.events::float8 as events, f.bytes::float8 as bytes,
    encode(f.sha256, 'hex') as sha256, f.epoch, f.up_to_xid::text as up_to_xid, f.written_at, f.removed_at,
    f.restored_events::float8 as restored_events, f.restored_at
  from archive_files f join environments n on n.id = f.environment_id`;

/** Files whose events have not all left: a run was interrupted. */
export async function unfinishedFiles(db: Db): Promise<ArchiveFile[]> {
  const { rows } = await db.query<ArchiveFile>(
    `${FILES} where f.removed_at is null order by f.environment_id, f.month, f.part`,
  );
  return rows;
}

/** The files of a month, by environment and part. */
export async function filesOfMonth(db: Db, month: string): Promise<ArchiveFile[]> {
  const { rows } = await db.query<ArchiveFile>(
    `${FILES} where f.month = $1 order by f.environment_id, f.part`,
    [month],
  );
  return rows;
}

/** The latest month of which a file's events are not in the database; null if there is none. */
export async function latestArchivedMonth(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ month: string | null }>(
    'select max(month) as month from archive_files where restored_at is null',
  );
  return rows[0]!.month;
}

/** The number of the next part of a month. */
export async function nextPart(db: Db, environment_id: number, month: string): Promise<number> {
  const { rows } = await db.query<{ part: number }>(
    'select coalesce(max(part), 0) + 1 as part from archive_files where environment_id = $1 and month = $2',
    [environment_id, month],
  );
  return rows[0]!.part;
}

/** Enters a file that was read back and compared. */
export async function insertFile(
  db: Db,
  file: Pick<
    ArchiveFile,
    'environment_id' | 'month' | 'part' | 'name' | 'events' | 'bytes' | 'sha256' | 'epoch' | 'up_to_xid'
  >,
): Promise<void> {
  await db.query(
    `insert into archive_files (environment_id, month, part, name, events, bytes, sha256, epoch, up_to_xid)
     values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9)`,
    [
      file.environment_id,
      file.month,
      file.part,
      file.name,
      file.events,
      file.bytes,
      file.sha256,
      file.epoch,
      file.up_to_xid,
    ],
  );
}

type FileKey = Pick<ArchiveFile, 'environment_id' | 'month' | 'part'>;

/** Notes that all events of a file have left. */
export async function finishFile(db: Db, { environment_id, month, part }: FileKey): Promise<void> {
  await db.query(
    `update archive_files set removed_at = date_trunc('milliseconds', clock_timestamp())
     where environment_id = $1 and month = $2 and part = $3 and removed_at is null`,
    [environment_id, month, part],
  );
}

/** Notes how many events of a file are back. Compare-and-set: false if another process has brought some back. */
export async function noteRestored(
  db: Db,
  { environment_id, month, part }: FileKey,
  restored: { from: number; to: number; is_done: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update archive_files set restored_events = $5,
       restored_at = case when $6 then date_trunc('milliseconds', clock_timestamp()) end
     where environment_id = $1 and month = $2 and part = $3 and restored_events = $4 and restored_at is null`,
    [environment_id, month, part, restored.from, restored.to, restored.is_done],
  );
  return rowCount === 1;
}
