import { log } from '@temporalio/activity';
import { keepCheck } from '../src/db/invariants/checks.ts';
import { checkInvariants } from '../src/db/invariants/all.ts';
import type { Pool } from '../src/db/pool.ts';
import { workflowsOf } from '../src/check-inputs.ts';
import { isSound, tableOf } from '../src/invariant-report.ts';
import type { Temporal } from '../src/temporal.ts';

/**
 * Result that the check's workflow shows: ids and counts only. The details of each breach are in the database; `npm run reconcile`
 * prints them.
 */
export type CheckResult = { state: 'sound' | 'breached'; details: string };

/**
 * Checks every invariant on one snapshot of the database and stores the result. Writes nothing else; a second run stores a second
 * result. A breach is a result, not a failure: a retry would find it again.
 */
export async function checkAndKeep(deps: {
  pool: Pool;
  /** For long statements. */
  background_pool: Pool;
  temporal: Pick<Temporal, 'runningIds' | 'stateOf'>;
}): Promise<CheckResult> {
  const started_at = new Date().toISOString();
  const workflows = await workflowsOf(deps.temporal, deps.pool);
  const checked = await checkInvariants(deps.background_pool, { acknowledged: null, workflows });
  await keepCheck(deps.pool, { started_at, finished_at: new Date().toISOString() }, checked);
  const details = tableOf(checked);
  if (isSound(checked)) return { state: 'sound', details };
  const rows = checked.flatMap(
    ({ breaches }) => breaches?.map(({ invariant, row }) => `${invariant} ${row}`) ?? [],
  );
  log.error('invariants are breached', { rows: rows.slice(0, ROWS_LOGGED_MAX), count: rows.length });
  return { state: 'breached', details };
}

const ROWS_LOGGED_MAX = 50;
