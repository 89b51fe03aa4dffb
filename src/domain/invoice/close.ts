import type { CloseContext } from './close-context.ts';
import { creditedBy, creditedLines, notesOf, type AutomaticNote } from './automatic-note.ts';
import { notesOfMinimums } from './minimum-note.ts';
import { sumsAfter } from './period-lines.ts';
import { closingOf, lateWindowsToClose, mergeChanges, type PeriodChange } from './period-change.ts';
import { countedOf, type Counting } from '../usage/counting.ts';
import { storedCount, usageOf, type Counted } from '../usage/counted.ts';
import { asBilled, type FullPeriod, type LineGroup } from '../lines/scope.ts';
import { decimal, min, sum } from '../money/decimal.ts';
import { periodInWords } from '../lines/description.ts';
import { dueDateOf, type DueDate } from '../time/due-date.ts';
import { BillingError, impossible } from '../money/errors.ts';
import { isZero } from '../money/figures.ts';
import { feeCorrections, isInAdvance, notesOfFees, type FeeCorrection } from './fee.ts';
import type { StoredPeriod } from '../subscription/following-period.ts';
import { groupedBy } from '../money/grouped.ts';
import type { InvoiceKind } from '../lines/invoice-state.ts';
import { composeInvoice, type ComposedInvoice, type InvoiceInput } from './invoice.ts';
import { itemLine } from '../lines/invoice-item.ts';
import type { PeriodUsage } from '../lines/line-item.ts';
import { keyOfLine } from '../lines/line-key.ts';
import { toAmount } from '../money/money.ts';
import {
  ALL,
  chargePeriodKey,
  isDivided,
  lineKey,
  ratedCharge,
  type RatedCharge,
  seriesKey,
  usageKey,
} from '../pricing/series.ts';
import { compareSeries } from '../pricing/series-order.ts';
import type { Span } from '../time/span.ts';
import { holdUntil, type BillingSettings, type Subscription } from '../subscription/subscription.ts';
import type { Charge } from '../pricing/charge.ts';

/** The spans of a line, by its `keyOfLine`. */
export type SpansOfLine = { line_key: string; spans: readonly Span[] };

/** The draft of a close, and what it says. */
export type DecidedDraft = {
  kind: InvoiceKind;
  /** Null for any other kind than `opening`. */
  opening_number: number | null;
  period: StoredPeriod;
  /** Null holds a new draft until it is finalized. */
  hold_until: string | null;
  usage_revision: number;
  credit_revision: number;
  is_stale: boolean;
  composed: ComposedInvoice;
  /** Null if the spans of the draft stay. */
  spans: readonly SpansOfLine[] | null;
  /** The groups that have lines of their own from now on. */
  groups: readonly LineGroup[];
};

/** The facts that an issue adds to a draft besides its number. */
export type Issue = DueDate & {
  issued_at: string;
  status: 'open' | 'paid';
  /** Amount that the customer's balance covers. */
  balance: string;
};

/**
 * All that one close writes. `draft` is null if it makes no invoice, and `issue` while the draft is held; only an issue
 * makes `notes`.
 */
export type DecidedClose = {
  periods: readonly PeriodChange[];
  draft: DecidedDraft | null;
  /**
   * Starts of full periods of which earlier invoices bill too much: without the facts of these invoices no note is
   * decided.
   */
  corrected: readonly string[];
  notes: readonly AutomaticNote[];
  issue: Issue | null;
};

/**
 * Decides what a close writes: a pure function of its context (billing.md 6). An invoice without lines is made, but for
 * the last one of a canceled subscription. Throws a BillingError if a price or the usage of a line is missing.
 */
