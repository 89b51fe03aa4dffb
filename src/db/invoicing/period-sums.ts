import type { Db } from '../connection/pool.ts';
import { AUTOMATICALLY_CREDITED } from './amount-due.ts';
import type { LineType } from '../../domain/lines/line-type.ts';
import { decimal, sum } from '../../domain/money/decimal.ts';
import type { PeriodSums } from '../../domain/invoice/period-lines.ts';

/** SQL: the discount of the line `l`; null but for the line of a discount. */
export const DISCOUNT_OF_LINE = `case when l.type = 'discount' then l.discounts -> 0 ->> 'discount_id' end`;

/** A full period of a subscription up to its end; the lines of `invoice_id` are left out. */
export type AskedSums = {
  subscription_id: string;
  full_period_start: string;
  full_period_end: string;
  invoice_id: string | null;
};

/** Sums of a full period; `is_closed` if one of its invoices closes it. */
export type FoundSums = Pick<AskedSums, 'subscription_id' | 'full_period_start'> & {
  sums: PeriodSums;
  is_closed: boolean;
};

type SumRow = { type: LineType; discount_id: string | null; amount: string; is_issued: boolean };

/**
 * Adds up the lines of full periods on invoices that are not void, less the automatic notes on them (billing.md 13).
 */
export async function periodSums(
  db: Db,
  environment_id: number,
  asked: readonly AskedSums[],
): Promise<FoundSums[]> {
  if (asked.length === 0) return [];
  const { rows } = await db.query<Omit<FoundSums, 'sums'> & { sums: SumRow[] }>(
    `select a.subscription_id, a.full_period_start, (
       select coalesce(jsonb_agg(jsonb_build_object('type', of_type.type, 'discount_id', of_type.discount_id,
         'amount', of_type.amount::text, 'is_issued', of_type.is_issued)), '[]')
       from (
         select l.type, ${DISCOUNT_OF_LINE} as discount_id, sum(l.amount - credited.amount) as amount,
           bool_or(i.status <> 'draft') as is_issued
         from line_items l
         join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
         cross join lateral (select ${AUTOMATICALLY_CREDITED} as amount) as credited
         where l.environment_id = $1 and l.subscription_id = a.subscription_id and l.type <> 'item'
           and l.full_period_start = a.full_period_start and i.id is distinct from a.invoice_id
         group by 1, 2) as of_type) as sums, exists (
       select from periods p
       join invoices i on i.environment_id = p.environment_id and i.subscription_id = p.subscription_id
         and i.period_start = p.period_start and i.kind = 'period' and i.status <> 'void'
       where p.environment_id = $1 and p.subscription_id = a.subscription_id
         and p.full_period_start = a.full_period_start and p.period_end >= a.full_period_end
         and p.closed_at is not null and i.id is distinct from a.invoice_id) as is_closed
     from jsonb_to_recordset($2) as a(subscription_id text, full_period_start timestamptz,
       full_period_end timestamptz, invoice_id text)`,
    [environment_id, JSON.stringify(asked)],
  );
  return rows.map(({ sums, ...found }) => ({ ...found, sums: sumsOf(sums) }));
}

function sumsOf(rows: readonly SumRow[]): PeriodSums {
  const sumOf = (isCounted: (row: SumRow) => boolean) =>
    sum(rows.filter(isCounted).map(({ amount }) => decimal(amount)));
  const discounts = rows.filter(({ discount_id }) => discount_id !== null);
  return {
    plan_lines: sumOf(({ type }) => type !== 'discount' && type !== 'minimum'),
    discounts: new Map(discounts.map(({ discount_id, amount }) => [discount_id!, decimal(amount)])),
    decided: new Set(discounts.flatMap(({ discount_id, is_issued }) => (is_issued ? discount_id! : []))),
    minimum: sumOf(({ type }) => type === 'minimum'),
  };
}
