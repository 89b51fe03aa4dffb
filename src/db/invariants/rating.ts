import { isDeepStrictEqual } from 'node:util';
import type { Pricing } from '../../domain/pricing/definitions.ts';
import { decimal } from '../../domain/decimal.ts';
import { fractionOf } from '../../domain/period.ts';
import { creditableUnits, price } from '../../domain/pricing.ts';
import { messageOf } from '../../message-of.ts';
import type { Db } from '../connection/pool.ts';
import { readFullPeriods, type FullPeriod } from './full-periods.ts';
import { byCode, codePart, type CheckOptions, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/** Lines against their events: quantities recounted from the events, amounts rated from the recount. */
export const RATING_INVARIANTS = [
  byCode(
    'I6',
    'The quantities of all line items of a charge and full period add up to a recount of the events of these line items.',
    [codePart('full_period', async (db, units, options) => (await recounted(db, units, options)).quantities)],
  ),
  byCode(
    'I7',
    'The amounts of all line items of a charge and full period, less the automatic credit notes on them, add up to the price of the recounted quantity with the credit of these line items.',
    [
      codePart('full_period', async (db, units, options) => {
        const metered = (await recounted(db, units, options)).amounts;
        const flat = await wrongFlatLines(db, units, options.limit);
        return [...metered, ...flat];
      }),
    ],
  ),
];

type Recounted = { quantities: UnitFault[]; amounts: UnitFault[] };

const recounts = new WeakMap<readonly Unit[], Promise<Recounted>>();

/** Recounting is most of a check's cost, so both invariants share one recount of the same array of units. */
function recounted(db: Db, units: readonly Unit[], { limit }: CheckOptions): Promise<Recounted> {
  let recount = recounts.get(units);
  if (recount === undefined) {
    recount = recountAll(db, units, limit);
    recounts.set(units, recount);
  }
  return recount;
}

async function recountAll(db: Db, units: readonly Unit[], limit: number): Promise<Recounted> {
  const found: Recounted = { quantities: [], amounts: [] };
  for (const full_period of await readFullPeriods(db, units)) {
    keepFault(found.quantities, full_period, { what: faultIn(() => quantityFault(full_period)), limit });
    keepFault(found.amounts, full_period, { what: faultIn(() => amountFault(full_period)), limit });
  }
  return found;
}

/** An error while rating a row is a fault of that row alone. */
function faultIn(look: () => string | null): string | null {
  try {
    return look();
  } catch (error) {
    return `cannot be checked: ${messageOf(error)}`;
  }
}

/** Keeps up to `limit` breaches and up to `limit` exceptions, so that neither crowds out the other. */
function keepFault(
  faults: UnitFault[],
  full_period: FullPeriod,
  { what, limit }: { what: string | null; limit: number },
): void {
  if (what === null) return;
  const { exception, unit } = full_period;
  const alike = faults.filter((fault) => (fault.exception === undefined) === (exception === null));
  if (alike.length >= limit) return;
  faults.push({ unit, row: nameOf(full_period), what, ...(exception === null ? {} : { exception }) });
}

function nameOf({ line_item_ids, charge_id, full_period_start }: FullPeriod): string {
  return `line items ${line_item_ids.join(', ')} of charge ${charge_id}, period from ${full_period_start}`;
}

function quantityFault({ quantity, recount, lone }: FullPeriod): string | null {
  if (!decimal(quantity).eq(recount.quantity))
    return `have the quantity ${quantity}, but their events have ${recount.quantity}`;
  if (lone !== null && lone.skipped_events !== recount.skipped_events)
    return `have ${lone.skipped_events} skipped events, but the recount has ${recount.skipped_events}`;
  return null;
}

const WHOLE = { numerator: '1', denominator: '1' };

function amountFault(full_period: FullPeriod): string | null {
  const { pricing, recount, credits_applied, currency, lone } = full_period;
  const { quantity } = recount;
  if (full_period.is_provisional) return null;
  const creditable = creditableUnits(pricing, quantity);
  if (decimal(credits_applied).gt(creditable) || decimal(credits_applied).lt('0'))
    return `took credit for ${credits_applied} of ${creditable} units`;
  const priced = price(pricing, { quantity, credit: credits_applied, fraction: WHOLE }, currency);
  const difference = decimal(full_period.amount).minus(priced.amount);
  // If a line would fall below 0, a later invoice returns the difference as a late line, before the late window closes.
  const is_held = difference.gt('0') && full_period.has_zero_line && !full_period.is_closed;
  if (!difference.eq('0') && !is_held)
    return `have the amount ${full_period.amount}, but the price of ${quantity} is ${priced.amount}`;
  if (lone === null || is_held) return null;
  if (lone.billable_quantity !== priced.billable_quantity)
    return `have the billable quantity ${lone.billable_quantity}, but the price has ${priced.billable_quantity}`;
  // Tiers are also null if the line was made beside lines that are void now.
  if (lone.tiers !== null && !isDeepStrictEqual(lone.tiers, priced.tiers))
    return 'have different tiers than their price';
  return null;
}

type FlatLine = {
  unit: Unit;
  id: string;
  amount: string;
  currency: string;
  pricing: Pricing;
  interval_start: string;
  interval_end: string;
  full_period_start: string;
  period_start: string;
  period_end: string;
};

async function wrongFlatLines(db: Db, units: readonly Unit[], limit: number): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  const { rows } = await db.query<FlatLine>(FLAT_LINES, unitParameters(units));
  for (const line of rows) {
    const what = faultIn(() => flatFault(line));
    if (what !== null) faults.push({ unit: line.unit, row: `line item ${line.id}`, what });
  }
  return faults.slice(0, limit);
}

function flatFault(line: FlatLine): string | null {
  const expected = flatAmount(line);
  return decimal(expected).eq(line.amount)
    ? null
    : `has the amount ${line.amount}, but its price is ${expected}`;
}

const FLAT_LINES = `
  with ${unitsOf('full_period')}
  select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, l.id,
    l.amount::text as amount, i.currency, h.pricing, p.interval_start, p.interval_end, p.full_period_start,
    p.period_start, p.period_end
  from unit
  join line_items l on l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
    and l.full_period_start = unit.full_period_start and l.type = 'flat'
  join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
  join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
    and h.pricing ->> 'billed' is distinct from 'in_advance'
  join periods p on p.environment_id = l.environment_id and p.subscription_id = l.subscription_id
    and p.period_start = l.period_start
  order by l.id`;

/** Price of the period up to the part's end, less the price up to its start; by exact time, each rounded (billing.md 1). */
function flatAmount(line: FlatLine): string {
  const upTo = (period_end: string) => {
    const fraction = fractionOf({
      ...line,
      kind: 'billing',
      period_start: line.full_period_start,
      period_end,
    });
    return decimal(price(line.pricing, { quantity: '1', credit: '0', fraction }, line.currency).amount);
  };
  return upTo(line.period_end).minus(upTo(line.period_start)).toFixed();
}
