import { creditShares, notesOf, type AutomaticNote, type Bills, type Correction } from './automatic-note.ts';
import type { TitledCharge } from '../lines/charge-title.ts';
import type { Charge } from '../pricing/charge.ts';
import { type Decimal, ZERO, decimal, max, sum } from '../money/decimal.ts';
import { amountBeforeOf, type BilledBefore } from '../lines/amount-before.ts';
import { periodInWords, spanInWords } from '../lines/description.ts';
import { flatLine } from '../lines/flat-line.ts';
import { stretchesOf, worthUpTo, type Worth } from '../lines/stretches.ts';
import type { ArrearsLine } from './flat-arrears.ts';
import { groupedBy } from '../money/grouped.ts';
import type { ComposedLine } from '../lines/line-item.ts';
import { toAmount } from '../money/money.ts';
import { isOfQuantity } from '../pricing/charge.ts';
import { latest } from '../time/period.ts';
import type { UnusedTime } from '../subscription/change-terms.ts';
import type { PlanSchedule } from '../subscription/plan-phase.ts';
import { hasCome, quantityBefore, type QuantityChange } from '../subscription/quantity.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { discountsOn, percentsOf, type Discounting } from '../pricing/discount.ts';
import type { FullPeriod } from '../lines/scope.ts';
import { ALL, lineKey, type RatedCharge } from '../pricing/series.ts';

/** A line of a fee in advance on another invoice that is not void. */
export type FeeLine = BilledBefore & {
  id: string;
  charge_id: string;
  plan_id: string;
  full_period_start: string;
  period_end: string;
  is_on_draft: boolean;
};

/** Fees in advance of one full period (billing.md 10). */
export type FeePeriod = {
  /**
   * The time that the fees bill, up to the end that is known, with the plan that bills it; null where no period begins
   * at the start of the lines, or where the fees of the plan before run on.
   */
  full_period: FullPeriod | null;
  full_period_start: string;
  lines: readonly FeeLine[];
  /** The lines of its flat amounts in arrears. */
  arrears: readonly ArrearsLine[];
  /** The state of the invoice that closes the period before, and of an opening; `void` if all of them are. */
  home: HomeState;
  opening: HomeState;
  /** The use of its unused time at its end. */
  settle: UnusedTime;
  /**
   * The use of the fees of a plan that was exchanged at its start, by the plan's id; of other plans, `settle_left_out`.
   */
  exchanges: Readonly<Record<string, UnusedTime>>;
  settle_left_out: UnusedTime;
  discounting: Discounting;
  /** The changes of quantity of the subscription, in the order of time. */
  quantities: readonly QuantityChange[];
};

/**
 * The fees in advance that an invoice may bill: of the full period that begins with its end, and of the one whose fees
 * end there.
 */
export type FeesOfClose = { coming: FeePeriod | null; ending: FeePeriod | null };

export type HomeState = 'none' | 'draft' | 'issued' | 'void';

export function isInAdvance({ pricing }: Pick<Charge, 'pricing'>): boolean {
  return 'billed' in pricing && pricing.billed === 'in_advance';
}

/** A subscription as far as its ends decide about unused time. */
type Ends = Pick<PlanSchedule, 'phases'> &
  Pick<Subscription, 'cancel_at' | 'cancel_settle' | 'settle_left_out'>;

/** The use of unused time of a period that ends at an instant, by what ends it. */
export function settleAt({ phases, cancel_at, cancel_settle }: Ends, instant: string): UnusedTime {
  if (cancel_at === instant) return cancel_settle;
  return phases.find(({ from }) => from === instant)?.settle ?? 'balance';
}

/**
 * The use of unused time of plans that were exchanged at an instant, and of one that the end of the subscription, there
 * or before it, left out.
 */
export function exchangesAt(
  { phases, cancel_at, settle_left_out }: Ends,
  instant: string,
): Pick<FeePeriod, 'exchanges' | 'settle_left_out'> {
  return {
    exchanges: phases.find(({ from }) => from === instant)?.exchanges ?? {},
    settle_left_out: cancel_at !== null && cancel_at <= instant ? settle_left_out : 'balance',
  };
}

type Terms = { currency: string; timezone: string };

