import type { Aggregation } from '../../domain/pricing/charge.ts';
import type { Pricing } from '../../domain/pricing/definitions.ts';
import type { PricedTier } from '../../domain/pricing/price.ts';
import { AUTOMATICALLY_CREDITED } from '../invoicing/amount-due.ts';
import { byIndex } from '../connection/by-index.ts';
import type { Db } from '../connection/pool.ts';
import { countedBy, HELD, SPANS } from './partition.ts';
import { percentsOf } from './discounts.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/** SQL: the pricing of the charge `h` for a line's series: that of its price, or of the charge. */
function pricingOf(line: string): string {
  return `case when h.pricing ? 'prices'
    then h.pricing - 'prices' || (h.pricing -> 'prices' -> (${line}.series ->> 'price_index')::integer)
    else h.pricing end`;
}

export type Recount = { quantity: string; skipped_events: number };

/**
 * All lines, not void, of one series of a metered charge in a full period, with a recount of the events that they hold
 * together.
 */
export type FullPeriod = {
  unit: Unit;
  subscription_id: string;
  charge_id: string;
  full_period_start: string;
  currency: string;
  pricing: Pricing;
  line_item_ids: string[];
  /** Sums over the stored lines; `amount` less the automatic credit notes. */
  quantity: string;
  amount: string;
  credits_applied: string;
  /** The percents of the lines. */
  percents: string[];
  /**
   * A draft beside other lines shows provisional credit, which it has not drawn and the other lines do not know, or
   * percents that its issue would decide anew.
   */
  is_provisional: boolean;
  /** A line has amount 0, possibly instead of an amount below. */
  has_zero_line: boolean;
  /** The late window is closed, so that no later line can settle a difference. */
  is_closed: boolean;
  /** Values of the line if it is the only one; null otherwise. */
  lone: { billable_quantity: string; skipped_events: number; tiers: PricedTier[] | null } | null;
  recount: Recount;
  /**
   * A recount up to the end of the subscription, where an earlier one has cut the period or left it out since it was
   * billed; else null.
   */
  recount_to_end: Recount | null;
  /** The subscription ended before the period began. */
  is_left_out: boolean;
  /** An invoice that settles a difference is still to come: the subscription has an open period, or a draft. */
  is_to_settle: boolean;
};

/** The given full periods, by charge. */
export function readFullPeriods(db: Db, units: readonly Unit[]): Promise<FullPeriod[]> {
  return byIndex(db, () => readByType(db, units));
}

async function readByType(db: Db, units: readonly Unit[]): Promise<FullPeriod[]> {
  const full_periods: FullPeriod[] = [];
  for (const type of Object.keys(RECOUNTS) as Aggregation['type'][]) {
    const { rows } = await db.query<FullPeriod>(fullPeriodsBy(type), [...unitParameters(units), type]);
    full_periods.push(...rows);
  }
  return full_periods;
}

/**
 * SQL: true if the lines of a full period must add up. After a void they do so once another line is made: the
 * replacement, in the same transaction, or a line issued later by the customer's clock. Until then the next line
 * settles the difference.
 */
const MUST_ADD_UP = `not exists (
  select from line_items v
  join invoices w on w.environment_id = v.environment_id and w.id = v.invoice_id and w.status = 'void'
  where v.environment_id = l.environment_id and v.subscription_id = l.subscription_id
    and v.charge_id = l.charge_id and v.series = l.series and v.full_period_start = l.full_period_start
    and not exists (
      select from line_items m
      join invoices j on j.environment_id = m.environment_id and j.id = m.invoice_id and j.status <> 'void'
      where m.environment_id = v.environment_id and m.subscription_id = v.subscription_id
        and m.charge_id = v.charge_id and m.series = v.series and m.full_period_start = v.full_period_start
        and (j.id = w.replaced_by or j.issued_at > w.voided_at))
  offset 0)`;

const NUMBER = `event_number(e.properties -> span.property)`;
const TEXT = `case when jsonb_typeof(e.properties -> span.property) in ('string', 'number', 'boolean')
  then e.properties ->> span.property end`;

/**
 * SQL written independently of the billing code, so that a bug there does not repeat here: the value that an event `e`
 * has for `span`, and the quantity of the values of events `e`. A null value means that the event is skipped.
 */
export const RECOUNTS: Record<Aggregation['type'], { quantity: string; value: string }> = {
  count: { quantity: 'count(e.value)', value: 'e.id' },
  sum: { quantity: 'sum(e.value)', value: NUMBER },
  max: { quantity: 'max(e.value)', value: NUMBER },
  unique: { quantity: 'count(distinct e.value)', value: TEXT },
  latest: {
    quantity:
      '(array_agg(e.value order by e.timestamp desc, e.id desc) filter (where e.value is not null))[1]',
    value: NUMBER,
  },
};

/** SQL: a quantity, never below 0. */
export function shown(quantity: string): string {
  return `trim_scale(greatest(coalesce(${quantity}, 0), 0)::numeric)`;
}

