import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import type { InvoiceState } from '../../domain/lines/invoice-state.ts';
import type { LatePeriod, PeriodRow } from '../../domain/lines/scope.ts';
import { IS_OF_PERIOD, periodColumns, type PeriodKey } from '../subscriptions/periods.ts';
import type { Db } from '../connection/pool.ts';

/** A period of a subscription, by its start. */
export type AskedPeriod = { subscription_id: string; period_start: string };

/** SQL: the state of the invoice of the period `p` that is not void, without an opening; at most one exists. */
const INVOICE_OF_PERIOD = `(
  select jsonb_build_object('id', i.id, 'status', i.status, 'usage_revision', i.usage_revision,
    'credit_revision', i.credit_revision, 'period_start', instant_text(i.period_start),
    'period_end', instant_text(i.period_end), 'is_stale', i.is_stale)
  from invoices i where ${IS_OF_PERIOD} and i.status <> 'void')`;

/**
 * The periods that decide what the asked ones bill, with their invoices: all parts of the asked full periods and of the
 * one that comes next, and the full periods whose late window is open or that the invoice of the asked period has lines
 * of.
 */
export async function periodsToBill(
  db: Db,
  environment_id: number,
  keys: readonly AskedPeriod[],
): Promise<(PeriodRow & { subscription_id: string })[]> {
  const { rows } = await db.query<PeriodRow & { subscription_id: string }>(
    `select p.subscription_id, ${periodColumns('p')}, ${INVOICE_OF_PERIOD} as invoice,
       p.kind = 'billing' and (p.late_window_closed_at is null
         or p.full_period_start = any(held.full_period_starts)) as may_be_late
     from unnest($2::text[], $3::timestamptz[]) as asked(subscription_id, period_start)
     cross join lateral (
       select coalesce(array_agg(distinct l.full_period_start), '{}') as full_period_starts
       from invoices i join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
       where i.environment_id = $1 and i.subscription_id = asked.subscription_id
         and i.period_start = asked.period_start and i.status = 'draft') as held
     cross join lateral (
       select full_period_start, period_end from periods
       where environment_id = $1 and subscription_id = asked.subscription_id
         and period_start = asked.period_start) as own
     join periods p on p.environment_id = $1 and p.subscription_id = asked.subscription_id
       and (p.full_period_start in (own.full_period_start, own.period_end)
         or p.kind = 'billing' and (p.late_window_closed_at is null
           or p.full_period_start = any(held.full_period_starts)))`,
    [
      environment_id,
      keys.map(({ subscription_id }) => subscription_id),
      keys.map(({ period_start }) => period_start),
    ],
  );
  return rows;
}

/**
 * The full periods that the ends of subscriptions have left out, and of which lines that are not void bill usage. They
 * have no rows any more, so that their lines say which they are.
 */
export async function leftOutPeriods(
  db: Db,
  environment_id: number,
  subscription_ids: readonly string[],
): Promise<(LatePeriod & { subscription_id: string })[]> {
  if (subscription_ids.length === 0) return [];
  type Row = { subscription_id: string; period_start: string; billed_end: string; plan_id: string };
  const { rows } = await db.query<Row>(
    `select l.subscription_id, l.full_period_start as period_start, max(l.period_end) as billed_end,
       min(h.plan_id) as plan_id
     from subscriptions s
     join line_items l on l.environment_id = s.environment_id and l.subscription_id = s.id
       and l.full_period_start >= s.cancel_at and l.type in ('usage', 'late_usage')
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
     join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
     where s.environment_id = $1 and s.id = any($2)
     group by l.subscription_id, l.full_period_start`,
    [environment_id, subscription_ids],
  );
  return rows.map(({ period_start, ...row }) => ({
    ...row,
    kind: 'billing',
    period_start,
    period_end: period_start,
    interval_start: period_start,
    interval_end: row.billed_end,
    part_starts: [],
    has_void_part: false,
  }));
}

/** A period, and its invoice that is not void; at most one exists. */
export type BilledPeriod = { period: StoredPeriod; invoice: InvoiceState | null };

/** A period by its start, with its invoice; null if it does not exist. */
export async function findBilledPeriod(
  db: Db,
  key: PeriodKey,
  period_start: string,
): Promise<BilledPeriod | null> {
  const { rows } = await db.query<StoredPeriod & { invoice: InvoiceState | null }>(
    `select ${periodColumns('p')}, ${INVOICE_OF_PERIOD} as invoice from periods p
     where p.environment_id = $1 and p.subscription_id = $2 and p.period_start = $3`,
    [key.environment_id, key.subscription_id, period_start],
  );
  if (rows[0] === undefined) return null;
  const { invoice, ...period } = rows[0];
  return { period, invoice };
}
