import type { Db } from '../connection/pool.ts';
import type { Selection } from './check.ts';
import { OF_EVENTS, unitsOfRows } from './concerned.ts';
import { ONE_UNIT, type Kind, type Unit } from './unit.ts';

/** The units of a kind. */
type Concerned = Unit & { kind: Kind };

const UNITS = 'kind, environment as environment_id, unit as id';

/**
 * The units that events and changes of the last `since_ms` concern, by the clock of the database, and what is always
 * checked as a whole.
 */
export async function selectSince(db: Db, since_ms: number): Promise<Selection[]> {
  const since = await instantBefore(db, since_ms);
  const by_kind = new Map<Kind, Unit[]>([['database', [ONE_UNIT]]]);
  const concerned = [await changedSince(db, since), await storedSince(db, since)].flat();
  for (const { kind, environment_id, id } of concerned) {
    const units = by_kind.get(kind) ?? [];
    units.push({ environment_id, id });
    by_kind.set(kind, units);
  }
  return [...by_kind].map(([kind, units]) => ({ kind, units, are_changes: true }));
}

/** Some minutes more than `ms` ago, because what a transaction stores is older than its commit. */
async function instantBefore(db: Db, ms: number): Promise<string> {
  const { rows } = await db.query<{ instant: string }>(
    `select date_trunc('milliseconds', now() - $1 * interval '1 millisecond' - interval '5 minutes') as instant`,
    [ms],
  );
  return rows[0]!.instant;
}

async function changedSince(db: Db, since: string): Promise<Concerned[]> {
  const { rows } = await db.query<Concerned>(
    `select ${UNITS} from (${unitsOfRows('(select * from row_changes where noted_at >= $1)')}) as changed
     order by kind, environment, unit`,
    [since],
  );
  return rows;
}

/** Finds the newest event before the instant first, backwards, so that only events after it are read. */
async function storedSince(db: Db, since: string): Promise<Concerned[]> {
  const { rows: before } = await db.query<{ epoch: number; xid: string }>(
    `select e.epoch, e.created_xid::text as xid from events e where e.created_at < $1
     order by e.epoch desc, e.created_xid desc limit 1`,
    [since],
  );
  const { epoch, xid } = before[0] ?? { epoch: 0, xid: '0' };
  const { rows } = await db.query<Concerned>(
    `with stored as materialized (
       select distinct e.environment_id, e.customer_key, date_trunc('day', e.timestamp, 'UTC') as day from events e
       where (e.epoch, e.created_xid) > ($1, $2::xid8)
     )
     select ${UNITS} from (${OF_EVENTS}) as day order by kind, environment, unit`,
    [epoch, xid],
  );
  return rows;
}
