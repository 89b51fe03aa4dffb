import { USUAL_TERMS } from '../../../src/domain/subscription/change-terms.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { closeGroupsOf } from '../../../activities/billing-steps.ts';
import { createCloseMetrics } from '../../../activities/close-metrics.ts';
import { consumeAll } from '../../../src/db/changes/consume.ts';
import { moveSubscribers } from '../../../activities/plan-migrations.ts';
import { regenerateInvoice } from '../../../activities/regenerate.ts';
import { lookAtClock, lookAtDue } from '../../../src/billing/close/threshold.ts';
import { changePlan } from '../../../src/billing/terms/change-plan.ts';
import { createPool, transaction, type Pool } from '../../../src/db/connection/pool.ts';
import { dueLooks } from '../../../src/db/subscriptions/threshold-looks.ts';
import { FEED } from '../../../src/db/feed/consumer.ts';
import { billThresholds } from '../../../worker/thresholds.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { NO_GRACE } from '../../support/ledger/billing.ts';

const CONNECTIONS = 4;
const THIS_FILE = fileURLToPath(import.meta.url);

type Regeneration = { environment_id: number; subscription_id: string; regeneration_id: string };
/** Subscriptions whose next step is done in one group. */
type Closes = { environment_id: number; subscription_ids: readonly string[] };

/** A change of plan, as the API makes it. */
type PlanChange = { environment_id: number; subscription_id: string; plan_id: string };

/** Subscriptions with `bill_at` that are looked at in one transaction. */
type Looks = { environment_id: number; looked_at: readonly string[] };

/** A customer whose subscriptions are looked at by its clock. */
type ClockLook = { environment_id: number; at_clock_of: string };

/** All looks that are due. */
type AllLooks = { looks: true };

/** All changes that have no number yet. */
type Publication = { publishes: true };

/** A plan migration, up to its end. */
type Migration = { environment_id: number; migration_id: string };

/** Work of a worker, and the wire or database that it uses. */
export type Job = { database_url: string } & (
  Regeneration | Closes | PlanChange | Migration | Looks | ClockLook | AllLooks | Publication
);

/** A process that runs only what a worker does in the database, so that no Temporal server waits after a kill. */
export type BillingProcess = {
  /** Does jobs concurrently. Rejects if the process ends before all are done. */
  serve: (jobs: readonly Job[]) => Promise<void>;
  /** Sends SIGKILL and waits until the process has ended. */
  kill: () => Promise<void>;
};

export function startBillingProcess(): BillingProcess {
  const child = fork(THIS_FILE, { execArgv: [] });
  const ended = once(child, 'exit').then(([code, signal]) => `ended with ${code ?? signal}`);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  atEnd(kill);
  return {
    kill,
    serve: async (jobs) => {
      const served = once(child, 'message').then(() => null);
      child.send(jobs);
      const end = await Promise.race([served, ended]);
      if (end !== null) throw new Error(`the billing process ${end}`);
    },
  };
}

const pools = new Map<string, Pool>();

/** The pool of an address; each wire has one of its own. As a worker's, it prepares the statements of bills, and not those of all looks. */
function poolOf({ database_url, ...work }: Job): Pool {
  const options = { is_prepared: !('looks' in work) };
  const pool = pools.get(database_url) ?? createPool(database_url, CONNECTIONS, options);
  pools.set(database_url, pool);
  return pool;
}

async function serve(work: Job): Promise<void> {
  const pool = poolOf(work);
  if ('publishes' in work) await consumeAll(pool, FEED);
  else if ('looks' in work) await billAllThresholds(pool);
  else if ('looked_at' in work) await lookAtAll(pool, work);
  else if ('at_clock_of' in work) await lookAtClockOf(pool, work);
  else if ('plan_id' in work)
    await transaction(pool, (db) =>
      changePlan(
        db,
        work,
        { plan_id: work.plan_id, at: 'now', take_back_grants: false, quantities: {}, ...USUAL_TERMS },
        NO_GRACE,
      ),
    );
  else if ('regeneration_id' in work)
    await regenerateInvoice({ pool, settings: NO_GRACE, patience: {} }, work);
  else if ('migration_id' in work) {
    const deps = { pool, settings: NO_GRACE, patience: {}, is_retried: true };
    const temporal = { nudge: async () => 0 };
    while (!(await moveSubscribers({ ...deps, temporal }, work)).is_finished);
  } else {
    const { environment_id, subscription_ids } = work;
    const groups = closeGroupsOf(pool, NO_GRACE, createCloseMetrics());
    await Promise.all(
      subscription_ids.map((subscription_id) => groups.add({ environment_id, subscription_id })),
    );
  }
}

/** Looks until no session of a killed process holds a lock any more. */
async function lookAtAll(pool: Pool, { environment_id, looked_at }: Looks): Promise<void> {
  for (;;) {
    const { taken } = await transaction(pool, (db) => lookAtDue(db, environment_id, looked_at, NO_GRACE));
    if (taken > 0) return;
    const due = await dueLooks(pool, 1000);
    if (!due.some(({ subscription_id }) => looked_at.includes(subscription_id))) return;
    await pause(50);
  }
}

async function lookAtClockOf(pool: Pool, { environment_id, at_clock_of }: ClockLook): Promise<void> {
  const key = { environment_id, customer_id: at_clock_of };
  await transaction(pool, (db) => lookAtClock(db, key, NO_GRACE));
}

async function billAllThresholds(pool: Pool): Promise<void> {
  const temporal = { nudge: async () => 0 };
  const report = (fault: string, cause: object) => {
    throw new Error(fault, { cause });
  };
  const { signal } = new AbortController();
  // As the loop of a worker, which comes back where another one has locked what is due.
  while ((await dueLooks(pool, 1)).length > 0) {
    await billThresholds({ pool, temporal, settings: NO_GRACE, report }, signal);
    await pause(50);
  }
}

if (process.argv[1] === THIS_FILE) {
  process.on('message', (jobs: Job[]) => {
    void Promise.all(jobs.map(serve)).then(() => process.send!('served'));
  });
}
