import { creditShares, type BilledInvoice, type Correction, type CreditShare } from './automatic-note.ts';
import { withTitles } from '../lines/charge-title.ts';
import type { GrantBalance } from '../credit/credit.ts';
import { type Decimal, ZERO, canonical, decimal, sum } from '../money/decimal.ts';
import { feeLines, type FeePeriod, type FeesOfClose } from './fee.ts';
import { fitItems, type FittedItems, type ItemSplit } from '../lines/fitting.ts';
import { sumsAfter, type PeriodTerms } from './period-lines.ts';
import { periodLinesBeside, tallyOf, unfitLine } from './period-tally.ts';
import {
  type Apart,
  type LateCharge,
  type LateLine,
  type Lines,
  type TitledPlans,
  composeLines,
  lateCharges,
} from './invoice-lines.ts';
import {
  type ComposedLine,
  type InvoicedPeriod,
  type LineDraw,
  type PeriodUsage,
  periodLineKey,
} from '../lines/line-item.ts';
import { toAmount } from '../money/money.ts';
import { lineKey, type RatedCharge } from '../pricing/series.ts';
import { taxOf, type TaxTerms } from '../money/tax.ts';

/** `own` is null for the last invoice of a canceled subscription, which has late lines only. */
export type InvoiceInput = {
  /**
   * The charges of each plan, by its id, in the order of lines: in plan order, each with the series that any of the
   * periods has.
   */
  plans: ReadonlyMap<string, readonly RatedCharge[]>;
  own: InvoicedPeriod | null;
  /** Full periods, billed before, that may have late usage; oldest first. */
  late: readonly PeriodUsage[];
  /**
   * Fees in advance: of the period that comes, which an opening invoice begins, and of the one whose fees end with the
   * invoice's period. Null without such fees.
   */
  fees: FeesOfClose;
  /**
   * The full periods of which the invoice may have period lines, the oldest first; empty without discounts of an amount
   * and without minimums.
   */
  periods: readonly PeriodTerms[];
  /** Lines of invoice items, in the order in which they are taken. */
  items: readonly ComposedLine[];
  grants: readonly GrantBalance[];
  /**
   * The invoices that bill the late periods, in the order of issue, for the notes on them; null while no late line is
   * known to need one: any amount is then supposed to be left to credit.
   */
  billed: readonly BilledInvoice[] | null;
  currency: string;
  /** The time zone of the subscription. */
  timezone: string;
  tax: TaxTerms;
};

/** `amount` in the currency's minor digits. */
export type InvoiceTax = TaxTerms & { amount: string };

export type ComposedInvoice = {
  line_items: ComposedLine[];
  /** Credit of each line from each grant, signed. */
  credit: LineDraw[];
  draws: LineDraw[];
  returns: LineDraw[];
  /** Starts of full periods with a late line that waits for a later invoice, or whose money is not all credited. */
  waiting: string[];
  /** The late lines of which the issue credits the money on the invoices that billed it, by `lineKey`. */
  corrections: Correction[];
  /** The parts of these corrections on lines of the invoices `billed`. */
  shares: CreditShare[];
  /** Amounts of minimums on other invoices that are too much, and for which this invoice has no room. */
  excess_minimums: Correction[];
  /** The items that an issue splits. */
  splits: ItemSplit[];
  subtotal: string;
  tax: InvoiceTax;
  total: string;
  credits_applied: string;
};

/**
 * Composes an invoice: the lines of its own period in plan order, then fees in advance, period lines, items, and late
 * lines, oldest period first. Credit is used before money, by the oldest usage first (billing.md 4 and 5). Tax is
 * rounded once, on the subtotal (billing.md 3). Credit that lines return is available before the first line draws. The
 * lines of zero or more are added first, then period lines, then items and then late lines below zero: a late line that
 * would take the subtotal below zero has the amount 0, and its money is credited where it was billed. One that says
 * nothing then waits and returns nothing; an empty one is not made (billing.md 5 and 7).
 */
export function composeInvoice(untitled_input: InvoiceInput): ComposedInvoice {
  const plans = new Map(
    [...untitled_input.plans].map(([plan_id, charges]) => [plan_id, withTitles(charges)]),
  );
  const input = { ...untitled_input, plans };
  const late = lateCharges(input);
  const fees = feesOf(input);
  // A late line that turns out not to be made as it is has returned its credit before all draws. Compose again, with
  // that credit returned after the invoice's own lines, and if it does not fit there either, with the amount 0.
  const apart: Apart = { after_own: new Set(), credited: new Set(), waiting: new Set() };
  for (;;) {
    const lines = composeLines(input, late, apart);
    const fitting = lines.late.filter((line) => !isCredited(line, apart));
    const plan_lines = [...fees, ...[...lines.own, ...fitting].map(({ line }) => line)];
    const made = plan_lines.filter(({ amount }) => decimal(amount).gte(ZERO));
    const { left, ...fitted } = fitItems(input.items, subtotalOf(made, input), input.currency);
    const late_lines = fitting.map(({ line }) => line);
    const place = unfitLine(late_lines, { subtotal: left, made }, input);
    const unmade = lines.unmade ?? (place === null ? null : fitting[place]!.charge);
    if (unmade !== null) {
      if (unmade.returns.length > 0 && !apart.after_own.has(unmade)) apart.after_own.add(unmade);
      else apart.credited.add(unmade);
      continue;
    }
    const credited = creditLines(lines.late, apart, input);
    const idle = credited.find(saysNothing);
    if (idle === undefined)
      return invoiceOf(input, { ...lines, fees, credited }, { ...fitted, waiting: apart.waiting });
    apart.waiting.add(idle.line.charge);
  }
}

