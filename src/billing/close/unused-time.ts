import { billedInvoices } from '../../db/invoicing/creditable.ts';
import { flatPeriodsBeyond, flatPeriodsOn, readFees } from '../../db/invoicing/fee-lines.ts';
import { chargesOfPlans } from '../../db/subscriptions/charges.ts';
import { partsOfFullPeriods } from '../../db/subscriptions/periods.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { Charge } from '../../domain/pricing/charge.ts';
import { feeCorrections, notesOfFees, type FeePeriod } from '../../domain/invoice/fee.ts';
import { arrearsCorrections } from '../../domain/invoice/flat-arrears.ts';
import { fullPeriodFrom, isMeteredCharge, leftOutAt, type FullPeriod } from '../../domain/lines/scope.ts';
import type { AutomaticNote } from '../../domain/invoice/automatic-note.ts';
import { minimumCorrections, notesOfMinimums } from '../../domain/invoice/minimum-note.ts';
import type { PeriodTerms } from '../../domain/invoice/period-lines.ts';
import { withOwnEnd } from '../../domain/lines/fee-time.ts';
import { ZERO } from '../../domain/money/decimal.ts';
import { ALL, ratedCharge } from '../../domain/pricing/series.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { loadDiscounting } from './discounting.ts';
import { feePeriod } from './fees.ts';
import { loadPeriodTerms } from './period-terms.ts';
import { issueNote } from '../notes/issue-note.ts';

type OfPlan = { full_period: FullPeriod | null };

/** The fees in advance of full periods, these as they were given, and the charges of the plan that bills each. */
export type Fees = {
  fees: FeePeriod[];
  full_periods: ReadonlyMap<string, FullPeriod | null>;
  chargesIn: (fees: OfPlan) => readonly Charge[];
};

/** Reads the fees in advance of full periods by their starts; a period is null where none begins there. */
export async function readFeesOf(
  db: Db,
  subscription: Subscription,
  full_periods: ReadonlyMap<string, FullPeriod | null>,
): Promise<Fees> {
  const { environment_id, id: subscription_id } = subscription;
  const starts = [...full_periods.keys()];
  const keys = starts.map((full_period_start) => ({ subscription_id, full_period_start, invoice_id: null }));
  const fee_rows = await readFees(db, environment_id, keys);
  const asked = [{ subscription, full_period_starts: starts }];
  const discounting = (await loadDiscounting(db, environment_id, asked)).get(subscription_id)!;
  const fees = fee_rows.map((row) =>
    feePeriod(subscription, { ...row, discounting }, full_periods.get(row.full_period_start)!),
  );
  const plan_ids = [...full_periods.values()].flatMap((period) => (period === null ? [] : [period.plan_id]));
  const charges = await chargesOfPlans(db, environment_id, [...new Set(plan_ids)]);
  return {
    fees,
    full_periods,
    chargesIn: ({ full_period }) => charges.get(full_period?.plan_id ?? '') ?? [],
  };
}

/**
 * Issues the automatic credit notes of what fees, and flat amounts in arrears, bill beyond the time that ran, as far as
 * their end has come and lines and invoices have something left (billing.md 10). The caller holds the locks of customer
 * and subscription.
 */
export async function creditUnusedTime(
  db: Db,
  subscription: Subscription,
  { fees, full_periods, chargesIn }: Fees,
): Promise<void> {
  const { environment_id, id: subscription_id } = subscription;
  const flatIn = (of_plan: OfPlan) =>
    chargesIn(of_plan).flatMap((charge) => (isMeteredCharge(charge) ? [] : [ratedCharge(charge, ALL)]));
  const corrections = fees.flatMap((fee_period) => {
    const of_parts = { ...fee_period, full_period: full_periods.get(fee_period.full_period_start)! };
    return [
      ...feeCorrections(flatIn(fee_period), fee_period, subscription),
      ...arrearsCorrections(flatIn(of_parts), of_parts, subscription),
    ];
  });
  if (corrections.length === 0) return;
  const keys = corrections.map(({ full_period_start }) => ({ subscription_id, full_period_start }));
  const invoices = (await billedInvoices(db, environment_id, keys)).get(subscription_id) ?? [];
  const periods = await periodTermsOf(db, subscription, full_periods);
  const notes = notesOfFees(corrections, { invoices, periods, currency: subscription.currency });
  await issueNotes(db, subscription, notes);
}

