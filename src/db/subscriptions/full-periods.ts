import type { Period } from '../../domain/period.ts';
import type { Db } from '../connection/pool.ts';

type SubscriptionKey = { environment_id: number; subscription_id: string };

/**
 * Full periods of a subscription that may have late usage, oldest first, except the invoice's own. Every part must have an open or paid
 * invoice, and either the late window is open or the invoice already has a late line for the period.
 */
export async function periodsWithLateUsage(
  db: Db,
  key: SubscriptionKey,
  invoice: { id: string | null; full_period_start: string },
): Promise<Period[]> {
  const { rows } = await db.query<Period>(
    `select 'billing' as kind, p.full_period_start as period_start, max(p.period_end) as period_end,
       min(p.interval_start) as interval_start, max(p.interval_end) as interval_end
     from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.kind = 'billing' and p.full_period_start <> $3
       and (p.late_window_closed_at is null or exists (
         select from line_items l
         where l.environment_id = $1 and l.invoice_id = $4 and l.full_period_start = p.full_period_start))
     group by p.full_period_start
     having bool_and(p.closed_at is not null and exists (
       select from invoices i
       where i.environment_id = $1 and i.subscription_id = $2 and i.period_start = p.period_start
         and i.status in ('open', 'paid')))
     order by p.full_period_start`,
    [key.environment_id, key.subscription_id, invoice.full_period_start, invoice.id],
  );
  return rows;
}

/** Closes late windows: no further late line can follow. Usage stored before `late_usage_until` was in time (billing.md 3). */
export async function closeLateWindows(
  db: Db,
  key: SubscriptionKey,
  closed: { periods: readonly { full_period_start: string; late_usage_until: string }[]; now: string },
): Promise<void> {
  const { periods, now } = closed;
  if (periods.length === 0) return;
  await db.query(
    `update periods p set late_window_closed_at = $5, late_usage_until = s.late_usage_until
     from unnest($3::timestamptz[], $4::timestamptz[]) as s(full_period_start, late_usage_until)
     where p.environment_id = $1 and p.subscription_id = $2 and p.full_period_start = s.full_period_start
       and p.late_window_closed_at is null`,
    [
      key.environment_id,
      key.subscription_id,
      periods.map(({ full_period_start }) => full_period_start),
      periods.map(({ late_usage_until }) => late_usage_until),
      now,
    ],
  );
}

/** Reopens the late windows of a void invoice's periods: their usage may be late again. */
export async function reopenLateWindowsOf(
  db: Db,
  key: SubscriptionKey & { invoice_id: string },
): Promise<void> {
  await db.query(
    `update periods set late_window_closed_at = null, late_usage_until = null
     where environment_id = $1 and subscription_id = $2 and late_window_closed_at is not null
       and full_period_start in (select full_period_start from line_items
         where environment_id = $1 and invoice_id = $3)`,
    [key.environment_id, key.subscription_id, key.invoice_id],
  );
}
