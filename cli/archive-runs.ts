import { archiveEvents, countArchivable } from '../src/archive/archive.ts';
import { restoreMonth } from '../src/archive/restore.ts';
import type { Config } from '../src/settings/config.ts';
import { findEnvironments } from '../src/db/account/accounts.ts';
import { daysAgo } from '../src/db/archive/watermark.ts';
import { withArchiveLock } from '../src/db/archive/lock.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { monthIn, UTC } from '../src/domain/time/local-time.ts';
import { databaseUrl } from './database.ts';
import { Failure } from './failure.ts';
import { inColumns, printResult } from './output.ts';
import type { ArchiveOptions, RestoreOptions } from './archive.ts';

/**
 * A page of events is read, compared or removed in seconds; the records of the lines of a large customer take longer.
 */
const STATEMENT_MS = 600_000;

/** Moves events to files, or says how many it would move. */
export async function archive(config: Config, options: ArchiveOptions & { before: string }): Promise<void> {
  const { before: month, to: folder, dryRun = false } = options;
  const before = monthIn(month, UTC).from;
  if (folder === undefined && !dryRun)
    throw new Failure('--to <folder> is missing: where the files are written', 2);
  await inDatabase(config, async (pool, environments) => {
    const latest = await daysAgo(pool, config.late_usage_days);
    if (before > latest)
      throw new Failure(
        `events from ${latest.slice(0, 10)} on may still get late usage beside them (LATE_USAGE_DAYS)`,
        2,
      );
    if (dryRun) return printMonths(options, await countArchivable(pool, before), environments);
    const archived = await withArchiveLock(pool, () =>
      archiveEvents(pool, { before, environments, folder: folder!, say: (text) => console.error(text) }),
    );
    if (archived === null) throw new Failure('another process is archiving or restoring events');
    printResult(
      options,
      { object: 'archive', before: month, folder, ...archived },
      `${archived.events} events from before ${month} have left for ${archived.files} files in ${folder}`,
    );
  });
}

/** Brings the events of a month back. */
export async function restore(config: Config, month: string, options: RestoreOptions): Promise<void> {
  const { from: folder } = options;
  await inDatabase(config, async (pool) => {
    const restored = await withArchiveLock(pool, () =>
      restoreMonth(pool, { month, folder, say: (text) => console.error(text) }),
    );
    if (restored === null) throw new Failure('another process is archiving or restoring events');
    const { events, files, differing_lines } = restored;
    printResult(
      options,
      { object: 'archive_restore', month, folder, ...restored },
      `${events} events of ${month} are back from ${files} files`,
    );
    if (differing_lines.length === 0) return;
    throw new Failure(
      `the events of these line items are not what they were when they left: ${differing_lines.join(', ')}`,
    );
  });
}

type Environments = readonly { id: number; livemode: boolean }[];

async function inDatabase(
  config: Config,
  work: (pool: Pool, environments: Environments) => Promise<void>,
): Promise<void> {
  const pool = createPool(databaseUrl(config), 2, { statement_ms: STATEMENT_MS });
  try {
    const environment_ids = await findEnvironments(pool);
    if (environment_ids === null)
      throw new Failure('the database has no account yet; tidemark setup creates it');
    await work(pool, [
      { id: environment_ids.test, livemode: false },
      { id: environment_ids.live, livemode: true },
    ]);
  } finally {
    await pool.end();
  }
}

function printMonths(
  options: ArchiveOptions,
  months: Awaited<ReturnType<typeof countArchivable>>,
  environments: Environments,
): void {
  const data = months.map(({ environment_id, month, events }) => ({
    livemode: environments.find(({ id }) => id === environment_id)!.livemode,
    month,
    events,
  }));
  const rows = data.map(({ livemode, month, events }) => [month, livemode ? 'live' : 'test', String(events)]);
  const table = inColumns([['MONTH', 'DATA', 'EVENTS'], ...rows]);
  printResult(
    options,
    { object: 'archive', dry_run: true, data },
    rows.length === 0 ? 'No events would leave.' : table,
  );
}
