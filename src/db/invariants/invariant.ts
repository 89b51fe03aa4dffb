import type { Db } from '../pool.ts';

/** What a client wrote down when its event was answered 2xx. */
export type Acknowledgement = { id: string; idempotency_key: string };

/** What Temporal knows of the workflows of subscriptions. */
export type Workflows = {
  /** Ids of the subscriptions whose workflow ran when the check began; may lag by seconds. */
  running: ReadonlySet<string>;
  /** One workflow as it is now, without lag: how long it has run, or has not. Null where there never was one. */
  stateOf: (subscription_id: string) => Promise<{ is_running: boolean; for_ms: number } | null>;
  /** For reading what has happened since the moment that the check looks at. */
  now: Db;
};

export type CheckOptions = {
  /** Breaches of one invariant that are worth naming. */
  limit: number;
  /** Null where no log was given. */
  acknowledged: AsyncIterable<readonly Acknowledgement[]> | null;
  /** Null where Temporal is not reachable. */
  workflows: Workflows | null;
};

/**
 * `row` names the rows by their ids, `what` says what is wrong with them. With `exception` it is known and no breach: why the rows
 * stay as they are.
 */
export type Fault = { row: string; what: string; exception?: string };

/** Numbers are those of docs/invariants.md. */
export type Invariant = {
  number: string;
  statement: string;
  /** What must be given so that it can be checked; null where the database is enough. */
  needs: 'acknowledged' | 'workflows' | null;
  /** At most `limit` faults; all invariants of a check read one moment of the database. */
  find: (db: Db, options: CheckOptions) => Promise<Fault[]>;
};

/** An invariant whose faults some statements select, as columns row and what, and exception where all that one selects is known. */
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

/** Materialized, or the planner takes the limit for soon reached and begins as if faults were many; it still stops at the limit. */
export async function firstFaults(db: Db, query: string, limit: number): Promise<Fault[]> {
  const { rows } = await db.query<Fault>(
    `with fault as materialized (${query}) select * from fault limit $1`,
    [limit],
  );
  return rows;
}

/** An invariant for whose faults code must look. */
export function byCode(
  number: string,
  statement: string,
  find: Invariant['find'],
  needs: Invariant['needs'] = null,
): Invariant {
  return { number, statement, needs, find };
}

/**
 * Selects one fault where a table has no usable index that ends as `definition` does: a guarantee that was dropped, or whose
 * building failed, is not noticed by any query until it is needed.
 */
export function missingIndex(table: string, definition: string): string {
  return `
    select '${table}' as "row", 'has no valid unique index ${definition.replaceAll("'", "''")}' as what
    where not exists (
      select from pg_index x
      where x.indrelid = '${table}'::regclass and x.indisunique and x.indisvalid and x.indisready
        and right(pg_get_indexdef(x.indexrelid), ${definition.length}) = '${definition.replaceAll("'", "''")}')`;
}