export function decideClose(context: CloseContext, settings: BillingSettings): DecidedClose {
  const { work, period, subscription } = context;
  const closing = work.closes ? [closingOf(subscription, period, settings)] : [];
  const { counted, added } = countAll(context);
  // Where only a draft is made, the period that opens with the close makes them.
  const has_notes = work.issues || work.closes;
  const unused = has_notes ? feeNotes(context) : { corrections: [], notes: [] };
  const credited = afterNotes(context, unused.notes);
  const composed = priceInvoice(credited, counted);
  const corrected = [...unused.corrections, ...composed.corrections, ...composed.excess_minimums].map(
    (correction) => correction.full_period_start,
  );
  if (composed.line_items.length === 0 && !work.may_be_empty) return { ...NOTHING, periods: closing };
  const draft: DecidedDraft = {
    kind: period.kind === 'late' ? 'late' : 'period',
    opening_number: null,
    period,
    hold_until: holdUntil(subscription, period, settings),
    usage_revision: work.usage_revision,
    credit_revision: work.credit_revision,
    is_stale:
      !work.issues &&
      (leavesUsageOut(counted, composed) || (!work.counts && context.invoice?.is_stale === true)),
    composed,
    spans: work.counts ? spansOfLines(counted, composed) : null,
    groups: added,
  };
  if (!work.issues) return { ...NOTHING, periods: closing, draft, corrected };
  const windows = lateWindowsToClose(context, counted, composed.waiting);
  const notes = [
    ...unused.notes,
    ...correctionNotes(credited, composed),
    ...minimumNotes(credited, composed),
  ];
  const issue = issueOf(subscription, composed, notes);
  return { periods: mergeChanges(closing, windows), draft, corrected, notes, issue };
}

const NOTHING = { draft: null, corrected: [], notes: [], issue: null };

/** A close beside notes that stand: what their lines have left, and what full periods are billed. */
function afterNotes(context: CloseContext, notes: readonly AutomaticNote[]): CloseContext {
  const { billed, periods } = context;
  if (billed === null || notes.length === 0) return context;
  return {
    ...context,
    billed: creditedBy(billed, notes),
    periods: sumsAfter(periods, creditedLines(notes, billed)),
  };
}

/** The notes on fees in advance of time that was not used (billing.md 10). */
function feeNotes({ fees, plans, billed, periods, subscription }: CloseContext): {
  corrections: FeeCorrection[];
  notes: AutomaticNote[];
} {
  const corrections = [fees.ending, fees.coming].flatMap((fee_period) => {
    if (fee_period === null) return [];
    const charges = plans.get(fee_period.full_period?.plan_id ?? '') ?? [];
    const rated = charges.filter(isInAdvance).map((charge) => ratedCharge(charge, ALL));
    return feeCorrections(rated, fee_period, subscription);
  });
  const bills = { invoices: billed ?? [], periods, currency: subscription.currency };
  return { corrections, notes: notesOfFees(corrections, bills) };
}

/** The notes on the invoices that billed too much usage (billing.md 5), oldest period first. */
function correctionNotes(
  { late, billed, subscription: { timezone } }: CloseContext,
  { shares }: ComposedInvoice,
): AutomaticNote[] {
  const groups = late.map((period) => ({
    shares: shares.filter(({ full_period_start }) => full_period_start === period.period_start),
    reason: `Usage ${periodInWords(asBilled(period), timezone)} corrected`,
    settle: 'balance' as const,
    is_of_issue: true,
  }));
  return notesOf(groups, billed ?? []);
}

/** The notes on minimums that are too much, as far as the invoice has no room for them (billing.md 13). */
function minimumNotes(
  { periods, billed, subscription }: CloseContext,
  { excess_minimums }: ComposedInvoice,
): AutomaticNote[] {
  if (billed === null) return [];
  return notesOfMinimums(excess_minimums, { invoices: billed, periods, ...subscription }, true);
}

function countAll(context: CloseContext): { counted: Counted[]; added: LineGroup[] } {
  if (!context.work.counts) return { counted: storedCount(context), added: [] };
  const charges = context.countings.map((counting) =>
    countedOf(counting, context.usage.get(keyOfCounting(counting))),
  );
  return { counted: charges.flatMap(({ counted }) => counted), added: charges.flatMap(({ added }) => added) };
}

function keyOfCounting({ charge, full_period }: Pick<Counting, 'charge' | 'full_period'>): string {
  return chargePeriodKey({ charge_id: charge.id, full_period_start: full_period.period_start });
}

/**
 * Composes the invoice. A pricing failure is permanent, since pricing is a pure function: report it as impossible, so
 * that a person looks at it, and do not retry.
 */
function priceInvoice(context: CloseContext, counted: readonly Counted[]): ComposedInvoice {
  const { period_start, period_end } = context.period;
  try {
    return composeInvoice(inputOf(context, counted));
  } catch (error) {
    if (error instanceof BillingError || !(error instanceof Error)) throw error;
    throw impossible(`The invoice of ${period_start} to ${period_end} cannot be priced: ${error.message}`);
  }
}

