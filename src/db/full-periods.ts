import type { Period } from '../domain/period.ts';
import type { Db } from './pool.ts';

type SubscriptionKey = { environment_id: number; subscription_id: string };

/**
 * The uncut periods of a subscription that may have late usage: every part is billed, by an invoice that is open or paid, and
 * they are not settled yet, or the invoice that is counted again has a line of them already. The oldest first, without the one
 * that the invoice is for.
 */
export async function periodsWithLateUsage(
  db: Db,
  key: SubscriptionKey,
  invoice: { id: string | null; whole_start: string },
): Promise<Period[]> {
  const { rows } = await db.query<Period>(
    `select 'billing' as kind, p.whole_start as period_start, max(p.period_end) as period_end,
       min(p.interval_start) as interval_start, max(p.interval_end) as interval_end
     from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.kind = 'billing' and p.whole_start <> $3
       and (p.settled_at is null or exists (
         select from line_items l
         where l.environment_id = $1 and l.invoice_id = $4 and l.whole_start = p.whole_start))
     group by p.whole_start
     having bool_and(p.closed_at is not null and exists (
       select from invoices i
       where i.environment_id = $1 and i.subscription_id = $2 and i.period_start = p.period_start
         and i.status in ('open', 'paid')))
     order by p.whole_start`,
    [key.environment_id, key.subscription_id, invoice.whole_start, invoice.id],
  );
  return rows;
}

/** Marks periods that no late line can come for any more; `late_usage_until` bounds when their usage was stored in time. */
export async function settlePeriods(
  db: Db,
  key: SubscriptionKey,
  settled: { periods: readonly { whole_start: string; late_usage_until: string }[]; now: string },
): Promise<void> {
  const { periods, now } = settled;
  if (periods.length === 0) return;
  await db.query(
    `update periods p set settled_at = $5, late_usage_until = s.late_usage_until
     from unnest($3::timestamptz[], $4::timestamptz[]) as s(whole_start, late_usage_until)
     where p.environment_id = $1 and p.subscription_id = $2 and p.whole_start = s.whole_start and p.settled_at is null`,
    [
      key.environment_id,
      key.subscription_id,
      periods.map(({ whole_start }) => whole_start),
      periods.map(({ late_usage_until }) => late_usage_until),
      now,
    ],
  );
}

/** What an invoice billed may be late again once it is void. */
export async function unsettlePeriodsOf(
  db: Db,
  key: SubscriptionKey & { invoice_id: string },
): Promise<void> {
  await db.query(
    `update periods set settled_at = null, late_usage_until = null
     where environment_id = $1 and subscription_id = $2 and settled_at is not null
       and whole_start in (select whole_start from line_items where environment_id = $1 and invoice_id = $3)`,
    [key.environment_id, key.subscription_id, key.invoice_id],
  );
}
