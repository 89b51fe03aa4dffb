import type { Db } from '../../../src/db/connection/pool.ts';

/**
 * Makes copies of one row of a table, as a large table beside which statements are planned. `different` are the SQL expressions of the
 * columns that differ, of the copied `row` and the number `n` of the copy. The transaction must be a replica, so that no trigger runs.
 */
export async function copies(
  db: Db,
  table: string,
  count: number,
  different: Record<string, string>,
): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const columns = rows.map(({ name }) => `"${name}"`).join(', ');
  const values = rows.map(({ name }) => different[name] ?? `row."${name}"`).join(', ');
  await db.query(
    `insert into ${table} (${columns}) select ${values}
     from (select * from ${table} limit 1) as row, generate_series(1, ${count}) as n`,
  );
}
