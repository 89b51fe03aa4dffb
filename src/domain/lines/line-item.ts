import type { Aggregation } from '../pricing/charge.ts';
import { isMetered, type PricingModel } from '../pricing/definitions.ts';
import type { TitledCharge } from './charge-title.ts';
import {
  type CreditDemand,
  type Draw,
  type GrantBalance,
  type PreviousDraw,
  type Return,
  drawCredit,
  returnsOf,
} from '../credit/credit.ts';
import { ZERO, canonical, decimal, max, sum } from '../money/decimal.ts';
import { amountBeforeOf, type BilledBefore } from './amount-before.ts';
import { describeLine } from './description.ts';
import { arrearsLine } from './flat-line.ts';
import { impossible } from '../money/errors.ts';
import { toAmount } from '../money/money.ts';
import { type Period, fractionOf } from '../time/period.ts';
import { discountsOn, percentsOf, type Discounting, type LineDiscount } from '../pricing/discount.ts';
import { creditableUnits, price } from '../pricing/pricing.ts';
import type { PricedTier } from '../pricing/price.ts';
import { isLeftOut, type FullPeriod } from './scope.ts';
import { lineKey, type RatedCharge, type Series, seriesOf, usageKey } from '../pricing/series.ts';
import type { LineType } from './line-type.ts';

/** Another line of the same charge and full period. A draft shows `provisional_credit`, and its issue draws it. */
export type OtherLine = BilledBefore & {
  quantity: string;
  billable_quantity: string;
  provisional_credit: string;
};

/**
 * Usage of a charge in a full period, counted for one of its lines. `quantity` is the quantity of all lines of the
 * charge and period, with this line. `quantity_before` maps each expiry of a grant inside the period to the quantity of
 * the events before that expiry; it exceeds `quantity` where later events lower the quantity. `skipped_events` counts
 * the events that this line skips. `others` are the other lines that are not void, and `previous_draws` the credit that
 * these lines drew, in the order of drawing.
 */
export type Usage = {
  quantity: string;
  quantity_before: ReadonlyMap<string, string>;
  skipped_events: number;
  others: readonly OtherLine[];
  previous_draws: readonly PreviousDraw[];
};

/**
 * Usage of one full period by `usageKey`, without flat charges; its lines name `period`, else the full period, in the
 * zone of the subscription.
 */
export type PeriodUsage = {
  full_period: FullPeriod;
  period?: Period;
  usage: ReadonlyMap<string, Usage>;
  discounting: Discounting;
  currency: string;
  timezone: string;
};

/** The period of an invoice. `full_period` differs from `period` only if the period was cut. */
export type InvoicedPeriod = PeriodUsage & { period: Period };

/**
 * A line item without its id (contract.md 4), and the start of its full period. `aggregation` is null for flat charges.
 * A line of type `item` has an invoice item instead of a charge, a period line (`discount`, `minimum`) neither.
 */
export type ComposedLine = Series & {
  type: LineType;
  charge_id: string | null;
  invoice_item: { id: string; unit_amount: string } | null;
  event_name: string | null;
  description: string;
  pricing_model: PricingModel | null;
  aggregation: Aggregation | null;
  quantity: string;
  skipped_events: number;
  credits_applied: string;
  billable_quantity: string;
  tiers: PricedTier[] | null;
  amount: string;
  period_start: string;
  period_end: string;
  discounts: LineDiscount[];
  /** The amount of the line without percents; null where it has none (billing.md 11). */
  amount_before: string | null;
  full_period_start: string;
};

/** A text that is equal for the lines of one invoice item, and for those that share one rule, as `lineKey`. */
export function keyOfLine(line: ComposedLine): string {
  const { charge_id, invoice_item, full_period_start } = line;
  if (charge_id !== null) return lineKey({ ...line, charge_id, series: seriesOf(line) });
  const discount_id = line.discounts[0]?.discount_id ?? null;
  return invoice_item?.id ?? periodLineKey({ discount_id, full_period_start });
}

