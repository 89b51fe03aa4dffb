import type { Db } from '../connection/pool.ts';
import type { PeriodKey } from './periods.ts';

/** The full period in which a subscription ends, by its start; `is_cut` unless it ends there anyway. */
export type LastPeriod = { full_period_start: string; is_cut: boolean };

/** The last full period of a subscription that ends in what is billed (billing.md 1). */
export async function lastPeriod(db: Db, key: PeriodKey, end: string): Promise<LastPeriod> {
  const { rows } = await db.query<LastPeriod>(
    `select full_period_start, period_end > $3 as is_cut from periods
     where environment_id = $1 and subscription_id = $2 and period_start < $3 order by period_start desc limit 1`,
    [key.environment_id, key.subscription_id, end],
  );
  return rows[0]!;
}

/**
 * Ends the closed periods of a subscription at an instant: the one that holds it ends there, and its usage may be late
 * again; those that begin there or later are gone. The invoices keep the bounds that they were issued with. The caller
 * holds the lock of the subscription.
 */
export async function endBilledPeriods(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { end, last }: { end: string; last: LastPeriod },
): Promise<void> {
  await db.query(
    `delete from periods
     where environment_id = $1 and subscription_id = $2 and period_start >= $3 and closed_at is not null`,
    [environment_id, subscription_id, end],
  );
  if (!last.is_cut) return;
  await db.query(
    `update periods set period_end = least(period_end, $3), late_window_closed_at = null, late_usage_until = null
     where environment_id = $1 and subscription_id = $2 and full_period_start = $4 and kind = 'billing'
       and closed_at is not null`,
    [environment_id, subscription_id, end, last.full_period_start],
  );
}
