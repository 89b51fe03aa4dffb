import { lookAtDue } from '../src/billing/close/threshold.ts';
import type { SubscriptionKey } from '../src/db/subscriptions/live-subscriptions.ts';
import { dueLooks, restFromLooks } from '../src/db/subscriptions/threshold-looks.ts';
import { transaction, type Pool } from '../src/db/connection/pool.ts';
import { groupedBy } from '../src/domain/money/grouped.ts';
import type { BillingSettings } from '../src/domain/subscription/subscription.ts';
import type { Temporal } from '../src/temporal/temporal.ts';

/** Limit of a group of closes too (decision 42). */
const GROUP_MAX = 50;
/** Longest time of a round, so that the rollup does not wait for long: it asks for looks. */
const ROUND_MS = 1000;
/** Rest of a subscription whose look fails alone. */
const FAILED_REST_MS = 60_000;

type Services = {
  pool: Pool;
  temporal: Pick<Temporal, 'nudge'>;
  settings: BillingSettings;
  report: (fault: string, cause: object) => void;
};

/**
 * Bills open parts whose usage has come to `bill_at`, as far as looks are due and a round has time. Without any it is
 * one statement. Several workers may run it at the same time. Returns true if looks may be left.
 */
export async function billThresholds(services: Services, signal: AbortSignal): Promise<boolean> {
  const began_at = performance.now();
  while (!signal.aborted && performance.now() - began_at < ROUND_MS) {
    const due = await dueLooks(services.pool, GROUP_MAX);
    let taken = 0;
    for (const looks of groupedBy(due, ({ environment_id }) => `${environment_id}`).values())
      taken += await lookAtGroup(services, looks);
    // The rest is locked elsewhere.
    if (taken === 0) return false;
  }
  return true;
}

/**
 * Looks at a group in one transaction, or, if that fails, at each member alone. Returns how many looks it has taken.
 */
async function lookAtGroup(services: Services, looks: readonly SubscriptionKey[]): Promise<number> {
  const { pool, temporal, settings, report } = services;
  const [first] = looks as [SubscriptionKey];
  const { environment_id } = first;
  const ids = looks.map(({ subscription_id }) => subscription_id);
  try {
    const looked = await transaction(pool, (db) => lookAtDue(db, environment_id, ids, settings));
    const cut = looked.cut.map(({ subscription_id }) => ({ environment_id, subscription_id }));
    if (cut.length > 0) void temporal.nudge(cut, 'wake');
    return looked.taken;
  } catch (error) {
    if (looks.length > 1) {
      let taken = 0;
      for (const look of looks) taken += await lookAtGroup(services, [look]);
      return taken;
    }
    report('a part cannot be compared with bill_at', { error, ...first });
    await restFromLooks(pool, first, FAILED_REST_MS);
    return 1;
  }
}