type TitledInput = Omit<InvoiceInput, 'plans'> & { plans: TitledPlans };

/** The fees of the period that comes, then what those that end are short of. */
function feesOf({ plans, fees: { coming, ending }, currency, timezone }: TitledInput): ComposedLine[] {
  const linesOf = (fees: FeePeriod | null, is_closing: boolean) =>
    feeLines(plans.get(fees?.full_period?.plan_id ?? '') ?? [], fees, { currency, timezone, is_closing });
  return [...linesOf(coming, false), ...linesOf(ending, true)];
}

/** A late line below zero that does not fit: its money, and the parts of it on the lines that billed it. */
type CreditedLine = { line: LateLine; correction: Correction; shares: CreditShare[] | null };

function isCredited({ charge, line }: LateLine, { credited }: Apart): boolean {
  return credited.has(charge) && decimal(line.amount).lt(ZERO);
}

/** The sum of plan lines and of the period lines beside them. */
function subtotalOf(plan_lines: readonly ComposedLine[], input: TitledInput): Decimal {
  return sum([...plan_lines.map(({ amount }) => decimal(amount)), tallyOf(plan_lines, input).total]);
}

function creditLines(late: readonly LateLine[], apart: Apart, input: TitledInput): CreditedLine[] {
  const { billed, periods, currency } = input;
  const lines = late.filter((line) => isCredited(line, apart));
  const corrections = lines.map(({ charge: { charge, period }, line }): Correction => {
    const { period_start: full_period_start } = period.full_period;
    const line_key = lineKey({ charge_id: charge.id, series: charge.series, full_period_start });
    return { line_key, full_period_start, amount: ZERO.minus(line.amount) };
  });
  const shares = billed && creditShares(corrections, { invoices: billed, periods, currency });
  return lines.map((line, at) => ({
    line,
    correction: corrections[at]!,
    shares: shares && shares[at]!,
  }));
}

/** Whether the line, at the amount 0, changes nothing: no units, no credit, and no note. */
function saysNothing({ line: { line, credit }, shares }: CreditedLine): boolean {
  return line.quantity === '0' && credit.length === 0 && shares?.length === 0;
}

function isUnsettled({ correction: { amount }, shares }: CreditedLine): boolean {
  return shares !== null && !amount.eq(sum(shares.map((share) => share.amount)));
}

function invoiceOf(
  input: InvoiceInput,
  lines: Pick<Lines, 'own' | 'late'> & { fees: readonly ComposedLine[]; credited: readonly CreditedLine[] },
  { items, splits, waiting }: FittedItems & { waiting: ReadonlySet<LateCharge> },
): ComposedInvoice {
  const { own, fees, credited } = lines;
  const at_zero = new Set(credited.map(({ line }) => line));
  const nothing = toAmount(ZERO, input.currency);
  const late = lines.late.map((composed) => {
    if (!at_zero.has(composed)) return composed;
    const amount_before = composed.line.amount_before && nothing;
    return { ...composed, line: { ...composed.line, amount: nothing, amount_before } };
  });
  const unsettled = credited.filter(isUnsettled).map(({ line }) => line.charge);
  const made = [...own, ...late];
  const before_items = [...own.map(({ line }) => line), ...fees];
  const late_lines = late.map(({ line }) => line);
  const shares = credited.flatMap((line) => line.shares ?? []);
  const periods = sumsAfter(
    input.periods,
    shares.flatMap((share) => [share, ...share.discounts]),
  );
  const of_periods = periodLinesBeside([...before_items, ...late_lines], { ...input, periods });
  const line_items = [...before_items, ...of_periods.lines, ...items, ...late_lines];
  return {
    line_items,
    credit: made.flatMap(({ credit }) => credit),
    draws: made.flatMap(({ draws }) => draws),
    returns: made.flatMap(({ returns }) => returns),
    waiting: [...new Set([...waiting, ...unsettled].map(({ period }) => period.full_period.period_start))],
    corrections: credited.map(({ correction }) => correction),
    shares,
    excess_minimums: of_periods.excess.map(({ full_period: { period_start: full_period_start }, amount }) => {
      const line_key = periodLineKey({ discount_id: null, full_period_start });
      return { line_key, full_period_start, amount };
    }),
    splits,
    ...totals(sum(line_items.map(({ amount }) => decimal(amount))), input),
    credits_applied: canonical(sum(line_items.map((line) => decimal(line.credits_applied)))),
  };
}

function totals(subtotal: Decimal, { currency, tax: { treatment, note, ...terms } }: InvoiceInput) {
  const rate = decimal(terms.rate);
  const tax = taxOf(subtotal, terms.rate, currency);
  return {
    subtotal: toAmount(subtotal, currency),
    tax: { rate: canonical(rate), amount: tax, treatment, note },
    total: toAmount(subtotal.plus(tax), currency),
  };
}
