import { readFees, type AskedFees, type FoundFees } from '../../db/invoicing/fee-lines.ts';
import type { Db } from '../../db/connection/pool.ts';
import { exchangesAt, settleAt, type FeePeriod, type FeesOfClose } from '../../domain/invoice/fee.ts';
import type { Discounting } from '../../domain/pricing/discount.ts';
import { closingOf } from '../../domain/invoice/period-change.ts';
import { feesEndingWith, feeTimeOf } from '../../domain/lines/fee-time.ts';
import { comingPeriod, type FullPeriod, type PeriodRow, type Scope } from '../../domain/lines/scope.ts';
import type { QuantityChange } from '../../domain/subscription/quantity.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import type { Member } from './load.ts';

type Closing = Member & Pick<Scope, 'own' | 'invoice_id'> & { period: NonNullable<Member['period']> };

/**
 * The full period whose fees an invoice bills as it closes the one before; null for a subscription without plans with
 * fees in advance.
 */
export function comingOf(
  { subscription, period, work }: Closing,
  rows: readonly PeriodRow[],
  settings: BillingSettings,
): FullPeriod | null {
  if (!mayHaveFees(subscription)) return null;
  const following = work!.closes ? closingOf(subscription, period, settings).following : null;
  return comingPeriod(period, rows, { following, cancel_at: subscription.cancel_at });
}

/** The full period whose fees in advance end with the period that an invoice closes; null where none do. */
export function endingOf({ subscription, period, own }: Closing): FullPeriod | null {
  // An invoice that closes its whole full period bills what fees are short of there.
  const closes_own = period.kind === 'billing' && period.period_end === own.period_end;
  return closes_own && mayHaveFees(subscription) ? feesEndingWith(subscription, own) : null;
}

/** Reads the fees in advance that closes may bill or correct, by subscription. */
export async function loadFees(
  db: Db,
  environment_id: number,
  closings: readonly (Closing & {
    coming: FullPeriod | null;
    ending: FullPeriod | null;
    discounting: Discounting;
    quantities: readonly QuantityChange[];
  })[],
): Promise<Map<string, FeesOfClose>> {
  const with_fees = closings.filter(({ subscription }) => mayHaveFees(subscription));
  const keys = with_fees.flatMap((closing): AskedFees[] => {
    const { invoice_id, subscription, ending, period } = closing;
    const starts = [...(ending === null ? [] : [ending.period_start]), period.period_end];
    return starts.map((full_period_start) => ({
      subscription_id: subscription.id,
      full_period_start,
      invoice_id,
    }));
  });
  const fee_rows = await readFees(db, environment_id, keys);
  return new Map(
    with_fees.map((closing) => {
      const { subscription, period, coming, ending, discounting, quantities } = closing;
      const feesFrom = (start: string, full_period: FullPeriod | null) => {
        const fees = fee_rows.find(
          (row) => row.subscription_id === subscription.id && row.full_period_start === start,
        );
        const terms = { discounting, quantities };
        return fees === undefined ? null : feePeriod(subscription, { ...fees, ...terms }, full_period);
      };
      const of_close = {
        ending: ending && feesFrom(ending.period_start, ending),
        coming: feesFrom(period.period_end, coming),
      };
      return [subscription.id, of_close];
    }),
  );
}

/** The fees of a full period with what its ends decide. */
export function feePeriod(
  subscription: Subscription,
  { subscription_id: _, ...fees }: FoundFees & Pick<FeePeriod, 'discounting' | 'quantities'>,
  full_period: FullPeriod | null,
): FeePeriod {
  const { full_period_start } = fees;
  const fee_time = full_period && feeTimeOf(subscription, full_period);
  return {
    ...fees,
    full_period: fee_time,
    settle: settleAt(subscription, fee_time?.period_end ?? full_period_start),
    ...exchangesAt(subscription, full_period_start),
  };
}

/** Whether periods of some plan of the subscription begin with work: without, there are no fees in advance. */
export function mayHaveFees({ phases }: Pick<Subscription, 'phases'>): boolean {
  return phases.some(({ opens }) => opens);
}
