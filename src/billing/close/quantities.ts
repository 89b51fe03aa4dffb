import { quantitiesSince } from '../../db/subscriptions/quantities.ts';
import type { Db } from '../../db/connection/pool.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import type { QuantityChange } from '../../domain/subscription/quantity.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { earliest } from '../../domain/time/period.ts';

/** A subscription, and the starts of the full periods that are billed or credited. */
type Asked = {
  subscription: Pick<Subscription, 'id' | 'has_quantities'>;
  full_period_starts: readonly string[];
};

/**
 * The changes of quantity that decide about full periods, by subscription, in the order of time (billing.md 14). For
 * subscriptions without any it reads nothing.
 */
export async function loadQuantities(
  db: Db,
  environment_id: number,
  asked: readonly Asked[],
): Promise<Map<string, readonly QuantityChange[]>> {
  const keys = asked.flatMap(({ subscription: { id, has_quantities }, full_period_starts }) =>
    has_quantities && full_period_starts.length > 0
      ? [{ subscription_id: id, from: full_period_starts.reduce(earliest) }]
      : [],
  );
  const changes = groupedBy(
    await quantitiesSince(db, environment_id, keys),
    ({ subscription_id }) => subscription_id,
  );
  return new Map(
    asked.map(({ subscription: { id } }) => [
      id,
      (changes.get(id) ?? []).map(({ subscription_id: _, ...change }) => change),
    ]),
  );
}
