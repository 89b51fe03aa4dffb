import { periodSums, type FoundSums } from '../../db/invoicing/period-sums.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { PeriodTerms } from '../../domain/invoice/period-lines.ts';
import { withOwnEnd } from '../../domain/lines/fee-time.ts';
import { isLeftOut, type FullPeriod, type Scope } from '../../domain/lines/scope.ts';
import { isOfAmount } from '../../domain/pricing/discount.ts';
import { minimumOf } from '../../domain/subscription/plan-phase.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';

/**
 * A full period of which an invoice may have period lines; `is_closing` if the invoice closes it, `follows` if it is
 * one of the full period right after it.
 */
type Candidate = { full_period: FullPeriod; is_closing: boolean; follows: boolean };

/** The full periods of an invoice of a subscription; `invoice_id` is null for one that is not stored. */
export type AskedTerms = {
  subscription: Subscription;
  invoice_id: string | null;
  candidates: readonly Candidate[];
};

type Closing = Pick<Scope, 'period' | 'own' | 'late'> & {
  subscription: Subscription;
  coming: FullPeriod | null;
  ending: FullPeriod | null;
};

/**
 * The full periods of which an invoice may have plan lines, the oldest first: its own, which it may close, those with
 * late usage, of which one may be the one before, and those of fees in advance.
 */
export function candidatesOf({ subscription, period, own, late, coming, ending }: Closing): Candidate[] {
  const begins = period.kind === 'late' ? period.period_start : own.period_start;
  const is_closing = period.period_end === own.period_end;
  const none = { is_closing: false, follows: false };
  const all = [
    ...(period.kind === 'billing' ? [{ full_period: own, is_closing, follows: false }] : []),
    ...late.map((full_period) => ({ ...none, full_period, follows: full_period.period_end === begins })),
    ...[coming, ending].flatMap((fee_time) =>
      fee_time === null ? [] : [{ ...none, full_period: withOwnEnd(subscription, fee_time) }],
    ),
  ];
  const first = new Map(all.toReversed().map((one) => [one.full_period.period_start, one]));
  return [...first.values()].sort((a, b) =>
    a.full_period.period_start < b.full_period.period_start ? -1 : 1,
  );
}

/**
 * Reads what decides about the period lines of invoices, by subscription (billing.md 13). For subscriptions without
 * discounts of an amount and without minimums it reads nothing.
 */
export async function loadPeriodTerms(
  db: Db,
  environment_id: number,
  asked: readonly AskedTerms[],
): Promise<Map<string, PeriodTerms[]>> {
  const needed = asked.flatMap(({ subscription, invoice_id, candidates }) =>
    candidates
      .filter(({ full_period }) => mayHavePeriodLines(subscription, full_period))
      .map((candidate) => ({ subscription, invoice_id, ...candidate })),
  );
  const found = await periodSums(
    db,
    environment_id,
    needed.map(({ subscription, invoice_id, full_period }) => ({
      subscription_id: subscription.id,
      full_period_start: full_period.period_start,
      full_period_end: full_period.period_end,
      invoice_id,
    })),
  );
  const termsOf = ({ id }: Subscription) =>
    needed.flatMap(({ subscription, ...candidate }) => {
      const { period_start } = candidate.full_period;
      const sums = found.find((row) => row.subscription_id === id && row.full_period_start === period_start);
      return subscription.id === id ? [termsOfPeriod(subscription, candidate, sums!)] : [];
    });
  return new Map(asked.map(({ subscription }) => [subscription.id, termsOf(subscription)]));
}

/** Whether there may be period lines: of a full period that is left out, also by a plan that is dropped. */
function mayHavePeriodLines(subscription: Subscription, full_period: FullPeriod): boolean {
  const { plan_id } = full_period;
  const has_terms = minimumOf(subscription, plan_id) !== null || subscription.discounts.some(isOfAmount);
  return has_terms || isLeftOut(full_period);
}

function termsOfPeriod(
  subscription: Subscription,
  { full_period, is_closing, follows }: Candidate,
  { sums, is_closed }: FoundSums,
): PeriodTerms {
  const is_over = is_closed || isLeftOut(full_period);
  const is_always = is_closing || (follows && is_over);
  const otherwise = is_over ? 'with_lines' : 'never';
  return {
    full_period,
    named: full_period,
    minimum_amount: minimumOf(subscription, full_period.plan_id),
    discounts: subscription.discounts.filter(isOfAmount),
    billed: sums,
    brings_minimum: is_always ? 'always' : otherwise,
  };
}
