import type { Checked } from './all.ts';
import type { Db } from '../pool.ts';

const KEPT_MAX = 100;

/** Number of breaches by invariant; null for an invariant that was not checked. */
export type BreachCounts = Record<string, number | null>;

/** Stores the result of a check and deletes the oldest. The times are from the clock of the checking process. */
export async function keepCheck(
  db: Db,
  times: { started_at: string; finished_at: string },
  checked: readonly Checked[],
): Promise<void> {
  const counts = Object.fromEntries(
    checked.map(({ number, breaches }) => [number, breaches?.length ?? null] as const),
  );
  const breaches = checked.flatMap((invariant) => invariant.breaches ?? []);
  await db.query('insert into checks (started_at, finished_at, counts, breaches) values ($1, $2, $3, $4)', [
    times.started_at,
    times.finished_at,
    JSON.stringify(counts),
    JSON.stringify(breaches),
  ]);
  await db.query('delete from checks where id <= (select max(id) from checks) - $1', [KEPT_MAX]);
}

/** The latest stored check; null if there is none. */
export async function lastCheck(db: Db): Promise<{ finished_at: string; counts: BreachCounts } | null> {
  const { rows } = await db.query<{ finished_at: string; counts: BreachCounts }>(
    'select finished_at, counts from checks order by id desc limit 1',
  );
  return rows[0] ?? null;
}
