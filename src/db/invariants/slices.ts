import { lockConsumer } from '../changes/consumers.ts';
import { transaction, type Db, type Pool } from '../connection/pool.ts';
import { keepFound } from './breaches.ts';
import { BREACHES_MAX, checkUnits, NO_INPUTS, type Found, type Selection } from './check.ts';
import { queueEvents, queueStanding, takeQueued } from './check-queue.ts';
import type { Sizes } from './sizes.ts';
import { noteSwept, openRound, type SweptKind } from './sweep.ts';
import type { Workflows } from './invariant.ts';
import { pageOfUnits } from './unit-pages.ts';
import { ONE_UNIT, type Kind } from './unit.ts';
import { WORKFLOW_INVARIANTS } from './workflows.ts';

/** The result of a slice. `opened` are breaches that were not open before. */
export type Slice = {
  kind: Kind;
  units: number;
  took_ms: number;
  opened: { invariant: string; row: string }[];
};

/** Error of a slice while another process runs one. */
export class SliceBusy extends Error {}

/**
 * Runs a step of a check on one snapshot, one at a time in all processes, under the lock by which the check reads the
 * log. If the process dies, the step has not happened.
 */
function inTurn<T>(pool: Pool, step: (db: Db) => Promise<T>): Promise<T> {
  const work = async (db: Db) => {
    if (!(await lockConsumer(db, 'check'))) throw new SliceBusy('another process is checking');
    return step(db);
  };
  return transaction(pool, work, { is_snapshot: true });
}

/** Queues the next events that were stored and rolled up since the last time; false if there are no more. */
export function queueStoredEvents(pool: Pool): Promise<boolean> {
  return inTurn(pool, queueEvents);
}

/** Queues what no change announces. */
export function queueWhatStands(pool: Pool): Promise<void> {
  return inTurn(pool, queueStanding);
}

/** Checks the next units of the queue; null if it is empty. */
export function checkQueued(pool: Pool, sizes: Sizes): Promise<Slice | null> {
  const started_at = performance.now();
  return inTurn(pool, async (db) => {
    const selection = await takeQueued(db, sizes.of);
    return selection === null ? null : checkAndKeep(db, selection, { started_at, sizes });
  });
}

/** Checks the next units of a sweep; none ends its round. */
export function sweepOn(pool: Pool, kind: SweptKind, sizes: Sizes): Promise<Slice> {
  const started_at = performance.now();
  return inTurn(pool, async (db) => {
    const units = await pageOfUnits(db, kind, await openRound(db, kind), sizes.of(kind));
    const selection = { kind, units, are_changes: false };
    const slice = await checkAndKeep(db, selection, { started_at, sizes });
    await noteSwept(db, kind, { units, busy_ms: slice.took_ms });
    return slice;
  });
}

/**
 * Compares the workflows of Temporal with the subscriptions. Reads without a transaction: it asks Temporal in between,
 * and reads each page of subscriptions after the list of workflows.
 */
export async function checkWorkflows(pool: Pool, workflows: Workflows): Promise<Slice['opened']> {
  const [units, options] = [[ONE_UNIT], { acknowledged: null, workflows, limit: BREACHES_MAX + 1 }];
  const all: Found[] = [];
  for (const { number, parts } of WORKFLOW_INVARIANTS) {
    const faults = await parts[0]!.find(pool, units, options);
    all.push({
      invariant: number,
      faults,
      is_cut: faults.length > BREACHES_MAX,
      is_complete: faults.length <= BREACHES_MAX,
    });
  }
  return inTurn(pool, (db) => keepFound(db, { kind: 'workflows', units, are_changes: false }, all));
}

async function checkAndKeep(
  db: Db,
  selection: Selection,
  { started_at, sizes }: { started_at: number; sizes: Sizes },
): Promise<Slice> {
  const { kind, units } = selection;
  if (units.length === 0) return { kind, units: 0, took_ms: performance.now() - started_at, opened: [] };
  const opened = await keepFound(db, selection, await checkUnits(db, selection, NO_INPUTS));
  const took_ms = performance.now() - started_at;
  sizes.learn(kind, units.length, took_ms);
  return { kind, units: units.length, took_ms, opened };
}
