import { messageOf } from '../../process/message-of.ts';
import { byIndex } from '../connection/by-index.ts';
import type { Db } from '../connection/pool.ts';
import { unitParameters, unitsOf, type Kind, type Unit } from './unit.ts';

/** The record that a client made when its event was answered 2xx. */
export type Acknowledgement = { id: string; idempotency_key: string };

/** The facts that Temporal reports about subscriptions' workflows. */
export type Workflows = {
  /** Subscriptions whose workflow was running when the check began; may lag by seconds. */
  running: ReadonlySet<string>;
  /**
   * Current state of one workflow, without lag: whether it runs, and for how long it has or has not. Null if it never
   * existed.
   */
  stateOf: (subscription_id: string) => Promise<{ is_running: boolean; for_ms: number } | null>;
  /** Reads the present, beyond the check's snapshot. */
  now: Db;
};

export type CheckOptions = {
  /** Maximum number of breaches to report per invariant and set of units. */
  limit: number;
  /** Null if no log was given. */
  acknowledged: AsyncIterable<readonly Acknowledgement[]> | null;
  /** Null if Temporal is unreachable. */
  workflows: Workflows | null;
};

/**
 * `row` names the rows by id, `what` says what is wrong. `exception` marks a known difference, not a breach, and says
 * why the rows stay as they are.
 */
export type Fault = { row: string; what: string; exception?: string };

/** A fault and the unit in which it was found: the fault is gone when that unit is checked again and is sound. */
export type UnitFault = Fault & { unit: Unit };

/** Returns at most `limit` faults of the given units. */
export type Find = (db: Db, units: readonly Unit[], options: CheckOptions) => Promise<UnitFault[]>;

/** The part of an invariant that concerns the units of one kind. */
export type Part = {
  kind: Kind;
  find: Find;
  /** True if another part asks the same of all rows, and this one only of the units that changed. */
  of_changes: boolean;
};

/** `number` is that of docs/invariants.md. */
export type Invariant = {
  number: string;
  statement: string;
  /** Input that the invariant needs besides the database; null if none. */
  needs: 'acknowledged' | 'workflows' | null;
  parts: readonly Part[];
};

/**
 * A query of events, which is about all units at once. `tables` are common tables, all materialized; one that reads
 * events or event_keys reads nothing else but other common tables, such as `unit`, without a lateral subquery or a
 * `limit`, so that events may lie on several machines. `faults` selects from these tables, with `place`, that of the
 * unit. Two of them are joined by `full join` alone: the planner knows little of their sizes, and this join never
 * compares each row with each.
 */
export type EventQuery = { tables: string; faults: string };

/** Queries by the kind of unit that each is about. */
export type Queries = { readonly [kind in Kind]?: readonly (string | EventQuery)[] };

/**
 * An invariant whose faults the given queries select, with columns row and what, plus exception if a query selects
 * known differences only. A query that reads no events is about one unit, whose columns it names as
 * `unit.environment_id`, `unit.id` and so on (UNIT_COLUMNS).
 */
export function bySql(number: string, statement: string, queries: Queries): Invariant {
  const parts = (Object.keys(queries) as Kind[]).map((kind) => sqlPart(kind, queries[kind]!));
  return { number, statement, needs: null, parts };
}

export function sqlPart(kind: Kind, queries: readonly (string | EventQuery)[]): Part {
  const findAll: Find = async (db, units, { limit }) => {
    const faults: UnitFault[] = [];
    for (const query of queries)
      faults.push(...(await firstFaults(db, query, { kind, units, limit: limit - faults.length })));
    return faults;
  };
  const reads_events = queries.some((query) => typeof query !== 'string');
  const find: Find = (db, units, options) =>
    reads_events ? byIndex(db, () => findAll(db, units, options)) : findAll(db, units, options);
  return { kind, find, of_changes: false };
}

export type Scope = { kind: Kind; units: readonly Unit[]; limit: number };

/**
 * Finds at most `limit` faults by a query, in all the given units. More parameters begin at $4. Materialized: otherwise
 * the planner expects to reach the limit soon, and picks a plan for many faults. Execution still stops at the limit.
 * `offset 0` makes the planner look up each unit by its key, whatever sizes it expects. The caller runs a query of
 * events `byIndex`.
 */
export async function firstFaults(
  db: Db,
  query: string | EventQuery,
  { kind, units, limit }: Scope,
  more: readonly unknown[] = [],
): Promise<UnitFault[]> {
  const { tables, found } =
    typeof query === 'string'
      ? { tables: '', found: `unit cross join lateral (${query} offset 0) as found` }
      : { tables: `${query.tables},`, found: `(${query.faults}) as found join unit using (place)` };
  const { rows } = await db.query<{ unit: Unit; fault: Fault }>(
    `with ${unitsOf(kind)}, ${tables} fault as materialized (
       select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit,
         jsonb_strip_nulls(to_jsonb(found) - 'place') as fault
       from ${found})
     select * from fault limit $3`,
    [...unitParameters(units), limit, ...more],
  );
  return rows.map(({ unit, fault }) => ({ ...fault, unit }));
}

/** An invariant that code checks. */
export function byCode(number: string, statement: string, parts: readonly Part[]): Invariant {
  return { number, statement, needs: null, parts };
}

export function codePart(kind: Kind, find: Find): Part {
  return { kind, find, of_changes: false };
}

/**
 * SQL: one fault if the table has no valid unique index whose definition ends with `definition`. No other query notices
 * an index that was dropped or failed to build.
 */
export function missingIndex(table: string, definition: string): string {
  return `
    select '${table}' as "row", 'has no valid unique index ${definition.replaceAll("'", "''")}' as what
    where not exists (
      select from pg_index x
      where x.indrelid = '${table}'::regclass and x.indisunique and x.indisvalid and x.indisready
        and right(pg_get_indexdef(x.indexrelid), ${definition.length}) = '${definition.replaceAll("'", "''")}')`;
}

/** An error while rating a row is a fault of that row alone. */
export function faultIn(look: () => string | null): string | null {
  try {
    return look();
  } catch (error) {
    return `cannot be checked: ${messageOf(error)}`;
  }
}
