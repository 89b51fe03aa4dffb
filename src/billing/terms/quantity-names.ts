import { chargesOf } from '../../db/subscriptions/charges.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { putQuantities } from '../../db/subscriptions/quantities.ts';
import type { Db } from '../../db/connection/pool.ts';
import { BillingError } from '../../domain/money/errors.ts';
import { quantityNames, type Quantities } from '../../domain/subscription/quantity.ts';

/** Throws invalid_request `not_allowed` for quantities of names for which a plan has no charge (contract.md 3). */
export async function refuseNames(
  db: Db,
  environment_id: number,
  { quantities, plan_id }: { quantities: Quantities; plan_id: string },
): Promise<void> {
  const sent = Object.keys(quantities);
  if (sent.length === 0) return;
  const names = new Set(quantityNames(await chargesOf(db, environment_id, plan_id)));
  const faults = sent
    .filter((name) => !names.has(name))
    .map((name) => {
      const param = `quantities.${name}`;
      const message = `${param}: the plan ${plan_id} has no charge with a quantity of this name`;
      return { param, reason: 'not_allowed' as const, message };
    });
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
}

/** Stores the quantities with which a subscription begins. */
export async function putFirstQuantities(
  db: Db,
  key: SubscriptionKey,
  { quantities, now }: { quantities: Quantities; now: string },
): Promise<void> {
  const terms = { settle: 'balance', bill: 'with_next', with_change: false } as const;
  if (Object.keys(quantities).length > 0)
    await putQuantities(db, key, { ...terms, at: null, quantities, came_at: now });
}