/** SQL: of the full period `w`, whether an invoice that settles a difference is still to come, and is_closed. */
const SETTLEMENT = `
  exists (
    select from periods p
    where p.environment_id = w.environment_id and p.subscription_id = w.subscription_id and p.closed_at is null
    union all
    select from invoices d
    where d.environment_id = w.environment_id and d.subscription_id = w.subscription_id
      and d.status = 'draft') as is_to_settle,
  exists (
    select from periods p
    where p.environment_id = w.environment_id and p.subscription_id = w.subscription_id
      and p.full_period_start = w.full_period_start and p.late_window_closed_at is not null) as is_closed`;

/** SQL: recounts each full period, by the indexes of its lines and of the customer's events, span by span. */
function fullPeriodsBy(type: Aggregation['type']): string {
  return `
    with ${unitsOf('full_period')}, full_period as materialized (
      select row_number() over () as number, l.environment_id, l.subscription_id, l.charge_id, l.series,
        l.full_period_start, min(i.currency) as currency, min(unit.id) as unit_id,
        array_agg(l.id order by l.id) as line_item_ids, sum(l.quantity) as quantity,
        sum(l.amount - ${AUTOMATICALLY_CREDITED}) as amount, sum(l.credits_applied) as credits_applied,
        max(l.period_end) as named_end, bool_or(l.amount = 0) as has_zero_line,
        min(${percentsOf('l')}) as percents, count(*) > 1 and (
          bool_or(i.status = 'draft' and l.credits_applied <> 0)
          or bool_or(i.status = 'draft') and count(distinct ${percentsOf('l')}) > 1) as is_provisional,
        case when count(*) = 1 then jsonb_build_object('billable_quantity', min(trim_scale(l.billable_quantity)::text),
          'skipped_events', min(l.skipped_events), 'tiers', (array_agg(l.tiers))[1]) end as lone
      from unit
      join line_items l on l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
        and l.full_period_start = unit.full_period_start
      join charges h on h.environment_id = l.environment_id and h.id = l.charge_id and h.aggregation ->> 'type' = $3
      join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
      where l.type in ('usage', 'late_usage') and ${MUST_ADD_UP}
      group by l.environment_id, l.subscription_id, l.charge_id, l.series, l.full_period_start
      having not bool_or(i.is_stale)
    ), recounted as materialized (
      select w.*, ${pricingOf('w')} as priced_by, b.cancel_at, ${countedBy('w')}, ${SETTLEMENT}
      from full_period w
      join charges h on h.environment_id = w.environment_id and h.id = w.charge_id
      join subscriptions b on b.environment_id = w.environment_id and b.id = w.subscription_id
      join customers c on c.environment_id = b.environment_id and c.id = b.customer_id
        -- The events of the others are archived (I45).
        and w.full_period_start >= coalesce(c.archived_to, '-infinity')
    ), span as materialized (
      select w.number, w.named_end, w.cancel_at, w.customer_key, w.event_name, w.filters, w.pricing, w.group_by,
        w.property, w.own, s.*
      from recounted w cross join lateral (${SPANS}
        where l.environment_id = w.environment_id and l.subscription_id = w.subscription_id
          and l.charge_id = w.charge_id and l.series = w.series and l.full_period_start = w.full_period_start
        offset 0) as s
    ), held as materialized (${recountBy(type, 'true')}),
    kept as materialized (${recountBy(type, 'span.named_end > span.cancel_at and e.timestamp < span.cancel_at')})
    select jsonb_build_object('environment_id', w.environment_id, 'id', w.unit_id) as unit, w.subscription_id,
      w.charge_id, w.full_period_start, w.currency, w.priced_by as pricing, w.line_item_ids, w.percents,
      trim_scale(w.quantity)::text as quantity, w.amount::text as amount,
      trim_scale(w.credits_applied)::text as credits_applied, w.has_zero_line, w.is_provisional, w.lone,
      ${recountOf('held')} as recount,
      case when w.named_end > w.cancel_at then ${recountOf('kept')} end as recount_to_end,
      coalesce(w.full_period_start >= w.cancel_at, false) as is_left_out, w.is_to_settle, w.is_closed
    -- No nested loop, which the planner may choose for a left join of what it expects to be few rows.
    from recounted w full join held using (number) full join kept using (number)`;
}

/** SQL: a recount of the events that all lines of a full period hold, of those that `counts` is true for. */
function recountBy(type: Aggregation['type'], counts: string): string {
  const { quantity, value } = RECOUNTS[type];
  return `
      select e.number, ${quantity} as quantity, count(*) filter (where e.value is null) as skipped_events
      from (
        select span.number, e.id, e.timestamp, ${value} as value from span join events e on ${HELD} and ${counts}) as e
      group by e.number`;
}

/** SQL: the counts of a row of recountBy, which is missing where no event is held. */
function recountOf(row: string): string {
  return `jsonb_build_object('quantity', ${shown(`${row}.quantity`)}::text,
        'skipped_events', coalesce(${row}.skipped_events, 0))`;
}
