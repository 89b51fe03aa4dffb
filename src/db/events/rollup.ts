import { createParameters, type Parameter } from '../connection/parameters.ts';
import { readOnly, type Db, type Pool } from '../connection/pool.ts';
import { HAS_NODES, settle } from './settle.ts';

/**
 * Limit of events, not yet rolled up, that a query scans for one customer or name. If there are more, the query gives
 * up.
 */
export const UNROLLED_READ_MAX = 20_000;

/** Number of events that are not rolled up, counted up to `limit`. */
export async function countUnrolled(pool: Pool, limit: number): Promise<number> {
  const { values, parameter } = createParameters();
  const { rows } = await readOnly(pool, async (db) => {
    const source = eventsNotRolledUp(await readPositions(db), limit);
    return db.query<{ count: number }>(
      `select count(*)::integer as count from ${source(parameter)} as e`,
      values,
    );
  });
  return rows[0]!.count;
}

/** How far the events of an epoch are rolled up: those with a transaction id below this one are. */
export type Position = { epoch: number; rolled_up_to: string };

/**
 * The positions of all epochs. A statement that reads events takes them as values, because a node of a cluster has no
 * epochs. A position that is older than the events that the statement sees only makes more of them not rolled up.
 */
export async function readPositions(db: Db): Promise<Position[]> {
  const { rows } = await db.query<Position>(
    'select epoch, rolled_up_to::text as rolled_up_to from epochs order by epoch',
  );
  return rows;
}

/** SQL: the event `e` is rolled up. */
export function isRolledUp(positions: readonly Position[], parameter: Parameter): string {
  const of_epochs = positions.map(
    ({ epoch, rolled_up_to }) =>
      `e.epoch = ${parameter(epoch)} and e.created_xid < ${parameter(rolled_up_to)}::xid8`,
  );
  return `(${of_epochs.join(' or ')})`;
}

/** SQL of a relation of events, composed with the parameters of the statement that reads it. */
export type EventSource = (parameter: Parameter) => string;

/**
 * The first `limit` events of each epoch that are not rolled up. Order and limit force the planner to use the index
 * events_stored, whatever it assumes about the table.
 * The position is a scalar subquery: for its value the planner would make a plan each time.
 */
export function eventsNotRolledUp(positions: readonly Position[], limit: number): EventSource {
  return (parameter) => {
    const most = parameter(limit);
    const of_epochs = positions.map(
      ({ epoch, rolled_up_to }) => `(
      select e.* from events e
      where e.epoch = ${parameter(epoch)} and e.created_xid >= (select ${parameter(rolled_up_to)}::xid8)
      order by e.created_xid limit ${most})`,
    );
    return `(${of_epochs.join(' union all ')})`;
  };
}

/** Unit of the rollup: the events of an epoch with a transaction id in [from_xid, to_xid). */
export type Step = { epoch: number; from_xid: string; to_xid: string };

/**
 * The next step of the oldest epoch with events left. In the current epoch, only transactions older than the oldest
 * running one: each has committed or aborted, and no lower id can appear. In earlier epochs, all transactions.
 * `is_full` if it has `step_events` events or more, so that others may follow.
 */
export async function nextStep(db: Db, step_events: number): Promise<(Step & { is_full: boolean }) | null> {
  for (const range of await settledRanges(db)) {
    const step = await stepWithin(db, range, step_events);
    if (step !== null) return step;
  }
  return null;
}

/**
 * The transactions of each epoch that are not rolled up and have ended, the oldest epoch first, once every node shows
 * their events.
 */
async function settledRanges(db: Db): Promise<Step[]> {
  const { rows } = await db.query<Step & { has_nodes: boolean }>(
    `select epoch, rolled_up_to::text as from_xid, (case when epoch = max(epoch) over ()
         then pg_snapshot_xmin(pg_current_snapshot()) else '18446744073709551615' end)::text as to_xid,
       ${HAS_NODES} as has_nodes
     from epochs order by epoch`,
  );
  await settle(
    db,
    rows.some(({ has_nodes }) => has_nodes),
  );
  return rows;
}

async function stepWithin(
  db: Db,
  { epoch, from_xid, to_xid }: Step,
  step_events: number,
): Promise<(Step & { is_full: boolean }) | null> {
  const { rows } = await db.query<{ to_xid: string | null; is_full: boolean }>(
    `select (max(created_xid)::text::numeric + 1)::text as to_xid, count(*) >= $4 as is_full
     from (
       select e.created_xid from events e
       where e.epoch = $1 and e.created_xid >= $2::xid8 and e.created_xid < $3::xid8
       order by e.created_xid limit $4
     ) as taken`,
    [epoch, from_xid, to_xid, step_events],
  );
  const taken = rows[0]!;
  return taken.to_xid === null ? null : { epoch, from_xid, to_xid: taken.to_xid, is_full: taken.is_full };
}