/** A text that is equal for the lines of a discount in a full period, or for those of its minimum. */
export function periodLineKey(line: { discount_id: string | null; full_period_start: string }): string {
  return JSON.stringify([line.discount_id ?? 'minimum', line.full_period_start]);
}

/** The line of an invoice that draws or returns credit. */
export type LineDraw = Draw & { charge_id: string; series: Series; full_period_start: string };

/**
 * A line with its credit. `credit` is the line's share of each grant: positive for credit it has, negative for credit
 * it gave up. `draws` leave the grants, `returns` go back to them; `grants` are the balances afterwards, for the next
 * line.
 */
export type ComposedWithCredit = {
  line: ComposedLine;
  credit: LineDraw[];
  draws: LineDraw[];
  returns: LineDraw[];
  grants: GrantBalance[];
};

/** A line of the invoice's own period, never below zero: a later late line returns what is owed (billing.md 5). */
export function composeOwn(
  charge: TitledCharge,
  grants: readonly GrantBalance[],
  own_period: InvoicedPeriod,
): ComposedWithCredit {
  if (!isMetered(charge.pricing)) {
    return { line: arrearsLine(charge, own_period), credit: [], draws: [], returns: [], grants: [...grants] };
  }
  const composed = composeUsage(charge, grants, { ...own_period, type: 'usage' });
  const { line } = composed;
  const { period_start, period_end } = own_period.period;
  const notBelow = (amount: string) => toAmount(max(ZERO, decimal(amount)), own_period.currency);
  const amount = notBelow(line.amount);
  const amount_before = line.amount_before && notBelow(line.amount_before);
  return { ...composed, line: { ...line, amount, amount_before, period_start, period_end } };
}

/** Credit of the other lines of a charge and period that they no longer need once this line exists (billing.md 5). */
export function returnsOfLine(charge: RatedCharge, counted: PeriodUsage): Return[] {
  if (!isMetered(charge.pricing) || usageOf(charge, counted).previous_draws.length === 0) return [];
  const { period_start: full_period_start } = counted.full_period;
  return returnsOf(demandOf(charge, counted)).map((back) => ({ ...back, full_period_start }));
}

/** The line of usage that came after its period was billed; its amount may be negative. */
export function composeLate(
  charge: TitledCharge,
  grants: readonly GrantBalance[],
  counted: PeriodUsage,
): ComposedWithCredit {
  const composed = composeUsage(charge, grants, { ...counted, type: 'late_usage' });
  return { ...composed, line: { ...composed.line, tiers: null } };
}

/** The units of a line that credit may cover, beside the other lines of its charge and period. */
function demandOf(charge: RatedCharge, counted: PeriodUsage): CreditDemand {
  const { pricing } = charge;
  const used = usageOf(charge, counted);
  const others_total = totalOf(used.others, counted.currency);
  return {
    period: counted.full_period,
    event_name: charge.event_name,
    creditable: creditableUnits(pricing, used.quantity),
    creditable_before: creditableBefore(charge, used),
    others_creditable: unitsOf(others_total, used.previous_draws),
    previous_draws: used.previous_draws,
    provisional: sumOf(used.others.map(({ provisional_credit }) => notBelowZero(provisional_credit))),
  };
}

/**
 * The one rule (billing.md 5): the quantity of all lines of the charge and period is priced once, with all their credit
 * and the percents of the charge and period; the line is that price less the amounts of the other lines. Without other
 * lines it is the price of its own quantity. `grants` include the credit that this line returns.
 */
