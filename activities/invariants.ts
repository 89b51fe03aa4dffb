import { checkWorkflows } from '../src/db/invariants/slices.ts';
import { createSizes } from '../src/db/invariants/sizes.ts';
import { readState } from '../src/db/invariants/state.ts';
import type { Pool } from '../src/db/connection/pool.ts';
import { workflowsOf } from '../src/checks/check-inputs.ts';
import { isSound, tableOf } from '../src/checks/invariant-report.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { log } from '@temporalio/activity';
import { checkWhatIsNew, retryWhileBusy } from '../src/checks/what-is-new.ts';

/**
 * Result that the check's workflow shows: ids, counts and instants only. The details of each breach are in the
 * database; `npm run reconcile` prints them.
 */
export type CheckResult = { state: 'sound' | 'breached'; details: string };

/**
 * Checks what is new, as the worker does every half minute, and the workflows of Temporal, whose list only this check
 * reads. Then tells what is breached and what was checked when. A breach is a result, not a failure: a retry would find
 * it again.
 */
export async function checkAndShow(deps: {
  pool: Pool;
  /** Pool for long statements. */
  background_pool: Pool;
  check_share_percent: number;
  temporal: Pick<Temporal, 'runningIds' | 'stateOf'>;
}): Promise<CheckResult> {
  const workflows = await workflowsOf(deps.temporal, deps.pool);
  const opened = await retryWhileBusy(() => checkWorkflows(deps.background_pool, workflows));
  if (opened.length > 0) log.error('invariants are breached', { rows: opened, count: opened.length });
  await checkWhatIsNew(deps.background_pool, {
    sizes: createSizes(),
    report: (message, cause) => log.error(message, { ...cause }),
  });
  const { checked, coverage } = await readState(deps.pool, deps.check_share_percent);
  return { state: isSound(checked) ? 'sound' : 'breached', details: tableOf(checked, coverage) };
}
