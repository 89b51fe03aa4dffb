import { writeFile } from 'node:fs/promises';
import { readAcknowledgements, workflowsOf } from '../check-inputs.ts';
import type { Config } from '../config.ts';
import { checkInvariants } from '../db/invariants/all.ts';
import { CHECK_STATEMENT_MS } from '../db/invariants/check.ts';
import { lostEvents } from '../db/invariants/events.ts';
import { provisionDatabase } from '../db/owner.ts';
import { createPool, type Pool } from '../db/pool.ts';
import { forgetRollup } from '../db/events/rollup.ts';
import { isSound, reportOf } from '../invariant-report.ts';
import { messageOf } from '../message-of.ts';
import { connectTemporal } from '../temporal.ts';
import { databaseUrl, temporalAddress } from './database.ts';
import { Failure } from './failure.ts';
import { printResult, type Printed } from './output.ts';

/** Makes the role of DATABASE_URL the owner of its database, with no further rights. Idempotent. */
export async function giveDatabaseToRole(
  { database_url, database_admin_url }: Config,
  options: Printed,
): Promise<void> {
  if (database_url === null || database_admin_url === null)
    throw new Failure('DATABASE_URL and DATABASE_ADMIN_URL must be set', 2);
  await provisionDatabase(database_admin_url, database_url);
  printResult(options, { is_given: true }, 'The role of DATABASE_URL now owns its database.');
}

/** Prints every invariant with its breaches. */
export async function reconcile(config: Config, options: Printed & { acked?: string }): Promise<void> {
  const { acked } = options;
  const pool = createPool(databaseUrl(config), 2, { statement_ms: CHECK_STATEMENT_MS });
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  try {
    const acknowledged = acked === undefined ? null : readAcknowledgements(acked);
    // If Temporal does not answer, check the other invariants without it.
    const workflows = await workflowsOf(temporal, pool).catch((error: unknown) => {
      console.error(`I23 is not checked, because Temporal does not respond: ${messageOf(error)}`);
      return null;
    });
    const checked = await checkInvariants(pool, { acknowledged, workflows });
    const is_sound = isSound(checked);
    const missing = acked === undefined ? null : await writeMissing(pool, acked);
    const report = [
      reportOf(checked),
      ...(missing === null ? [] : [`Missing events: ${missing.count}, listed in ${missing.file}.`]),
    ];
    printResult(options, { is_sound, invariants: checked, missing }, report.join('\n'));
    if (!is_sound) process.exitCode = 1;
  } finally {
    await temporal.close();
    await pool.end();
  }
}

/** Writes all acknowledged events that are not stored to `<acked>.missing`, in the format of the log. Null if none is missing. */
async function writeMissing(pool: Pool, acked: string): Promise<{ file: string; count: number } | null> {
  const file = `${acked}.missing`;
  let count = 0;
  for await (const page of readAcknowledgements(acked)) {
    const lost = await lostEvents(pool, page);
    if (lost.length === 0) continue;
    const lines = lost.map(({ id, idempotency_key }) => `${JSON.stringify({ id, idempotency_key })}\n`);
    await writeFile(file, lines.join(''), { flag: count === 0 ? 'w' : 'a' });
    count += lost.length;
  }
  return count === 0 ? null : { file, count };
}

/** Deletes the rollup; the worker rebuilds it. Until then bills read the events themselves. */
export async function rebuildRollup(config: Config, options: Printed): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    await forgetRollup(pool);
    printResult(options, { is_forgotten: true }, 'The worker will rebuild the rollup from all events.');
  } finally {
    await pool.end();
  }
}
