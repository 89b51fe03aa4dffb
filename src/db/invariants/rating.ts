import { isDeepStrictEqual } from 'node:util';
import { decimal, ZERO } from '../../domain/money/decimal.ts';
import { creditableUnits, price } from '../../domain/pricing/pricing.ts';
import type { Db } from '../connection/pool.ts';
import { readFullPeriods, type FullPeriod } from './full-periods.ts';
import { wrongFlatLines } from './flat-lines.ts';
import { byCode, codePart, faultIn, type CheckOptions, type UnitFault } from './invariant.ts';
import type { Unit } from './unit.ts';

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
  const faults: Recounted = { quantities: [], amounts: [] };
  for (const full_period of await readFullPeriods(db, units)) {
    keepFault(faults.quantities, full_period, {
      what: faultIn(() => faultOf(full_period, quantityFault)),
      limit,
    });
    keepFault(faults.amounts, full_period, { what: faultIn(() => faultOf(full_period, amountFault)), limit });
  }
  return faults;
}

/**
 * The lines of a full period that an earlier end has cut or left out bill the usage up to this end; until the last
 * invoice credits the rest, they may bill all that they hold.
 */
function faultOf(full_period: FullPeriod, look: (full_period: FullPeriod) => string | null): string | null {
  const { recount_to_end, is_to_settle } = full_period;
  if (recount_to_end === null) return look(full_period);
  const fault = look({ ...full_period, recount: recount_to_end, lone: null });
  return fault !== null && is_to_settle && look({ ...full_period, is_left_out: false }) === null
    ? null
    : fault;
}

/** Keeps up to `limit` breaches. */
function keepFault(
  faults: UnitFault[],
  full_period: FullPeriod,
  { what, limit }: { what: string | null; limit: number },
): void {
  if (what === null || faults.length >= limit) return;
  faults.push({ unit: full_period.unit, row: nameOf(full_period), what });
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
  const { pricing, recount, credits_applied, percents, currency, lone } = full_period;
  const { quantity } = recount;
  if (full_period.is_provisional) return null;
  const creditable = creditableUnits(pricing, quantity);
  if (decimal(credits_applied).gt(creditable) || decimal(credits_applied).lt('0'))
    return `took credit for ${credits_applied} of ${creditable} units`;
  const usage = { quantity, credit: credits_applied, fraction: WHOLE, percents };
  const priced = price(pricing, usage, currency);
  const worth = full_period.is_left_out ? ZERO : decimal(priced.amount);
  const difference = decimal(full_period.amount).minus(worth);
  // If a line would fall below 0, a later invoice returns the difference as a late line, before the late window closes.
  const is_held = difference.gt('0') && full_period.has_zero_line && !full_period.is_closed;
  if (!difference.eq('0') && !is_held)
    return `have the amount ${full_period.amount}, but the price of ${quantity} is ${worth.toFixed()}`;
  if (lone === null || is_held) return null;
  if (lone.billable_quantity !== priced.billable_quantity)
    return `have the billable quantity ${lone.billable_quantity}, but the price has ${priced.billable_quantity}`;
  // Tiers are also null if the line was made beside lines that are void now.
  if (lone.tiers !== null && !isDeepStrictEqual(lone.tiers, priced.tiers))
    return 'have different tiers than their price';
  return null;
}