async function issueNotes(
  db: Db,
  subscription: Subscription,
  notes: readonly AutomaticNote[],
): Promise<void> {
  for (const { is_of_issue: _, ...note } of notes)
    await issueNote(db, subscription, { ...note, cause_invoice_id: null, by: null });
}

/** All that decides about the period lines of full periods, beside all their invoices. */
async function periodTermsOf(
  db: Db,
  subscription: Subscription,
  full_periods: Fees['full_periods'],
): Promise<PeriodTerms[]> {
  const candidates = [...full_periods].map(([start, fee_time]) => ({
    full_period: fee_time === null ? leftOutAt(start) : withOwnEnd(subscription, fee_time),
    is_closing: false,
    follows: false,
  }));
  const asked = [{ subscription, invoice_id: null, candidates }];
  return (await loadPeriodTerms(db, subscription.environment_id, asked)).get(subscription.id)!;
}

/**
 * Credits what the minimums of full periods that an end has cut or left out come to too much (billing.md 13). The
 * caller holds the locks of customer and subscription.
 */
async function creditMinimums(
  db: Db,
  subscription: Subscription,
  full_periods: Fees['full_periods'],
): Promise<void> {
  const periods = await periodTermsOf(db, subscription, full_periods);
  const { environment_id, id: subscription_id, currency, timezone } = subscription;
  const keys = periods
    .filter(({ billed }) => billed.minimum.gt(ZERO))
    .map(({ full_period }) => ({ subscription_id, full_period_start: full_period.period_start }));
  if (keys.length === 0) return;
  const invoices = (await billedInvoices(db, environment_id, keys)).get(subscription_id) ?? [];
  const corrections = minimumCorrections(periods, { invoices, currency });
  const notes = notesOfMinimums(corrections, { invoices, periods, currency, timezone }, false);
  await issueNotes(db, subscription, notes);
}

/**
 * Credits the unused time that invoices had too little left for, once notes on them are void (billing.md 10). The
 * caller holds the locks of customer and subscription.
 */
export async function creditOwedTime(
  db: Db,
  subscription: Subscription,
  invoice_ids: readonly string[],
): Promise<void> {
  if (invoice_ids.length === 0) return;
  await creditTimeOf(db, subscription, await flatPeriodsOn(db, subscription.environment_id, invoice_ids));
}

/**
 * Credits the unused time, and then the minimums, of all full periods that were billed beyond an end in a period that
 * is billed (billing.md 1 and 13), in the same way.
 */
export async function creditTimeAfter(db: Db, subscription: Subscription, end: string): Promise<void> {
  const { environment_id, id: subscription_id } = subscription;
  const starts = await flatPeriodsBeyond(db, environment_id, { subscription_id, end });
  if (starts.length === 0) return;
  await creditTimeOf(db, subscription, starts);
  await creditMinimums(db, subscription, await fullPeriodsAt(db, subscription, starts));
}

async function creditTimeOf(db: Db, subscription: Subscription, starts: readonly string[]): Promise<void> {
  if (starts.length === 0) return;
  const full_periods = await fullPeriodsAt(db, subscription, starts);
  await creditUnusedTime(db, subscription, await readFeesOf(db, subscription, full_periods));
}

/** The full periods of a subscription by their starts; null where none begins there any more. */
async function fullPeriodsAt(
  db: Db,
  { environment_id, id: subscription_id, cancel_at }: Subscription,
  starts: readonly string[],
): Promise<Fees['full_periods']> {
  const rows = await partsOfFullPeriods(db, { environment_id, subscription_id }, starts);
  return new Map(starts.map((start) => [start, fullPeriodFrom(start, rows, cancel_at)]));
}
