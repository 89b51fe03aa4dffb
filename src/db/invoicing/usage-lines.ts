import type { UsageLine } from '../../domain/lines/scope.ts';
import type { Db } from '../connection/pool.ts';
import { AUTOMATICALLY_CREDITED } from './amount-due.ts';
import { SPAN_ROWS, SPANS } from './line-spans.ts';

/** A full period of a subscription, by its start. */
export type FullPeriodKey = { subscription_id: string; full_period_start: string };

/** SQL: the asked full periods $2 and $3. */
export const ASKED_FULL_PERIODS =
  'unnest($2::text[], $3::timestamptz[]) as asked(subscription_id, full_period_start)';

/** The values of ASKED_FULL_PERIODS. */
export function askedFullPeriods(keys: readonly FullPeriodKey[]): [string[], string[]] {
  return [
    keys.map(({ subscription_id }) => subscription_id),
    keys.map(({ full_period_start }) => full_period_start),
  ];
}

/**
 * The lines of full periods on invoices that are not void, without those that hold no events: flat charges and items.
 * In the order of their ids. `amount` is what is left beside automatic credit notes (billing.md 5).
 */
export async function usageLines(
  db: Db,
  environment_id: number,
  keys: readonly FullPeriodKey[],
): Promise<(UsageLine & { subscription_id: string })[]> {
  const { rows } = await db.query<UsageLine & { subscription_id: string }>(
    `with line as materialized (
       select l.*, i.status from ${ASKED_FULL_PERIODS}
       join line_items l on l.environment_id = $1 and l.subscription_id = asked.subscription_id
         and l.full_period_start = asked.full_period_start and l.type in ('usage', 'late_usage')
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
     ), held as materialized (
       select s.line_item_id, ${SPANS} as spans from ${SPAN_ROWS}
       where s.environment_id = $1 and s.line_item_id in (select id from line where status <> 'void')
       group by s.line_item_id
     )
     select l.subscription_id, l.id, l.invoice_id, l.charge_id, l.series, l.full_period_start,
       trim_scale(l.quantity)::text as quantity, trim_scale(l.billable_quantity)::text as billable_quantity,
       (l.amount - credited.amount)::text as amount, credited.amount::text as credited,
       l.amount_before::text as amount_before,
       case l.status when 'draft' then trim_scale(l.credits_applied)::text else '0' end as provisional_credit,
       l.status = 'draft' as is_on_draft, l.skipped_events,
       (l.subscription_id, l.charge_id, l.full_period_start) in (
         select v.subscription_id, v.charge_id, v.full_period_start from line v
         where v.status = 'void') as has_void_line,
       coalesce(held.spans, '[]') as spans, false as is_beyond_end
     from line l
     cross join lateral (select ${AUTOMATICALLY_CREDITED} as amount) as credited
     left join held on held.line_item_id = l.id
     where l.status <> 'void' order by l.id`,
    [environment_id, ...askedFullPeriods(keys)],
  );
  return rows;
}

/** The full periods, by their starts, that an invoice has lines of. */
export async function fullPeriodStartsOf(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<string[]> {
  const { rows } = await db.query<{ full_period_start: string }>(
    'select distinct full_period_start from line_items where environment_id = $1 and invoice_id = $2',
    [environment_id, invoice_id],
  );
  return rows.map(({ full_period_start }) => full_period_start);
}
