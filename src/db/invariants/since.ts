import type { Db } from '../connection/pool.ts';
import type { Selection } from './check.ts';
import { OF_EVENTS, unitsOfRows } from './concerned.ts';
import { ONE_UNIT, type Kind, type Unit } from './unit.ts';

/** SQL: with some minutes more, because what a transaction stores is older than its commit. */
const SINCE = `now() - $1 * interval '1 millisecond' - interval '5 minutes'`;

const CHANGED = `(select * from row_changes where noted_at >= ${SINCE})`;

/**
 * The units that events and changes of the last `since_ms` concern, by the clock of the database, and what is always
 * checked as a whole.
 */
export async function selectSince(db: Db, since_ms: number): Promise<Selection[]> {
  const { rows } = await db.query<Unit & { kind: Kind }>(
    `with last_before as (
       -- Backwards from the newest event, so that only events since then are read.
       select e.epoch, e.created_xid from events e where e.created_at < ${SINCE}
       order by e.epoch desc, e.created_xid desc limit 1
     ), stored as materialized (
       select e.environment_id, e.customer_key, date_trunc('day', e.timestamp, 'UTC') as day from events e
       where (e.epoch, e.created_xid) > (
         coalesce((select epoch from last_before), 0), coalesce((select created_xid from last_before), '0'::xid8))
     )
     select kind, environment as environment_id, unit as id
     from (select * from (${unitsOfRows(CHANGED)}) as changed union select * from (${OF_EVENTS}) as day) as concerned
     order by kind, environment, unit`,
    [since_ms],
  );
  const by_kind = new Map<Kind, Unit[]>([['database', [ONE_UNIT]]]);
  for (const { kind, environment_id, id } of rows) {
    const units = by_kind.get(kind) ?? [];
    units.push({ environment_id, id });
    by_kind.set(kind, units);
  }
  return [...by_kind].map(([kind, units]) => ({ kind, units, are_changes: true }));
}
