import { decimal, ZERO } from '../../domain/money/decimal.ts';
import { exchangesAt, settleAt } from '../../domain/invoice/fee.ts';
import { feeTimeOf } from '../../domain/lines/fee-time.ts';
import { worthUpTo } from '../../domain/lines/stretches.ts';
import type { QuantityChange } from '../../domain/subscription/quantity.ts';
import type { PlanSchedule } from '../../domain/subscription/plan-phase.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import type { FullPeriod } from '../../domain/lines/scope.ts';
import { PLAN_SCHEDULE } from '../subscriptions/plan-changes.ts';
import { quantitiesOf } from '../subscriptions/quantities.ts';
import type { Pricing } from '../../domain/pricing/definitions.ts';
import { AUTOMATICALLY_CREDITED } from '../invoicing/amount-due.ts';
import type { Db } from '../connection/pool.ts';
import { percentsOf } from './discounts.ts';
import { byCode, codePart, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/** Fees in advance of closed full periods against the time that ran (billing.md 10). */
export const FEE_INVARIANTS = [
  byCode(
    'I48',
    'Once a full period is closed, the lines of each of its fees in advance, less the automatic credit notes on them, are the price of the time that ran.',
    [codePart('full_period', (db, units, { limit }) => wrongFees(db, units, limit))],
  ),
];

type Fee = PlanSchedule &
  Pick<Subscription, 'cancel_at' | 'cancel_settle' | 'settle_left_out'> & {
    unit: Unit;
    charge_id: string;
    plan_id: string;
    event_name: string;
    pricing: Pricing;
    quantities: QuantityChange[];
    currency: string;
    /** Null where no period begins: the fee is worth nothing. */
    period: FullPeriod | null;
    full_period_start: string;
    /** The starts of the period that is open, and of the one whose beginning is not worked off; null without one. */
    open_from: string | null;
    unopened_from: string | null;
    /** The plan of the charge bills the period. */
    is_of_plan: boolean;
    /** Lines less automatic notes. */
    amount: string;
    /** Those of its issued lines. */
    percents: string[];
    /** A note could take more off one of the lines. */
    is_creditable: boolean;
    /** The invoices that are drafts, or void and not made again. */
    waiting: { period_start: string; period_end: string }[];
  };

async function wrongFees(db: Db, units: readonly Unit[], limit: number): Promise<UnitFault[]> {
  const { rows } = await db.query<Fee>(FEES, unitParameters(units));
  return rows
    .flatMap((fee) => {
      const what = faultOf(fee);
      return what === null
        ? []
        : [{ unit: fee.unit, row: `charge ${fee.charge_id} of ${fee.unit.id}`, what }];
    })
    .slice(0, limit);
}

function faultOf(fee: Fee): string | null {
  const { period, percents, currency, is_of_plan, is_creditable, full_period_start } = fee;
  const fee_time = period && feeTimeOf(fee, period);
  const ends = fee_time?.period_end ?? full_period_start;
  const { open_from, unopened_from } = fee;
  const is_left_out = fee.cancel_at !== null && fee.cancel_at < full_period_start;
  const is_over =
    (open_from === null || open_from >= ends) && (unopened_from === null || unopened_from > ends);
  if (!is_over && !is_left_out) return null;
  const amount = decimal(fee.amount);
  const quantities = fee.quantities.filter(({ at }) => at === null || at < ends);
  const worthOf = (time: FullPeriod) =>
    worthUpTo({ charge: fee, quantities }, time, { period_end: time.period_end, percents, currency });
  const worth = is_of_plan && fee_time !== null ? worthOf(fee_time) : ZERO;
  const is_too_much = !isKept(fee, ends) && is_creditable && amount.gt(worth);
  const is_too_little = !isWaiting(fee, ends) && amount.lt(worth);
  return is_too_much || is_too_little
    ? `bills ${fee.amount}, but the time that ran is worth ${worth.toFixed()}`
    : null;
}

/** Whether an end of the fee keeps unused time. */
function isKept(fee: Fee, ends: string): boolean {
  const { exchanges, settle_left_out } = exchangesAt(fee, fee.full_period_start);
  return [settleAt(fee, ends), exchanges[fee.plan_id], settle_left_out].includes('none');
}

/** Whether an invoice that may bill the fee is a draft, or void and not made again. */
function isWaiting({ waiting, full_period_start }: Fee, ends: string): boolean {
  return waiting.some(
    ({ period_start, period_end }) =>
      period_start === full_period_start || [full_period_start, ends].includes(period_end),
  );
}

/** SQL: what the credit notes that stand take off the line `l`, net. */
const CREDITED = `(
  select coalesce(sum(x.amount), 0) from credit_note_lines x
  join credit_notes k on k.environment_id = x.environment_id and k.id = x.credit_note_id and k.status = 'issued'
  where x.environment_id = l.environment_id and x.line_item_id = l.id)`;

/** SQL: something is left of the line `l`, and of its issued invoice `i`, which items below zero may have used up. */
export const IS_CREDITABLE = `i.status <> 'draft' and l.amount > ${CREDITED} and i.subtotal > (
  select coalesce(sum(x.amount), 0) from credit_notes k
  join credit_note_lines x on x.environment_id = k.environment_id and x.credit_note_id = k.id
  where k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'issued')`;

/** SQL: the fees of full periods that are closed. */
const FEES = `
  with ${unitsOf('full_period')}
  select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, h.id as charge_id,
    h.plan_id, h.event_name, h.pricing, ${quantitiesOf('h.event_name')} as quantities, n.currency, w.period,
    unit.full_period_start,
    coalesce(h.plan_id = w.plan_id, false) as is_of_plan, billed.amount::text as amount, billed.percents,
    billed.is_creditable,
    ${PLAN_SCHEDULE}, s.cancel_at, s.cancel_settle, s.settle_left_out, open.open_from, open.unopened_from, (
      select coalesce(jsonb_agg(jsonb_build_object('period_start', instant_text(i.period_start),
        'period_end', instant_text(i.period_end))), '[]')
      from invoices i
      where i.environment_id = unit.environment_id and i.subscription_id = unit.subscription_id
        and (i.status = 'draft' or i.status = 'void' and i.replaced_by is null)
        and i.period_end >= unit.full_period_start
        and i.period_start <= coalesce(w.interval_end, unit.full_period_start)) as waiting
  from unit
  join subscriptions s on s.environment_id = unit.environment_id and s.id = unit.subscription_id
  cross join lateral (
    select max(p.interval_end) as interval_end, min(p.plan_id) as plan_id,
      bool_and(p.closed_at is not null) as is_closed,
      case when count(*) > 0 then jsonb_build_object('kind', 'billing', 'plan_id', min(p.plan_id),
        'period_start', instant_text(min(p.period_start)), 'period_end', instant_text(max(p.period_end)),
        'interval_start', instant_text(min(p.interval_start)), 'interval_end', instant_text(max(p.interval_end)))
      end as period
    from periods p
    where p.environment_id = unit.environment_id and p.subscription_id = unit.subscription_id and p.kind = 'billing'
      and p.full_period_start = unit.full_period_start and (s.cancel_at is null or p.period_start < s.cancel_at)) as w
  cross join lateral (
    select min(p.period_start) filter (where p.closed_at is null) as open_from,
      min(p.period_start) filter (where p.opened_at is null) as unopened_from
    from periods p
    where p.environment_id = unit.environment_id and p.subscription_id = unit.subscription_id
      and (p.closed_at is null or p.opened_at is null)) as open
  join charges h on h.environment_id = unit.environment_id and h.pricing ->> 'billed' = 'in_advance'
    and (h.plan_id = w.plan_id or h.id in (
      select l.charge_id from line_items l
      where l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
        and l.full_period_start = unit.full_period_start and l.type = 'flat'))
  join plans n on n.environment_id = h.environment_id and n.id = h.plan_id
  cross join lateral (
    select coalesce(sum(l.amount - ${AUTOMATICALLY_CREDITED}), 0) as amount,
      coalesce(min(${percentsOf('l')}) filter (where i.status <> 'draft'), '{}') as percents,
      coalesce(bool_or(${IS_CREDITABLE}), false) as is_creditable
    from line_items l
    join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
    where l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
      and l.full_period_start = unit.full_period_start and l.charge_id = h.id) as billed
  where coalesce(w.is_closed, s.cancel_at <= unit.full_period_start)
  order by h.id`;
