import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { jsonOption, type Printed } from './output.ts';
import { parseMonth } from './month.ts';

export type ArchiveOptions = Printed & { before?: string; to?: string; dryRun?: boolean };
export type RestoreOptions = Printed & { from: string };

/** Adds the commands by which old events leave the database and come back. */
export function addArchive(program: Command, config: Config): void {
  const archive = withExamples(
    program
      .command('archive')
      .description(
        'move events of months that are billed for good from the database to files; goes on where it was stopped',
      )
      // Its own options come before the subcommand, whose options are then its own.
      .enablePositionalOptions()
      .option('--before <month>', 'only events before this month (UTC), such as 2025-01', parseMonth)
      .option('--to <folder>', 'the folder of the files; keep it, and back it up')
      .option('--dry-run', 'only say how many events would leave')
      .addOption(jsonOption()),
    ['archive --before 2025-01 --to /backup/events', 'archive --before 2025-01 --dry-run'],
  ).action(async ({ before, ...options }: ArchiveOptions) => {
    if (before === undefined) throw new Failure('--before <month> is missing (--help has examples)', 2);
    await (await import('./archive-runs.ts')).archive(config, { before, ...options });
  });

  withExamples(
    archive
      .command('restore')
      .description('bring the events of a month back; the latest archived month first')
      .argument('<month>', 'such as 2024-12', parseMonth)
      .requiredOption('--from <folder>', 'the folder of the files')
      .addOption(jsonOption()),
    ['archive restore 2024-12 --from /backup/events'],
  ).action(async (month: string, options: RestoreOptions) =>
    (await import('./archive-runs.ts')).restore(config, month, options),
  );
}