function inputOf(context: CloseContext, counted: readonly Counted[]): InvoiceInput {
  const { subscription, period, own, late, plans, credit, discounting, quantities, items } = context;
  const { billed, fees, periods } = context;
  const { currency, timezone, tax } = subscription;
  const by_period = groupedBy(counted, ({ full_period_start }) => full_period_start);
  const by_charge = groupedBy(counted, ({ charge_id }) => charge_id);
  const usageIn = (full_period: FullPeriod): PeriodUsage => {
    const parts = by_period.get(full_period.period_start) ?? [];
    const usage = parts.map((part) => {
      const used = usageOf({ ...part, full_period }, credit, context.usage.get(chargePeriodKey(part)));
      return [usageKey(part.charge_id, part.series), used] as const;
    });
    return { full_period, usage: new Map(usage), discounting, quantities, currency, timezone };
  };
  const ratedCharges = (charges: readonly Charge[]) =>
    charges.flatMap((charge) => seriesOfCharge(charge, by_charge.get(charge.id) ?? []));
  return {
    plans: new Map([...plans].map(([plan_id, charges]) => [plan_id, ratedCharges(charges)])),
    own: period.kind === 'late' ? null : { ...usageIn(own), period: { ...period, kind: 'billing' } },
    late: late.map((period) => ({ ...usageIn(period), period: asBilled(period) })),
    items: items.map((item) => itemLine(item, period)),
    grants: credit.grants,
    fees,
    periods: periods.map((terms) => ({ ...terms, named: namedBy(context, terms.full_period) })),
    billed,
    currency,
    timezone,
    tax,
  };
}

/** The period that period lines name: of a full period that was billed before, as its late lines. */
function namedBy(context: CloseContext, full_period: FullPeriod): FullPeriod {
  const late = context.late.find(({ period_start }) => period_start === full_period.period_start);
  return late === undefined ? full_period : asBilled(late);
}

/**
 * The charge with the pricing of each series that has a line in any of the periods; `counted` is what was counted of
 * the charge.
 */
function seriesOfCharge(charge: Charge, counted: readonly Counted[]): RatedCharge[] {
  if (!isDivided(charge)) return [ratedCharge(charge, ALL)];
  const rated = new Map(counted.map((part) => [seriesKey(part.series), part.charge]));
  return [...rated.values()].sort((a, b) => compareSeries(charge.group_by, a.series, b.series));
}

/**
 * True if the draft leaves late usage out, because the late line waits or its amount is zero. A draft decides nothing
 * (billing.md 5), so such a draft is counted again when it is issued. A waiting line may hold no usage at all, only
 * money that the customer is owed.
 */
function leavesUsageOut(counted: readonly Counted[], { line_items, waiting }: ComposedInvoice): boolean {
  if (waiting.length > 0) return true;
  const made = new Set(line_items.map(keyOfLine));
  return counted.some((part) => !part.is_empty && !made.has(lineKey(part)));
}

/** The spans of the lines that are made. A late line of quantity 0 and amount 0 is not, so its spans are not stored. */
function spansOfLines(counted: readonly Counted[], { line_items }: ComposedInvoice): SpansOfLine[] {
  const made = new Set(line_items.map(keyOfLine));
  return counted
    .map((part) => ({ line_key: lineKey(part), spans: part.spans }))
    .filter(({ line_key }) => made.has(line_key));
}

/** Takes from the balance, with what notes give to it, what it covers, and is paid at once if nothing is due then. */
export function issueOf(
  { now, timezone, net_days, balance, currency }: Subscription,
  { total }: ComposedInvoice,
  notes: readonly AutomaticNote[],
): Issue {
  const available = sum([balance, ...notes.map(({ to_balance }) => to_balance)].map(decimal));
  const covered = toAmount(min(available, decimal(total)), currency);
  const is_paid = decimal(total).eq(covered);
  return {
    ...dueDateOf(now, timezone, net_days),
    issued_at: now,
    status: is_paid ? 'paid' : 'open',
    balance: isZero(covered) ? '0' : covered,
  };
}
