import { readFees, type AskedFees, type FoundFees } from '../../db/invoicing/fee-lines.ts';
import type { Db } from '../../db/connection/pool.ts';
import { exchangesAt, settleAt, type FeePeriod, type FeesOfClose } from '../../domain/fee.ts';
import { closingOf } from '../../domain/period-change.ts';
import { comingPeriod, type FullPeriod, type PeriodRow, type Scope } from '../../domain/scope.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription.ts';
import type { Member } from './load.ts';

type Closing = Member & Pick<Scope, 'own' | 'invoice_id'> & { period: NonNullable<Member['period']> };

/** The full period whose fees an invoice bills as it closes the one before; null for a subscription without plans with fees in advance. */
export function comingOf(
  { subscription, period, work }: Closing,
  rows: readonly PeriodRow[],
  settings: BillingSettings,
): FullPeriod | null {
  if (!mayHaveFees(subscription)) return null;
  const following = work!.closes ? closingOf(subscription, period, settings).following : null;
  return comingPeriod(period, rows, { following, cancel_at: subscription.cancel_at });
}

/** Reads the fees in advance that closes may bill or correct, by subscription. */
export async function loadFees(
  db: Db,
  environment_id: number,
  closings: readonly (Closing & { coming: FullPeriod | null })[],
): Promise<Map<string, FeesOfClose>> {
  const with_fees = closings.filter(({ subscription }) => mayHaveFees(subscription));
  const asked = with_fees.flatMap((closing): AskedFees[] => {
    const { invoice_id, subscription, own, period } = closing;
    const starts = [...(closesOwn(closing) ? [own.period_start] : []), period.period_end];
    return starts.map((full_period_start) => ({
      subscription_id: subscription.id,
      full_period_start,
      invoice_id,
    }));
  });
  const found = await readFees(db, environment_id, asked);
  return new Map(
    with_fees.map((closing) => {
      const { subscription, own, period, coming } = closing;
      const feesFrom = (start: string, full_period: FullPeriod | null) => {
        const fees = found.find(
          (one) => one.subscription_id === subscription.id && one.full_period_start === start,
        );
        return fees === undefined ? null : feePeriod(subscription, fees, full_period);
      };
      const of_close = {
        own: closesOwn(closing) ? feesFrom(own.period_start, own) : null,
        coming: feesFrom(period.period_end, coming),
      };
      return [subscription.id, of_close];
    }),
  );
}

/** The fees of a full period with what its ends decide. */
export function feePeriod(
  subscription: Subscription,
  { subscription_id: _, ...fees }: FoundFees,
  full_period: FullPeriod | null,
): FeePeriod {
  const { full_period_start } = fees;
  return {
    ...fees,
    full_period,
    settle: settleAt(subscription, full_period?.period_end ?? full_period_start),
    ...exchangesAt(subscription, full_period_start),
  };
}

/** Whether periods of some plan of the subscription begin with work: without, there are no fees in advance. */
export function mayHaveFees({ phases }: Pick<Subscription, 'phases'>): boolean {
  return phases.some(({ opens }) => opens);
}

/** An invoice that closes its whole full period bills what fees are short of there. */
function closesOwn({ period, own }: Closing): boolean {
  return period.kind === 'billing' && period.period_end === own.period_end;
}
