import { shareOfPeriod } from '../../domain/invoice/period-lines.ts';
import type { FullPeriod } from '../../domain/lines/scope.ts';
import { decimal, max, sum, ZERO } from '../../domain/money/decimal.ts';
import type { Db } from '../connection/pool.ts';
import { byCode, codePart, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/** Period lines of full periods against their plan lines (billing.md 13). */
export const PERIOD_LINE_INVARIANTS = [
  byCode(
    'I58',
    'The lines of a discount of an amount in a full period take off at most this amount, together at most its plan lines, and the lines of its minimum are what these lack of it.',
    [codePart('full_period', (db, units, { limit }) => wrongPeriodLines(db, units, limit))],
  ),
];

/** The sums of a full period, all of whose lines are issued. */
type Sums = {
  unit: Unit;
  currency: string;
  period: FullPeriod;
  minimum_amount: string | null;
  plan_lines: string;
  minimum: string;
  discounts: { discount_id: string; amount: string; of_period: string }[];
  /** An invoice after the one that closed the full period is issued. */
  is_settled: boolean;
  /** A credit note of a person may leave too little to take the minimum back. */
  is_noted: boolean;
};

async function wrongPeriodLines(db: Db, units: readonly Unit[], limit: number): Promise<UnitFault[]> {
  const { rows } = await db.query<Sums>(PERIOD_SUMS, unitParameters(units));
  return rows
    .flatMap((sums) => {
      const what = faultOf(sums);
      return what === null ? [] : [{ unit: sums.unit, row: `full period ${sums.unit.id}`, what }];
    })
    .slice(0, limit);
}

function faultOf({ period, currency, minimum_amount, is_settled, is_noted, ...sums }: Sums): string | null {
  const plan_lines = decimal(sums.plan_lines);
  for (const { discount_id, amount, of_period } of sums.discounts) {
    const least = ZERO.minus(shareOfPeriod(amount, period, currency));
    if (decimal(of_period).gt(ZERO) || decimal(of_period).lt(least))
      return `has ${of_period} of discount ${discount_id}, which takes off ${amount}`;
  }
  const paid = plan_lines.plus(sum(sums.discounts.map(({ of_period }) => decimal(of_period))));
  if (sums.discounts.length > 0 && paid.lt(ZERO))
    return `has discounts of more than its plan lines, which are ${sums.plan_lines}`;
  const least = minimum_amount === null ? ZERO : shareOfPeriod(minimum_amount, period, currency);
  const lacking = max(ZERO, least.minus(paid));
  const minimum = decimal(sums.minimum);
  if (!is_settled || (minimum.gte(lacking) && is_noted) || minimum.eq(lacking)) return null;
  return `has ${sums.minimum} of a minimum, but ${lacking.toFixed()} is lacking`;
}

/** SQL: a credit note, void or not, on a line of the full period, by billing itself or by a person. */
const isNoted = (author: 'created_by is null' | 'created_by is not null') => `exists (
    select from line_items l
    join credit_note_lines x on x.environment_id = l.environment_id and x.line_item_id = l.id
    join credit_notes k on k.environment_id = x.environment_id and k.id = x.credit_note_id and k.${author}
    where l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
      and l.full_period_start = unit.full_period_start)`;

/**
 * SQL: the sums of full periods of which no line is on a draft or void and no automatic note was made, and whose end
 * has not moved since: these wait for the next invoice that brings their period lines to the rule.
 */
const PERIOD_SUMS = `
  with ${unitsOf('full_period')}
  select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, n.currency, w.period,
    n.minimum_amount::text as minimum_amount, lines.plan_lines::text as plan_lines, lines.minimum::text as minimum,
    lines.discounts, ${isNoted('created_by is not null')} as is_noted, exists (
      select from invoices i
      where i.environment_id = unit.environment_id and i.subscription_id = unit.subscription_id
        and i.status in ('open', 'paid') and i.kind <> 'opening' and i.period_start >= w.period_end) and exists (
      select from invoices i
      where i.environment_id = unit.environment_id and i.subscription_id = unit.subscription_id
        and i.status in ('open', 'paid') and i.kind = 'period' and i.period_end = w.period_end) as is_settled
  from unit
  cross join lateral (
    select max(p.period_end) as period_end, min(p.plan_id) as plan_id,
      jsonb_build_object('kind', 'billing', 'plan_id', min(p.plan_id),
        'period_start', instant_text(min(p.period_start)), 'period_end', instant_text(max(p.period_end)),
        'interval_start', instant_text(min(p.interval_start)), 'interval_end', instant_text(max(p.interval_end))
      ) as period
    from periods p
    where p.environment_id = unit.environment_id and p.subscription_id = unit.subscription_id and p.kind = 'billing'
      and p.full_period_start = unit.full_period_start) as w
  join plans n on n.environment_id = unit.environment_id and n.id = w.plan_id
  cross join lateral (
    select coalesce(sum(l.amount) filter (where l.charge_id is not null), 0) as plan_lines,
      coalesce(sum(l.amount) filter (where l.type = 'minimum'), 0) as minimum,
      coalesce(bool_or(i.status in ('draft', 'void')), false) as is_waiting,
      max(l.period_end) > w.period_end as is_cut, (
        select coalesce(jsonb_agg(jsonb_build_object('discount_id', d.id, 'amount', d.amount::text,
          'of_period', d.of_period::text)), '[]')
        from (
          select d.id, d.amount, sum(x.amount) as of_period from line_items x
          join discounts d on d.environment_id = x.environment_id and d.id = x.discounts -> 0 ->> 'discount_id'
          where x.environment_id = unit.environment_id and x.subscription_id = unit.subscription_id
            and x.full_period_start = unit.full_period_start and x.type = 'discount'
          group by d.id, d.amount) as d) as discounts
    from line_items l
    join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
    where l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
      and l.full_period_start = unit.full_period_start and l.type <> 'item') as lines
  where not lines.is_waiting and lines.is_cut is not true and not ${isNoted('created_by is null')}
    and (n.minimum_amount is not null or lines.minimum <> 0 or lines.discounts <> '[]')`;
