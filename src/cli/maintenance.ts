import { readAcknowledgements, workflowsOf } from '../check-inputs.ts';
import type { Config } from '../config.ts';
import { checkInvariants, CHECK_STATEMENT_MS } from '../db/invariants/check.ts';
import { createPool } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import { forgetRollup } from '../db/events/rollup.ts';
import { isSound, reportOf } from '../invariant-report.ts';
import { messageOf } from '../message-of.ts';
import { connectTemporal } from '../temporal.ts';
import { databaseUrl, temporalAddress } from './database.ts';
import { printResult, type Printed } from './output.ts';

/** Migrates the database and registers what Temporal must know; running it again changes nothing. */
export async function setUp(config: Config, options: Printed): Promise<void> {
  await prepareDatabase(databaseUrl(config));
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  try {
    await temporal.setUp();
  } finally {
    await temporal.close();
  }
  printResult(options, { is_set_up: true }, 'The database and Temporal are set up.');
}

/** Prints every invariant with what breaches it. */
export async function reconcile(config: Config, options: Printed & { acked?: string }): Promise<void> {
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

/** Bills read the events until the worker has made the rollup again. */
export async function rebuildRollup(config: Config, options: Printed): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    await forgetRollup(pool);
    printResult(options, { is_forgotten: true }, 'The worker makes the rollup anew from every event.');
  } finally {
    await pool.end();
  }
}
