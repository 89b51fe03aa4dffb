import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { withExamples } from './help.ts';
import { parseLastNumbers, type LastNumbers } from './last-numbers.ts';
import { jsonOption, type Printed } from './output.ts';

/** Adds the commands with which an operator works on the database and Temporal directly. */
export function addOperations(program: Command, config: Config): void {
  withExamples(
    program
      .command('setup')
      .description(
        'migrate the database and register namespace, search attributes and schedules with Temporal',
      )
      .option(
        '--invoice-numbers-from <numbers>',
        'the last invoice number that was seen of test, live or both, after a restore: the next invoice gets the one after it',
        parseLastNumbers,
      )
      .addOption(jsonOption()),
    ['setup', 'setup --invoice-numbers-from live=188', 'setup --invoice-numbers-from test=12,live=188'],
  ).action(async (options: Printed & { invoiceNumbersFrom?: LastNumbers }) =>
    (await loadMaintenance()).setUp(config, options),
  );

  withExamples(
    program
      .command('give-database')
      .description(
        'make the role and the database of DATABASE_URL, and give the role all that is in it, by the superuser of DATABASE_ADMIN_URL',
      )
      .addOption(jsonOption()),
    ['give-database'],
  ).action(async (options: Printed) => (await loadMaintenance()).giveDatabaseToRole(config, options));

  withExamples(
    program
      .command('reconcile')
      .description(
        'check everything that must always hold, on the live database; changes nothing, exits 1 where something is found',
      )
      .option(
        '--acked <file>',
        "a client's log of acknowledged events, JSON lines with id and idempotency_key; all that are missing are written to <file>.missing",
      )
      .addOption(jsonOption()),
    ['reconcile', 'reconcile --acked acknowledged.jsonl'],
  ).action(async (options: Printed & { acked?: string }) =>
    (await loadMaintenance()).reconcile(config, options),
  );

  withExamples(
    program
      .command('rebuild-rollup')
      .description(
        'forget the daily rollup of usage, for the worker to make it anew; bills stay right meanwhile, and take longer',
      )
      .addOption(jsonOption()),
    ['rebuild-rollup'],
  ).action(async (options: Printed) => (await loadMaintenance()).rebuildRollup(config, options));
}

/** Loaded on demand: other commands need not load Temporal's client. */
function loadMaintenance() {
  return import('./maintenance.ts');
}