/**
 * The lines of the fees of a full period on one invoice: what the time that runs is worth, less what other lines bill
 * (billing.md 10). The invoice that closes the period with which they end has only what its home or an opening is short
 * of.
 */
export function feeLines(
  charges: readonly TitledCharge[],
  fees: FeePeriod | null,
  { currency, timezone, is_closing }: Terms & { is_closing: boolean },
): ComposedLine[] {
  if (fees === null || fees.full_period === null) return [];
  const { full_period, home, opening } = fees;
  if (is_closing && (home === 'void' || opening === 'void')) return [];
  return charges.filter(isInAdvance).flatMap((charge) => {
    const lines = fees.lines.filter(({ charge_id }) => charge_id === charge.id);
    const discounts = discountsOn(fees.discounting, charge, full_period);
    const fee = { charge, quantities: quantitiesOf(fees) };
    const worth = worthOf(fees, { percents: percentsOf(discounts), currency });
    const stretches = stretchesOf(fee, full_period, worth);
    const billed = sum(lines.map(({ amount }) => decimal(amount)));
    const missing = sum(stretches.map(({ amount }) => decimal(amount))).minus(billed);
    if (missing.lte(ZERO) && (is_closing || lines.length > 0)) return [];
    const missing_before = worthUpTo(fee, full_period, { ...worth, percents: [] }).minus(
      sum(lines.map((line) => amountBeforeOf(line, currency))),
    );
    const { period_start: full_period_start } = full_period;
    const notBelow = (amount: Decimal) => toAmount(max(ZERO, amount), currency);
    const amount_before = discounts.length === 0 ? null : notBelow(missing_before);
    const billed_before = toAmount(billed, currency);
    const amounts = { amount: notBelow(missing), discounts, amount_before, stretches, billed_before };
    return [flatLine(charge, { period: full_period, full_period_start, ...amounts, currency, timezone })];
  });
}

/** The time that is worth something: up to the end that is known; with `none` of this end the full time is kept. */
function worthOf(
  { full_period, settle }: FeePeriod,
  terms: { percents: readonly string[]; currency: string },
): Worth {
  const { period_end, interval_end } = full_period!;
  return { ...terms, period_end: settle === 'none' ? latest(period_end, interval_end) : period_end };
}

/** The quantities up to the end of a full period, by which time that is kept beyond it is worth something too. */
function quantitiesOf({ full_period, quantities }: FeePeriod): QuantityChange[] {
  return quantities.filter(({ at }) => at === null || at < full_period!.period_end);
}

/** Money of fees that bill more than the time that ran, with the reason and the use that a note of it has. */
export type FeeCorrection = Correction & { reason: string; settle: 'balance' | 'outside' };

/**
 * The money that the fees of a full period bill too much, once its end has come, once a lower quantity has come, or
 * once its plan is exchanged (billing.md 10 and 14). `charges` are those of the plan that bills it.
 */
export function feeCorrections(
  charges: readonly RatedCharge[],
  fees: FeePeriod,
  { now, currency, timezone }: Terms & { now: string },
): FeeCorrection[] {
  const { full_period, full_period_start, lines } = fees;
  const issued = lines.filter(({ is_on_draft }) => !is_on_draft);
  return [...groupedBy(issued, ({ charge_id }) => charge_id)].flatMap(
    ([charge_id, of_charge]): FeeCorrection[] => {
      const charge =
        full_period && charges.find((candidate) => candidate.id === charge_id && isInAdvance(candidate));
      const exchanged = fees.exchanges[of_charge[0]!.plan_id] ?? fees.settle_left_out;
      const settle = charge ? fees.settle : exchanged;
      const ends = charge ? full_period!.period_end : full_period_start;
      if (charge && ends > now)
        return loweredQuantity(charge, { ...fees, lines: of_charge }, { now, currency, timezone });
      if (settle === 'none' || ends > now) return [];
      const discounts = charge ? discountsOn(fees.discounting, charge, full_period!) : [];
      const worth = charge
        ? worthUpTo(
            { charge, quantities: quantitiesOf(fees) },
            full_period!,
            worthOf(fees, { percents: percentsOf(discounts), currency }),
          )
        : ZERO;
      const amount = sum(of_charge.map((line) => decimal(line.amount))).minus(worth);
      if (amount.lte(ZERO)) return [];
      const period_end = of_charge.map((line) => line.period_end).reduce(latest);
      const reason =
        ends < period_end
          ? `Unused time ${spanInWords({ period_start: ends, period_end }, timezone)}`
          : quantityCorrected(full_period!, timezone);
      const line_key = lineKey({ charge_id, series: ALL, full_period_start });
      return [{ line_key, full_period_start, amount, reason, settle }];
    },
  );
}

