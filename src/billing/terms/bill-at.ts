import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import { askForLook, setBillAt } from '../../db/subscriptions/threshold-looks.ts';
import type { Db } from '../../db/connection/pool.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { conflict } from '../../domain/money/errors.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';

/**
 * Sets the usage at which the open part of a subscription is billed before its end, or takes it away by null, in the
 * caller's transaction (billing.md 15). Returns false if the subscription does not exist. Throws invalid_request
 * `out_of_range` for more decimals than those of the currency, and conflict `invalid_state` once it has ended.
 */
export async function changeBillAt(db: Db, key: SubscriptionKey, bill_at: string | null): Promise<boolean> {
  const subscription = await lockCustomerAndSubscription(db, key.environment_id, key.subscription_id);
  if (subscription === null) return false;
  const { id, currency, cancel_at, now } = subscription;
  const amount = bill_at === null ? null : amountOf(bill_at, currency);
  if (cancel_at !== null && cancel_at <= now)
    throw conflict(null, 'invalid_state', `subscription ${id} has ended at ${cancel_at}`);
  await setBillAt(db, key, amount);
  if (amount !== null) await askForLook(db, key);
  return true;
}

/** The amount as it is stored and shown. Throws invalid_request `out_of_range` as checkDigits does. */
export function amountOf(bill_at: string, currency: string): string {
  checkDigits('bill_at', bill_at, currency);
  return toAmount(decimal(bill_at), currency);
}
