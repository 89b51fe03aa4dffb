import type { Db } from '../connection/pool.ts';
import { countBreaches } from './breaches.ts';
import { INVARIANTS } from './check.ts';

const KEPT_MAX = 100;

/** Number of open breaches by invariant; null for an invariant that no worker checks. */
export type BreachCounts = Record<string, number | null>;

/** The instant of the database. */
export async function readNow(db: Db): Promise<string> {
  const { rows } = await db.query<{ now: string }>('select now() as now');
  return rows[0]!.now;
}

/** Notes that everything stored up to `started_at` was checked by now, and deletes the oldest notes. */
export async function keepCheck(db: Db, started_at: string): Promise<void> {
  await db.query(
    `insert into checks (started_at, finished_at, counts, breaches) values ($1, now(), $2, '[]')`,
    [started_at, JSON.stringify(await openCounts(db))],
  );
  await db.query('delete from checks where id <= (select max(id) from checks) - $1', [KEPT_MAX]);
}

/** The open breaches of all invariants, also of those without any. */
export async function openCounts(db: Db): Promise<BreachCounts> {
  const open = await countBreaches(db);
  return Object.fromEntries(
    INVARIANTS.map(({ number, needs }) => [number, needs === 'acknowledged' ? null : (open[number] ?? 0)]),
  );
}

/** The latest check of what is new, with the breaches that are open now; null if there was none. */
export async function lastCheck(
  db: Db,
): Promise<{ started_at: string; finished_at: string; counts: BreachCounts } | null> {
  const { rows } = await db.query<{ started_at: string; finished_at: string }>(
    'select started_at, finished_at from checks order by id desc limit 1',
  );
  return rows[0] === undefined ? null : { ...rows[0], counts: await openCounts(db) };
}
