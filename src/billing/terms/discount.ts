import { lockedTerms } from '../../db/customers/customer-terms.ts';
import { draftsOfCustomer } from '../../db/invoicing/drafts.ts';
import {
  countDiscounts,
  findDiscount,
  insertDiscount,
  lockCustomerOfDiscount,
  setDiscountEnd,
  type NewDiscount,
} from '../../db/subscriptions/discounts.ts';
import { schedulesOf } from '../../db/subscriptions/plan-changes.ts';
import { lockSubscriptionsOf, readSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { conflict, invalid, notFound } from '../../domain/money/errors.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import { beginningOf } from '../../domain/time/local-time.ts';
import type { DiscountObject } from '../../objects/discount.ts';
import { newId } from '../../keys/ids.ts';
import { repriceDraft } from '../close/draft.ts';
import { refuseForeignSubscription } from '../close/own-subscription.ts';

/** Limit of the discounts of one subscription that have not ended. */
export const RUNNING_DISCOUNTS_MAX = 5;
/** Limit of the discounts of a customer, ended ones too: each close reads them. */
export const DISCOUNTS_MAX = 200;

/**
 * `customer_id` is the external id or our `cus_` id; `from` and `until` are instants, or days in the time zone of the
 * customer. Without `from` it is now.
 */
export type DiscountRequest = Pick<
  NewDiscount,
  'subscription_id' | 'name' | 'percent' | 'amount' | 'event_names'
> & {
  customer_id: string;
  from: string | null;
  until: string | null;
};

/**
 * Makes a discount of a customer in the caller's transaction, and shows it on drafts at once (billing.md 11). Throws
 * not_found `unknown_customer` or `unknown_subscription`, invalid_request `out_of_order` for an end that is not after
 * the start and `out_of_range` for an amount with more decimals than the currency, and conflict `invalid_state` for a
 * subscription that has ended, or `too_many`.
 */
export async function createDiscount(
  db: Db,
  environment_id: number,
  { customer_id: named, from: sent_from, until: sent_until, amount: sent_amount, ...terms }: DiscountRequest,
  settings: BillingSettings,
): Promise<DiscountObject> {
  const customer = await lockedTerms(db, environment_id, named);
  if (customer === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
  const { id: customer_id, now, timezone, currency } = customer;
  const { subscription_id } = terms;
  if (sent_amount !== null) checkDigits('amount', sent_amount, currency);
  const amount = sent_amount && toAmount(decimal(sent_amount), currency);
  const from = sent_from === null ? now : beginningOf(sent_from, timezone);
  const until = sent_until && beginningOf(sent_until, timezone);
  if (until !== null && until <= from)
    throw invalid('until', 'out_of_order', `until must be after from, which is ${from}`);
  if (subscription_id !== null) await refuseEnded(db, environment_id, { customer_id, subscription_id });
  const is_running = until === null || until > now;
  await refuseTooMany(db, environment_id, { customer_id, subscription_id, now, is_running });
  const id = newId('dis');
  await insertDiscount(db, environment_id, {
    ...terms,
    amount,
    id,
    customer_id,
    from,
    until,
    created_at: now,
  });
  await repriceDrafts(db, environment_id, { customer_id, subscription_id }, settings);
  return (await findDiscount(db, environment_id, id))!;
}

async function refuseEnded(
  db: Db,
  environment_id: number,
  { customer_id, subscription_id }: { customer_id: string; subscription_id: string },
): Promise<void> {
  const schedules = await schedulesOf(db, environment_id, customer_id);
  if (schedules.some(({ id }) => id === subscription_id)) return;
  await refuseForeignSubscription(db, environment_id, { subscription_id, customer_id });
  throw conflict('subscription_id', 'invalid_state', `subscription ${subscription_id} has ended`);
}

async function refuseTooMany(
  db: Db,
  environment_id: number,
  {
    is_running,
    ...whose
  }: { customer_id: string; subscription_id: string | null; now: string; is_running: boolean },
): Promise<void> {
  const { total, running } = await countDiscounts(db, environment_id, whose);
  if (total >= DISCOUNTS_MAX)
    throw conflict(
      null,
      'too_many',
      `the customer has ${total} discounts, and may have at most ${DISCOUNTS_MAX}`,
    );
  if (is_running && running >= RUNNING_DISCOUNTS_MAX)
    throw conflict(
      null,
      'too_many',
      `a subscription of the customer has ${running} discounts that have not ended, and may have at most ${RUNNING_DISCOUNTS_MAX}`,
    );
}

/**
 * Ends a discount at an instant or a day in the time zone of the customer, in place of a later end or of none; null is
 * now. Null if there is no such discount. Throws invalid_request `out_of_order` for an end before its start and
 * `out_of_range` for one after the end that it has, and conflict `invalid_state` if it has ended.
 */
export async function endDiscount(
  db: Db,
  environment_id: number,
  { id, until: sent }: { id: string; until: string | null },
  settings: BillingSettings,
): Promise<DiscountObject | null> {
  const customer_id = await lockCustomerOfDiscount(db, environment_id, id);
  if (customer_id === null) return null;
  const { now, timezone } = (await lockedTerms(db, environment_id, customer_id))!;
  const { status, from, until: before, subscription_id } = (await findDiscount(db, environment_id, id))!;
  if (status === 'ended') throw conflict(null, 'invalid_state', `discount ${id} has ended at ${before}`);
  const until = sent === null ? now : beginningOf(sent, timezone);
  if (until < from)
    throw invalid('until', 'out_of_order', `until must not be before ${from}, when the discount begins`);
  if (before !== null && until > before)
    throw invalid('until', 'out_of_range', `until must be at most ${before}, the end that the discount has`);
  if (!(await setDiscountEnd(db, environment_id, { id, before, until })))
    throw new Error('a discount is not as it was read');
  await repriceDrafts(db, environment_id, { customer_id, subscription_id }, settings);
  return findDiscount(db, environment_id, id);
}

/** Shows on the drafts of a customer, or of one subscription, the discounts that their issue would have. */
async function repriceDrafts(
  db: Db,
  environment_id: number,
  { customer_id, subscription_id }: { customer_id: string; subscription_id: string | null },
  settings: BillingSettings,
): Promise<void> {
  await lockSubscriptionsOf(db, environment_id, customer_id);
  for (const draft of await draftsOfCustomer(db, environment_id, { customer_id, subscription_id })) {
    const subscription = (await readSubscription(db, environment_id, draft.subscription_id))!;
    await repriceDraft(db, subscription, draft.period_start, settings);
  }
}
