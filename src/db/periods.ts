import { firstPeriod, periodAfter, type Period, type Schedule } from '../domain/period.ts';
import type { Db } from './pool.ts';

export type StoredPeriod = Period & { closed_at: string | null };

const COLUMNS = 'kind, period_start, period_end, interval_start, interval_end, closed_at';

/** Opens the first period of a subscription: its trial, or its first billing period. */
export async function openFirstPeriod(db: Db, key: PeriodKey, schedule: Schedule): Promise<Period> {
  const period = firstPeriod(schedule);
  await insertPeriod(db, key, period);
  return period;
}

/**
 * Closes a period and opens the one after it, unless the subscription ended with it. False where it was closed already: closing
 * is compare-and-set, so only one of two racing closes opens what follows.
 */
export async function closePeriod(
  db: Db,
  key: PeriodKey,
  close: { period: Period; schedule: Schedule; cancel_at: string | null; now: string },
): Promise<boolean> {
  const { period, schedule, cancel_at, now } = close;
  const { rowCount } = await db.query(
    `update periods set closed_at = $4
     where environment_id = $1 and subscription_id = $2 and period_start = $3 and closed_at is null`,
    [key.environment_id, key.subscription_id, period.period_start, now],
  );
  if (rowCount === 0) return false;
  const ended = cancel_at !== null && cancel_at <= period.period_end;
  if (!ended) await insertPeriod(db, key, periodAfter(schedule, period.period_end));
  return true;
}

type PeriodKey = { environment_id: number; subscription_id: string };

async function insertPeriod(db: Db, key: PeriodKey, period: Period): Promise<void> {
  await db.query(
    `insert into periods (environment_id, subscription_id, period_start, period_end, kind, interval_start, interval_end, whole_start)
     values ($1, $2, $3, $4, $5, $6, $7, $3)`,
    [
      key.environment_id,
      key.subscription_id,
      period.period_start,
      period.period_end,
      period.kind,
      period.interval_start,
      period.interval_end,
    ],
  );
}

/** The period that is not closed yet; null once the subscription has ended. */
export async function findOpenPeriod(db: Db, key: PeriodKey): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${COLUMNS} from periods where environment_id = $1 and subscription_id = $2 and closed_at is null`,
    [key.environment_id, key.subscription_id],
  );
  return rows[0] ?? null;
}

export async function findPeriod(db: Db, key: PeriodKey, period_start: string): Promise<StoredPeriod | null> {
  const { rows } = await db.query<StoredPeriod>(
    `select ${COLUMNS} from periods where environment_id = $1 and subscription_id = $2 and period_start = $3`,
    [key.environment_id, key.subscription_id, period_start],
  );
  return rows[0] ?? null;
}
