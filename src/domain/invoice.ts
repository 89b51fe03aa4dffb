import type { Charge } from './charge.ts';
import type { Lot } from './credit.ts';
import { type Decimal, ZERO, canonical, decimal, sum } from './decimal.ts';
import {
  type ComposedLine,
  type ComposedWithCredit,
  type InvoicedPeriod,
  type LineDraw,
  type PeriodUsage,
  composeLate,
  composeOwn,
} from './line-item.ts';
import { toAmount } from './money.ts';

/** `own` is null for the last invoice of a canceled subscription, which has late lines only. `tax_rate` is in percent. */
export type InvoiceInput = {
  charges: readonly Charge[];
  own: InvoicedPeriod | null;
  /** Periods billed before that may have late usage, the oldest first. */
  late: readonly PeriodUsage[];
  lots: readonly Lot[];
  currency: string;
  tax_rate: string;
};

export type ComposedInvoice = {
  line_items: ComposedLine[];
  draws: LineDraw[];
  returns: LineDraw[];
  /** Starts of the periods that have a late line which waits for a later invoice. */
  waiting: string[];
  subtotal: string;
  tax: { rate: string; amount: string };
  total: string;
  credits_applied: string;
};

/**
 * A whole invoice: the lines of its period in plan order, then late ones, the oldest period first. Credit is used line by line in
 * the same order, before money (billing.md 4); tax is rounded once, on the subtotal (billing.md 3). A late line that would take
 * the running subtotal below zero waits; one of nothing is not made (billing.md 5).
 */
export function composeInvoice(input: InvoiceInput): ComposedInvoice {
  const made: ComposedWithCredit[] = [];
  const waiting = new Set<string>();
  let { lots } = input;
  let subtotal = ZERO;
  const add = (composed: ComposedWithCredit) => {
    made.push(composed);
    lots = composed.lots;
    subtotal = subtotal.plus(composed.line.amount);
  };
  const { own } = input;
  if (own !== null) for (const charge of input.charges) add(composeOwn(charge, lots, own));
  for (const { charge, period } of lateCharges(input)) {
    const composed = composeLate(charge, lots, period);
    const { quantity, amount } = composed.line;
    if (quantity === '0' && decimal(amount).eq(ZERO)) continue;
    if (subtotal.plus(amount).lt(ZERO)) waiting.add(period.whole.period_start);
    else add(composed);
  }
  const line_items = made.map(({ line }) => line);
  return {
    line_items,
    draws: made.flatMap(({ draws }) => draws),
    returns: made.flatMap(({ returns }) => returns),
    waiting: [...waiting],
    ...totals(subtotal, input),
    credits_applied: canonical(sum(line_items.map((line) => decimal(line.credits_applied)))),
  };
}

function lateCharges({ charges, late }: InvoiceInput): { charge: Charge; period: PeriodUsage }[] {
  return late.flatMap((period) =>
    charges.filter(({ id }) => period.usage.has(id)).map((charge) => ({ charge, period })),
  );
}

function totals(subtotal: Decimal, { currency, tax_rate }: InvoiceInput) {
  const rate = decimal(tax_rate);
  const tax = toAmount(subtotal.times(rate).times('0.01'), currency);
  return {
    subtotal: toAmount(subtotal, currency),
    tax: { rate: canonical(rate), amount: tax },
    total: toAmount(subtotal.plus(tax), currency),
  };
}
