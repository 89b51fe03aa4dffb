import { decidedDiscounts } from '../../db/invoicing/decided-discounts.ts';
import type { Db } from '../../db/connection/pool.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { NO_DISCOUNTS, type Discounting } from '../../domain/pricing/discount.ts';
import { chargePeriodKey } from '../../domain/pricing/series.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';

/** A subscription, and the starts of the full periods that are billed or credited. */
type Asked = { subscription: Pick<Subscription, 'id' | 'discounts'>; full_period_starts: readonly string[] };

/**
 * The discounts of subscriptions, with what the issued lines of full periods have decided of them, by subscription. For
 * customers without discounts it reads nothing, because their lines have no discounts either.
 */
export async function loadDiscounting(
  db: Db,
  environment_id: number,
  asked: readonly Asked[],
): Promise<Map<string, Discounting>> {
  const discounted = asked.filter(({ subscription }) => subscription.discounts.length > 0);
  const keys = discounted.flatMap(({ subscription, full_period_starts }) =>
    [...new Set(full_period_starts)].map((full_period_start) => ({
      subscription_id: subscription.id,
      full_period_start,
    })),
  );
  const decided = groupedBy(
    await decidedDiscounts(db, environment_id, keys),
    ({ subscription_id }) => subscription_id,
  );
  return new Map(
    asked.map(({ subscription: { id, discounts } }) => {
      const of_subscription = (decided.get(id) ?? []).map(
        (of_charge) => [chargePeriodKey(of_charge), of_charge.discount_ids] as const,
      );
      return [id, discounts.length === 0 ? NO_DISCOUNTS : { discounts, decided: new Map(of_subscription) }];
    }),
  );
}
