import { rowsOfBatch, type Consumer } from '../changes/consumers.ts';
import type { Db } from '../connection/pool.ts';
import { KINDS } from './all.ts';
import type { Selection } from './check.ts';
import { OF_EVENTS, unitsOfRows } from './concerned.ts';
import { numbersId, type Kind, type Unit } from './unit.ts';

/** Stored events whose days are queued in one step. */
export const EVENTS_A_STEP = 200_000;
/** Open breaches whose units are checked again each time, the longest unseen first. */
const BREACHES_A_STEP = 500;
const QUEUE = 'insert into check_queue (kind, environment, unit)';
const ONCE = 'on conflict do nothing';

/** Events of an epoch by their transaction ids, half open. */
type Range = { epoch: number; from_xid: string; to_xid: string };

/**
 * Queues what events concern that were rolled up since the last step; false if there are none. A day is compared with
 * its totals.
 */
export async function queueEvents(db: Db): Promise<boolean> {
  const { rows } = await db.query<Range>(
    `select epoch, events_checked_to::text as from_xid, rolled_up_to::text as to_xid from epochs
     where events_checked_to < rolled_up_to order by epoch`,
  );
  for (const unchecked of rows) {
    const to_xid = await endOfStep(db, unchecked);
    if (to_xid === null) continue;
    await queueEventsOf(db, { ...unchecked, to_xid });
    await db.query('update epochs set events_checked_to = $2 where epoch = $1', [unchecked.epoch, to_xid]);
    return true;
  }
  return false;
}

/** The transaction id after the first EVENTS_A_STEP events of a range; null if it has none. */
async function endOfStep(db: Db, { epoch, from_xid, to_xid }: Range): Promise<string | null> {
  const { rows } = await db.query<{ to_xid: string | null }>(
    `select (max(created_xid)::text::numeric + 1)::text as to_xid from (
       select e.created_xid from events e where e.epoch = $1 and e.created_xid >= $2 and e.created_xid < $3
       order by e.created_xid limit $4) as taken`,
    [epoch, from_xid, to_xid, EVENTS_A_STEP],
  );
  return rows[0]!.to_xid;
}

async function queueEventsOf(db: Db, { epoch, from_xid, to_xid }: Range): Promise<void> {
  await db.query(
    `with stored as materialized (
       select e.environment_id, e.customer_key, date_trunc('day', e.timestamp, 'UTC') as day from events e
       where e.epoch = $1 and e.created_xid >= $2 and e.created_xid < $3)
     ${QUEUE} ${OF_EVENTS} ${ONCE}`,
    [epoch, from_xid, to_xid],
  );
}

const ROWS_MAX = 5000;

/** The consumer of the log that queues the units of changed rows. */
export const CHECK: Consumer = {
  name: 'check',
  rows_max: ROWS_MAX,
  work: async (db) => {
    await db.query(`${QUEUE} ${unitsOfRows(rowsOfBatch('check', ROWS_MAX))} ${ONCE}`);
  },
};

/**
 * Queues what no change announces: what time alone may breach, the last numbers, recent answers, and units with open
 * breaches.
 */
export async function queueStanding(db: Db): Promise<void> {
  await db.query(
    `${QUEUE}
     select 'database', 0, ''
     union all
     select 'idempotency_hour', 0, instant_text(date_trunc('hour', now() - hours * interval '1 hour', 'UTC'))
     from generate_series(0, 1) as hours
     union all
     select 'numbers', n.id, ${numbersId('last.number')}
     from environments n
     cross join lateral (values (n.last_invoice_number), (n.last_credit_note_number)) as last(number)
     where last.number > 0
     union all
     (select kind, environment, unit from breaches where kind = any($2)
      group by kind, environment, unit order by min(last_seen_at) limit $1)
     ${ONCE}`,
    [BREACHES_A_STEP, KINDS.filter((kind) => kind !== 'client_log' && kind !== 'workflows')],
  );
}

/** Takes the next queued units, all of one kind, off the queue; null if it is empty. */
export async function takeQueued(db: Db, sizeOf: (kind: Kind) => number): Promise<Selection | null> {
  const { rows } = await db.query<{ kind: Kind }>('select kind from check_queue order by kind limit 1');
  if (rows.length === 0) return null;
  const { kind } = rows[0]!;
  const { rows: units } = await db.query<Unit>(
    `with taken as (
       select kind, environment, unit from check_queue where kind = $1 order by environment, unit limit $2)
     delete from check_queue q using taken t where q.kind = t.kind and q.environment = t.environment and q.unit = t.unit
     returning q.environment as environment_id, q.unit as id`,
    [kind, sizeOf(kind)],
  );
  return { kind, units, are_changes: true };
}
