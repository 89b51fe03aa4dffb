import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { withExamples } from './help.ts';
import { jsonOption, type Printed } from './output.ts';

/** What an operator does to the database and Temporal themselves. */
export function addOperations(program: Command, config: Config): void {
  withExamples(
    program
      .command('setup')
      .description(
        'migrate the database and register namespace, search attributes and schedules with Temporal',
      )
      .addOption(jsonOption()),
    ['setup'],
  ).action(async (options: Printed) => (await work()).setUp(config, options));

  withExamples(
    program
      .command('reconcile')
      .description(
        'check everything that must always hold, on the live database; changes nothing, exits 1 where something is found',
      )
      .option(
        '--acked <file>',
        "a client's log of acknowledged events: JSON lines with id and idempotency_key",
      )
      .addOption(jsonOption()),
    ['reconcile', 'reconcile --acked acknowledged.jsonl'],
  ).action(async (options: Printed & { acked?: string }) => (await work()).reconcile(config, options));

  withExamples(
    program
      .command('rebuild-rollup')
      .description(
        'forget the daily rollup of usage, for the worker to make it anew; bills stay right meanwhile, and take longer',
      )
      .addOption(jsonOption()),
    ['rebuild-rollup'],
  ).action(async (options: Printed) => (await work()).rebuildRollup(config, options));
}

/** Loaded when it is wanted, since no other command waits for Temporal's client. */
function work() {
  return import('./maintenance.ts');
}
