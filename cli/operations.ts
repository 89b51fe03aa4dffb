import { InvalidArgumentError, type Command } from 'commander';
import { CHANGES_KEPT_DAYS } from '../src/db/changes/retention.ts';
import type { Config } from '../src/settings/config.ts';
import { withExamples } from './help.ts';
import { parseLastNumbers, type LastNumbers } from './last-numbers.ts';
import { jsonOption, type Printed } from './output.ts';
import type { ReconcileOptions } from './reconcile.ts';

/** Adds the commands with which an operator works on the database and Temporal directly. */
export function addOperations(program: Command, config: Config): void {
  withExamples(
    program
      .command('setup')
      .description(
        'migrate the database, create the account, register what Temporal needs, and print a sign-in link until somebody has signed in',
      )
      .option(
        '--invoice-numbers-from <numbers>',
        'after a restore: the last known invoice number of test, live or both; the next invoice gets the number after it',
        parseLastNumbers,
      )
      .addOption(jsonOption()),
    ['setup', 'setup --invoice-numbers-from live=188', 'setup --invoice-numbers-from test=12,live=188'],
  ).action(async (options: Printed & { invoiceNumbersFrom?: LastNumbers }) =>
    (await import('./setup.ts')).setUp(config, options),
  );

  withExamples(
    program
      .command('give-database')
      .description(
        'create the role and the database of DATABASE_URL as the superuser of DATABASE_ADMIN_URL, and make the role the owner',
      )
      .addOption(jsonOption()),
    ['give-database'],
  ).action(async (options: Printed) => (await loadMaintenance()).giveDatabaseToRole(config, options));

  withExamples(
    program
      .command('reconcile')
      .description(
        'check the invariants on the running database; changes nothing, exits with 1 if it finds a breach',
      )
      .option(
        '--acked <file>',
        "a client's log of acknowledged events, as JSON lines with id and idempotency_key; missing events are written to <file>.missing",
      )
      .option(
        '--since <time>',
        'check only what was stored and changed in this time, such as 30m, 1h or 2d; the default is everything',
        parseSince,
      )
      .addOption(jsonOption()),
    ['reconcile', 'reconcile --since 1h', 'reconcile --acked acknowledged.jsonl'],
  ).action(async (options: ReconcileOptions) => (await import('./reconcile.ts')).reconcile(config, options));

  withExamples(
    program
      .command('rebuild-rollup')
      .description(
        'delete the daily rollup of usage, so that the worker rebuilds it; until then, invoices are correct but take longer',
      )
      .addOption(jsonOption()),
    ['rebuild-rollup'],
  ).action(async (options: Printed) => (await loadMaintenance()).rebuildRollup(config, options));
}

/** Loads the module on demand: other commands need not load Temporal's client. */
function loadMaintenance() {
  return import('./maintenance.ts');
}

const MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as 30m, 1h or 2d in milliseconds. */
function parseSince(text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * MS[unit as keyof typeof MS];
  if (!(ms > 0)) throw new InvalidArgumentError('It must be a number with m, h or d, such as 1h.');
  if (ms > CHANGES_KEPT_DAYS * MS.d)
    throw new InvalidArgumentError(
      `Changes are kept for ${CHANGES_KEPT_DAYS} days; without --since, everything is checked.`,
    );
  return ms;
}
