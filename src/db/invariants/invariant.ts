import type { Db } from '../pool.ts';

/** What a client recorded when its event was answered 2xx. */
export type Acknowledgement = { id: string; idempotency_key: string };

/** What Temporal reports about subscriptions' workflows. */
export type Workflows = {
  /** Subscriptions whose workflow was running when the check began; may lag by seconds. */
  running: ReadonlySet<string>;
  /** Current state of one workflow, without lag: whether it runs, and for how long it has or has not. Null if it never existed. */
  stateOf: (subscription_id: string) => Promise<{ is_running: boolean; for_ms: number } | null>;
  /** Reads the present, beyond the check's snapshot. */
  now: Db;
};

export type CheckOptions = {
  /** Maximum number of breaches to report per invariant. */
  limit: number;
  /** Null if no log was given. */
  acknowledged: AsyncIterable<readonly Acknowledgement[]> | null;
  /** Null if Temporal is unreachable. */
  workflows: Workflows | null;
};

/**
 * `row` names the rows by id, `what` says what is wrong. `exception` marks a known difference, not a breach, and says why the rows stay as
 * they are.
 */
export type Fault = { row: string; what: string; exception?: string };

/** `number` is that of docs/invariants.md. */
export type Invariant = {
  number: string;
  statement: string;
  /** Input that the invariant needs besides the database; null if none. */
  needs: 'acknowledged' | 'workflows' | null;
  /** Returns at most `limit` faults. All invariants of a check read one snapshot. */
  find: (db: Db, options: CheckOptions) => Promise<Fault[]>;
};

/**
 * An invariant whose faults the given queries select, with columns row and what, plus exception if a query selects known differences only.
 */
export function bySql(number: string, statement: string, ...queries: readonly string[]): Invariant {
  return {
    number,
    statement,
    needs: null,
    find: async (db, { limit }) => {
      const faults: Fault[] = [];
      for (const query of queries) faults.push(...(await firstFaults(db, query, limit - faults.length)));
      return faults;
    },
  };
}

/**
 * At most `limit` faults of a query. Materialized: otherwise the planner expects to reach the limit soon, and picks a plan for many faults.
 * Execution still stops at the limit.
 */
export async function firstFaults(db: Db, query: string, limit: number): Promise<Fault[]> {
  const { rows } = await db.query<Fault>(
    `with fault as materialized (${query}) select * from fault limit $1`,
    [limit],
  );
  return rows;
}

/** An invariant that code checks. */
export function byCode(
  number: string,
  statement: string,
  find: Invariant['find'],
  needs: Invariant['needs'] = null,
): Invariant {
  return { number, statement, needs, find };
}

/**
 * SQL: one fault if the table has no valid unique index whose definition ends with `definition`. No other query notices an index that was
 * dropped or failed to build.
 */
export function missingIndex(table: string, definition: string): string {
  return `
    select '${table}' as "row", 'has no valid unique index ${definition.replaceAll("'", "''")}' as what
    where not exists (
      select from pg_index x
      where x.indrelid = '${table}'::regclass and x.indisunique and x.indisvalid and x.indisready
        and right(pg_get_indexdef(x.indexrelid), ${definition.length}) = '${definition.replaceAll("'", "''")}')`;
}