function composeUsage(
  charge: TitledCharge,
  grants: readonly GrantBalance[],
  counted: PeriodUsage & { type: ComposedLine['type'] },
): ComposedWithCredit {
  const { full_period, period = full_period, type, discounting, currency, timezone } = counted;
  const { pricing } = charge;
  const used = usageOf(charge, counted);
  const others_total = totalOf(used.others, currency);
  const discounts = discountsOn(discounting, charge, full_period);
  const demand = demandOf(charge, counted);
  const drawn = drawCredit(demand, grants);
  const fraction = fractionOf(full_period);
  const asked = { quantity: used.quantity, credit: drawn.covered, fraction, percents: percentsOf(discounts) };
  const priced = price(pricing, asked, currency);
  // Not even the flat amount that a first tier has without usage.
  const worthOf = (amount: string) => (isLeftOut(full_period) ? ZERO : decimal(amount));
  const { amount_before } = priced;
  const quantity = difference(used.quantity, others_total.quantity);
  const line: ComposedLine = {
    ...identityOf(charge, type),
    description: describeLine({
      charge,
      quantity,
      others_quantity: others_total.quantity,
      is_late: type === 'late_usage',
      creditable: difference(demand.creditable, demand.others_creditable),
      credits_applied: drawn.applied,
      period,
      timezone,
      currency,
    }),
    quantity,
    skipped_events: used.skipped_events,
    credits_applied: drawn.applied,
    billable_quantity: difference(priced.billable_quantity, others_total.billable_quantity),
    // Beside other lines the tiers of the full period are not the tiers of the line.
    tiers: used.others.length === 0 ? priced.tiers : null,
    amount: toAmount(worthOf(priced.amount).minus(others_total.amount), currency),
    period_start: period.period_start,
    period_end: period.period_end,
    discounts,
    amount_before:
      amount_before && toAmount(worthOf(amount_before).minus(others_total.amount_before), currency),
    full_period_start: full_period.period_start,
  };
  const { id: charge_id, series } = charge;
  const key = { charge_id, series, full_period_start: full_period.period_start };
  const ofLine = (draw: Draw): LineDraw => ({ ...draw, ...key });
  return {
    line,
    credit: drawn.credit.map(ofLine),
    draws: drawn.draws.map(ofLine),
    returns: drawn.returns.map(ofLine),
    grants: drawn.grants,
  };
}

function identityOf(charge: RatedCharge, type: ComposedLine['type']) {
  const { id: charge_id, event_name, pricing, aggregation, series } = charge;
  return {
    type,
    charge_id,
    ...series,
    invoice_item: null,
    event_name,
    pricing_model: pricing.pricing_model,
    aggregation,
  };
}

function usageOf(charge: RatedCharge, { usage }: PeriodUsage): Usage {
  const used = usage.get(usageKey(charge.id, charge.series));
  // Never bill it as zero: the error would go unnoticed.
  if (used === undefined) throw impossible(`The usage of charge ${charge.id} was not counted.`);
  return used;
}

function creditableBefore({ pricing }: RatedCharge, { quantity_before }: Usage): Map<string, string> {
  const before = new Map<string, string>();
  for (const [expiry, quantity] of quantity_before) before.set(expiry, creditableUnits(pricing, quantity));
  return before;
}

/** The sums of lines of one charge and period. */
export function quantityOfLines(lines: readonly Pick<OtherLine, 'quantity'>[]): string {
  return sumOf(lines.map((line) => line.quantity));
}

/**
 * The units that other lines bill for money or cover by credit. Not creditableUnits of their quantity: below its free
 * units a package would count as none, and lines below zero take units back.
 */
function unitsOf(
  others_total: Pick<OtherLine, 'billable_quantity' | 'provisional_credit'>,
  previous_draws: readonly PreviousDraw[],
): string {
  const drawn = previous_draws.map(({ amount }) => amount);
  return sumOf([others_total.billable_quantity, others_total.provisional_credit, ...drawn]);
}

function totalOf(
  lines: readonly OtherLine[],
  currency: string,
): Omit<OtherLine, 'credited' | 'amount_before'> & { amount_before: string } {
  return {
    quantity: quantityOfLines(lines),
    billable_quantity: sumOf(lines.map((line) => line.billable_quantity)),
    amount: sumOf(lines.map((line) => line.amount)),
    amount_before: canonical(sum(lines.map((line) => amountBeforeOf(line, currency)))),
    provisional_credit: sumOf(lines.map((line) => line.provisional_credit)),
  };
}

function notBelowZero(text: string): string {
  return canonical(max(ZERO, decimal(text)));
}

function difference(a: string, b: string): string {
  return canonical(decimal(a).minus(b));
}

function sumOf(texts: readonly string[]): string {
  return canonical(sum(texts.map(decimal)));
}
