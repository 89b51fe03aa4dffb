import type { Command } from 'commander';
import { readAcknowledgements, workflowsOf } from '../check-inputs.ts';
import type { Config } from '../config.ts';
import { checkInvariants, CHECK_STATEMENT_MS } from '../db/invariants/check.ts';
import { createPool } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import { forgetRollup } from '../db/rollup.ts';
import { isSound, reportOf } from '../invariant-report.ts';
import { connectTemporal } from '../temporal.ts';
import { databaseUrl, temporalAddress } from './database.ts';
import { messageOf } from './failure.ts';
import { withExamples } from './help.ts';
import { jsonOption, printResult, type Printed } from './output.ts';

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
  ).action((options: Printed) => setUp(config, options));

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
  ).action((options: Printed & { acked?: string }) => reconcile(config, options));

  withExamples(
    program
      .command('rebuild-rollup')
      .description(
        'forget the daily rollup of usage, for the worker to make it anew; bills stay right meanwhile, and take longer',
      )
      .addOption(jsonOption()),
    ['rebuild-rollup'],
  ).action((options: Printed) => rebuildRollup(config, options));
}

async function setUp(config: Config, options: Printed): Promise<void> {
  await prepareDatabase(databaseUrl(config));
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  try {
    await temporal.setUp();
  } finally {
    await temporal.close();
  }
  printResult(options, { is_set_up: true }, 'The database and Temporal are set up.');
}

async function reconcile(config: Config, options: Printed & { acked?: string }): Promise<void> {
  const { acked } = options;
  const pool = createPool(databaseUrl(config), 2, { statement_ms: CHECK_STATEMENT_MS });
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  try {
    const acknowledged = acked === undefined ? null : readAcknowledgements(acked);
    // Where Temporal does not answer, the rest is checked without it.
    const workflows = await workflowsOf(temporal, pool).catch((error: unknown) => {
      console.error(`I23 is not checked, Temporal does not answer: ${messageOf(error)}`);
      return null;
    });
    const checked = await checkInvariants(pool, { acknowledged, workflows });
    const is_sound = isSound(checked);
    printResult(options, { is_sound, invariants: checked }, reportOf(checked));
    if (!is_sound) process.exitCode = 1;
  } finally {
    await temporal.close();
    await pool.end();
  }
}

async function rebuildRollup(config: Config, options: Printed): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    await forgetRollup(pool);
    printResult(options, { is_forgotten: true }, 'The worker makes the rollup anew from every event.');
  } finally {
    await pool.end();
  }
}
