import type { Aggregation, Charge, PricingModel } from './charge.ts';
import { type Draw, type Lot, drawCredit } from './credit.ts';
import { canonical, decimal, sum } from './decimal.ts';
import { describeLine } from './description.ts';
import { toAmount } from './money.ts';
import { type Period, fractionOf } from './period.ts';
import { type PricedTier, creditableUnits, price } from './pricing.ts';

/**
 * What a charge's events give in the period. `quantity_before` holds, for each expiry of credit inside the period, what
 * the events before it give; it may exceed `quantity` (a sum with corrections), what is covered does not.
 */
export type Usage = {
  quantity: string;
  skipped_events: number;
  quantity_before: ReadonlyMap<string, string>;
};

/** A line item but for its id (contract.md 4). `aggregation` is null for flat charges. */
export type ComposedLine = {
  type: 'flat' | 'usage';
  charge_id: string;
  event_name: string;
  description: string;
  pricing_model: PricingModel;
  aggregation: Aggregation | null;
  quantity: string;
  skipped_events: number;
  credits_applied: string;
  billable_quantity: string;
  tiers: PricedTier[] | null;
  amount: string;
  period_start: string;
  period_end: string;
};

export type ChargeDraw = Draw & { charge_id: string };

/** `usage` is by charge id and may leave out flat charges; `tax_rate` is in percent. */
export type InvoiceInput = {
  charges: readonly Charge[];
  usage: ReadonlyMap<string, Usage>;
  lots: readonly Lot[];
  period: Period;
  currency: string;
  tax_rate: string;
};

export type ComposedInvoice = {
  line_items: ComposedLine[];
  draws: ChargeDraw[];
  subtotal: string;
  tax: { rate: string; amount: string };
  total: string;
  credits_applied: string;
};

const FLAT_USAGE: Usage = { quantity: '1', skipped_events: 0, quantity_before: new Map() };

/**
 * The whole invoice of a period, lines in plan order. Credit is used charge by charge in the same order, before money
 * (billing.md 4); tax is rounded once, on the subtotal (billing.md 3).
 */
export function composeInvoice(input: InvoiceInput): ComposedInvoice {
  const line_items: ComposedLine[] = [];
  const draws: ChargeDraw[] = [];
  let lots = input.lots;
  for (const charge of input.charges) {
    const composed = composeLine(charge, lots, input);
    line_items.push(composed.line);
    draws.push(...composed.draws.map((draw) => ({ ...draw, charge_id: charge.id })));
    lots = composed.lots;
  }
  const credits_applied = sumOf(line_items.map((line) => line.credits_applied));
  return { line_items, draws, ...totals(line_items, input), credits_applied: canonical(credits_applied) };
}

function composeLine(charge: Charge, lots: readonly Lot[], { usage, period, currency }: InvoiceInput) {
  const { pricing } = charge;
  const isFlat = pricing.pricing_model === 'flat';
  const used = isFlat ? FLAT_USAGE : usageOf(charge, usage);
  const quantity = canonical(decimal(used.quantity));
  const creditable = creditableUnits(pricing, quantity);
  const creditable_before = creditableBefore(charge, used);
  const drawn = drawCredit({ lots, period, creditable, creditable_before });
  const priced = price(pricing, { quantity, credit: drawn.applied, fraction: fractionOf(period) }, currency);
  const line: ComposedLine = {
    type: isFlat ? 'flat' : 'usage',
    charge_id: charge.id,
    event_name: charge.event_name,
    description: describeLine({ charge, quantity, creditable, credits_applied: drawn.applied, period }),
    pricing_model: pricing.pricing_model,
    aggregation: isFlat ? null : charge.aggregation,
    quantity,
    skipped_events: used.skipped_events,
    credits_applied: drawn.applied,
    billable_quantity: priced.billable_quantity,
    tiers: priced.tiers,
    amount: priced.amount,
    period_start: period.period_start,
    period_end: period.period_end,
  };
  return { line, draws: drawn.draws, lots: drawn.lots };
}

function usageOf(charge: Charge, usage: ReadonlyMap<string, Usage>): Usage {
  const used = usage.get(charge.id);
  // Billing it as zero would be silent, and wrong.
  if (used === undefined) throw new Error(`the usage of charge ${charge.id} is missing`);
  return used;
}

function creditableBefore({ pricing }: Charge, { quantity_before }: Usage): Map<string, string> {
  const before = new Map<string, string>();
  for (const [expiry, quantity] of quantity_before) before.set(expiry, creditableUnits(pricing, quantity));
  return before;
}

function totals(line_items: readonly ComposedLine[], { currency, tax_rate }: InvoiceInput) {
  const rate = decimal(tax_rate);
  const subtotal = sumOf(line_items.map((line) => line.amount));
  const tax = toAmount(subtotal.times(rate).times('0.01'), currency);
  return {
    subtotal: toAmount(subtotal, currency),
    tax: { rate: canonical(rate), amount: tax },
    total: toAmount(subtotal.plus(tax), currency),
  };
}

function sumOf(texts: readonly string[]) {
  return sum(texts.map(decimal));
}
