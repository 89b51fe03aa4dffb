import {
  findGrant,
  findPendingGrants,
  insertGrants,
  setExpiries,
  type NewCreditGrant,
} from '../../db/credit/credit-grants.ts';
import { lockedTerms } from '../../db/customers/customer-terms.ts';
import { rolledBack, type Db } from '../../db/connection/pool.ts';
import { schedulesOf } from '../../db/subscriptions/plan-changes.ts';
import { expiryOf } from '../../domain/credit/expiry.ts';
import { conflict, notFound } from '../../domain/money/errors.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import { addMilliseconds } from '../../domain/time/period.ts';
import type { GrantPreview } from '../../objects/credit-grant.ts';
import { newId } from '../../keys/ids.ts';
import { refuseForeignSubscription } from '../close/own-subscription.ts';

/** `customer_id` is the external id or our `cus_` id; `amount` in units, a decimal string. */
export type GrantOrder = Pick<
  NewCreditGrant,
  'customer_id' | 'amount' | 'expires_in_days' | 'rollover' | 'event_names' | 'subscription_id' | 'note'
>;

/**
 * Grants prepaid credit to a customer, in the caller's transaction, and returns the id of the grant. Throws not_found
 * `unknown_customer` or `unknown_subscription`, and conflict `invalid_state` for a subscription that has ended.
 */
export async function grantCredit(db: Db, environment_id: number, order: GrantOrder): Promise<string> {
  // The lock orders this against a new subscription of the customer: one of the two transactions sees the other's row.
  const customer = await lockedTerms(db, environment_id, order.customer_id);
  if (customer === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
  const schedules = await schedulesOf(db, environment_id, customer.id);
  const { subscription_id } = order;
  if (subscription_id !== null && schedules.every(({ id }) => id !== subscription_id)) {
    await refuseForeignSubscription(db, environment_id, { subscription_id, customer_id: customer.id });
    throw conflict('subscription_id', 'invalid_state', `subscription ${subscription_id} has ended`);
  }
  const terms = { ...order, created_at: customer.now };
  const grant: NewCreditGrant = {
    ...terms,
    id: newId('cg'),
    customer_id: customer.id,
    ...expiryOf(terms, schedules),
  };
  await insertGrants(db, environment_id, [grant]);
  return grant.id;
}

/**
 * Dry run: grants with the production code in a savepoint that is rolled back, and returns what the grant would be.
 * Throws as grantCredit does.
 */
export async function previewGrant(db: Db, environment_id: number, order: GrantOrder): Promise<GrantPreview> {
  const grant = await rolledBack(db, async () => {
    const id = await grantCredit(db, environment_id, order);
    return (await findGrant(db, environment_id, id))!;
  });
  const { timezone } = (await lockedTerms(db, environment_id, order.customer_id))!;
  const { livemode, customer_id, amount, expires_at, rollover, event_names, subscription_id, note } = grant;
  const last_day = expires_at === null ? null : dayOf(addMilliseconds(expires_at, -1), timezone);
  const terms = { rollover, event_names, subscription_id, note };
  const preview = { livemode, customer_id, amount, expires_at, last_day, timezone, ...terms };
  return { object: 'credit_grant_preview', ...preview };
}

/**
 * Sets the expiry of grants that were waiting for the customer's first billing period (billing.md 4). The caller holds
 * the customer's lock.
 */
export async function setPendingExpiries(db: Db, environment_id: number, customer_id: string): Promise<void> {
  const pending = await findPendingGrants(db, environment_id, customer_id);
  if (pending.length === 0) return;
  const schedules = await schedulesOf(db, environment_id, customer_id);
  const bound = pending.map((grant) => ({ id: grant.id, ...expiryOf(grant, schedules) }));
  await setExpiries(db, environment_id, bound);
}