/**
 * The money that a fee with a quantity bills too much while it runs: beyond the worth by all that is known, and beyond
 * that by the quantities that have come (billing.md 14). `fees` has the issued lines of the charge.
 */
function loweredQuantity(
  charge: RatedCharge,
  fees: FeePeriod,
  { now, currency, timezone }: Terms & { now: string },
): FeeCorrection[] {
  if (!isOfQuantity(charge)) return [];
  const { full_period_start, lines } = fees;
  const full_period = fees.full_period!;
  const { period_end, interval_end } = full_period;
  const terms = { percents: percentsOf(discountsOn(fees.discounting, charge, full_period)), currency };
  // What is settled has come, also after the instant of a request in the past.
  const has_come = (change: QuantityChange) => change.is_settled || hasCome(change, now);
  const come = { charge, quantities: fees.quantities.filter(has_come) };
  const known = { charge, quantities: quantitiesOf(fees) };
  const up_to_boundary = { ...terms, period_end: latest(period_end, interval_end) };
  const worth = max(
    worthUpTo(known, full_period, worthOf(fees, terms)),
    worthUpTo(come, full_period, up_to_boundary),
  );
  const amount = sum(lines.map((line) => decimal(line.amount))).minus(worth);
  if (amount.lte(ZERO)) return [];
  const lower = come.quantities.findLast(
    (change) => change.event_name === charge.event_name && change.at === now && credits(change, fees),
  );
  const ends = lines.map((line) => line.period_end).reduce(latest);
  const reason =
    lower === undefined
      ? quantityCorrected(full_period, timezone)
      : `Lower quantity ${spanInWords({ period_start: now, period_end: ends }, timezone)}`;
  const settle = lower === undefined || lower.settle === 'none' ? 'balance' : lower.settle;
  const line_key = lineKey({ charge_id: charge.id, series: ALL, full_period_start });
  return [{ line_key, full_period_start, amount, reason, settle }];
}

/**
 * Whether a change of quantity that is not settled is lower and credits something itself. At the start of a full period
 * `none` keeps nothing; later what is too much is of a higher one in whose place it came.
 */
function credits(
  { event_name, at, quantity, settle, is_settled }: QuantityChange,
  { quantities, full_period }: FeePeriod,
): boolean {
  const is_lower = decimal(quantity).lt(quantityBefore(quantities, event_name, at!));
  return !is_settled && is_lower && (settle !== 'none' || at === full_period!.period_start);
}

function quantityCorrected(full_period: FullPeriod, timezone: string): string {
  return `Quantity ${periodInWords(full_period, timezone)} corrected`;
}

/**
 * The notes of corrections of flat amounts (billing.md 10): the oldest full period first, of its invoices the one that
 * was issued last first; one for each invoice, and for each use of what was paid.
 */
export function notesOfFees(corrections: readonly FeeCorrection[], bills: Bills): AutomaticNote[] {
  const { invoices } = bills;
  const places = new Map(invoices.map(({ id }, place) => [id, place]));
  const shares = creditShares(corrections, bills).flatMap((of_correction, at) =>
    of_correction.map((share) => ({ share, correction: corrections[at]! })),
  );
  const inOrder = shares.toSorted(
    ({ share: a }, { share: b }) =>
      Date.parse(a.full_period_start) - Date.parse(b.full_period_start) ||
      places.get(b.invoice_id)! - places.get(a.invoice_id)!,
  );
  const groups = groupedBy(inOrder, ({ share, correction: { reason, settle } }) =>
    JSON.stringify([share.full_period_start, share.invoice_id, reason, settle]),
  );
  return notesOf(
    [...groups.values()].map((of_group) => {
      const { reason, settle } = of_group[0]!.correction;
      return { shares: of_group.map(({ share }) => share), reason, settle, is_of_issue: false };
    }),
    invoices,
  );
}
