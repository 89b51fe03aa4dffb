import { conflict, notFound } from '../../domain/money/errors.ts';
import { periodFollowing } from '../../domain/subscription/following-period.ts';
import { itemAmount } from '../../domain/lines/invoice-item.ts';
import { newId } from '../../keys/ids.ts';
import { lockedCustomer } from '../../db/customers/customers.ts';
import {
  countPendingItems,
  findInvoiceItem,
  insertInvoiceItem,
  markItemDeleted,
  moveItems,
  subscriptionsByNextInvoice,
  subscriptionsWithItems,
  type ItemTaker,
} from '../../db/invoicing/invoice-items.ts';
import type { InvoiceItem } from '../../objects/invoice-item.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import {
  periodContextOf,
  type BillingSettings,
  type Subscription,
} from '../../domain/subscription/subscription.ts';
import { lockCustomersOf, lockSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { repriceDraft } from './draft.ts';
import { refuseForeignSubscription } from './own-subscription.ts';

/** Limit of a subscription's items that wait for an invoice. */
export const PENDING_ITEMS_MAX = 200;

/** `customer_id` is the external id or our `cus_` id; `by` is the key or the session. */
export type InvoiceItemRequest = {
  customer_id: string;
  /** Null: the running subscription whose invoice comes next. */
  subscription_id: string | null;
  description: string;
  quantity: string;
  unit_amount: string;
  by: string;
};

/**
 * Puts an item on the next invoice of a subscription: on its oldest draft at once, if it has one (billing.md 7). Throws
 * not_found for an unknown customer or subscription, and conflict `invalid_state` if no invoice will follow or if too
 * many items wait.
 */
export async function addInvoiceItem(
  db: Db,
  environment_id: number,
  request: InvoiceItemRequest,
  settings: BillingSettings,
): Promise<InvoiceItem> {
  const customer = await lockedCustomer(db, environment_id, request.customer_id);
  if (customer === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
  const target = { customer_id: customer.id, subscription_id: request.subscription_id };
  const { subscription, draft_start } = await subscriptionOf(db, environment_id, target, settings);
  const { id: subscription_id, currency, now: at } = subscription;
  const waiting = await countPendingItems(db, environment_id, subscription_id);
  if (waiting >= PENDING_ITEMS_MAX)
    throw conflict(
      null,
      'invalid_state',
      `subscription ${subscription_id} has ${waiting} pending items, and may have at most ${PENDING_ITEMS_MAX}`,
    );
  const id = newId('ii');
  const { description, quantity, unit_amount, by } = request;
  const amount = itemAmount(quantity, unit_amount, currency);
  const item = { id, customer_id: customer.id, subscription_id, description, quantity, unit_amount, amount };
  await insertInvoiceItem(db, environment_id, { ...item, at, by });
  if (draft_start !== null) await repriceDraft(db, subscription, draft_start, settings);
  return (await findInvoiceItem(db, environment_id, id))!;
}

/**
 * Deletes an item that no issued invoice has; a draft that has it is priced again. Returns false if the item does not
 * exist. Throws conflict `invalid_state` if it is invoiced.
 */
export async function deleteInvoiceItem(
  db: Db,
  environment_id: number,
  { id, by }: { id: string; by: string },
  settings: BillingSettings,
): Promise<boolean> {
  const item_before = await findInvoiceItem(db, environment_id, id);
  if (item_before === null) return false;
  await lockCustomersOf(db, environment_id, [item_before.subscription_id]);
  // Read again after each lock: it may have moved to another subscription, or on an invoice, while this transaction
  // waited.
  const { subscription_id } = (await findInvoiceItem(db, environment_id, id)) ?? item_before;
  const subscription = (await lockSubscription(db, environment_id, subscription_id))!;
  const item = await findInvoiceItem(db, environment_id, id);
  if (item === null) return false;
  const { status, invoice_id } = item;
  if (status === 'invoiced')
    throw conflict(null, 'invalid_state', `item ${id} is on the issued invoice ${invoice_id}`);
  await markItemDeleted(db, environment_id, { id, at: subscription.now, by });
  const draft = invoice_id === null ? null : await findInvoice(db, environment_id, invoice_id);
  if (draft !== null) await repriceDraft(db, subscription, draft.period_start, settings);
  return true;
}

type Taker = { subscription: Subscription; draft_start: string | null };

/** The subscription that takes an item, locked. The caller holds the lock of the customer. */
async function subscriptionOf(
  db: Db,
  environment_id: number,
  { customer_id, subscription_id }: { customer_id: string; subscription_id: string | null },
  settings: BillingSettings,
): Promise<Taker> {
  if (subscription_id !== null)
    await refuseForeignSubscription(db, environment_id, { subscription_id, customer_id });
  const running = await subscriptionsByNextInvoice(db, environment_id, customer_id);
  const candidates = running.filter(({ id }) => subscription_id === null || id === subscription_id);
  const taker = await firstTaker(db, environment_id, candidates, settings);
  if (taker !== null) return taker;
  throw conflict(
    null,
    'invalid_state',
    subscription_id === null
      ? 'the customer has no subscription that an invoice will follow for'
      : `subscription ${subscription_id} has ended: no invoice will follow`,
  );
}

/** The first of these subscriptions that an invoice will follow for, locked; null if there is none. */
async function firstTaker(
  db: Db,
  environment_id: number,
  takers: readonly ItemTaker[],
  settings: BillingSettings,
): Promise<Taker | null> {
  for (const { id, draft_start } of takers) {
    const subscription = (await lockSubscription(db, environment_id, id))!;
    if (draft_start !== null || (await hasNextInvoice(db, subscription, settings)))
      return { subscription, draft_start };
  }
  return null;
}

/**
 * Moves the pending items of subscriptions that were just finished to the running one of the customer that a new item
 * would go to, but not to one that has ended itself; where there is none they stay (billing.md 7). The caller holds the
 * locks of the customers.
 */
export async function moveItemsLeft(
  db: Db,
  environment_id: number,
  finished: readonly string[],
  settings: BillingSettings,
): Promise<void> {
  if (finished.length === 0) return;
  const subscriptions = await subscriptionsWithItems(db, environment_id, finished);
  for (const { subscription_id, customer_id } of subscriptions) {
    const running = await subscriptionsByNextInvoice(db, environment_id, customer_id);
    const takers = running.filter(({ open_kind }) => open_kind !== 'late');
    const taker = await firstTaker(db, environment_id, takers, settings);
    if (taker === null) continue;
    await moveItems(db, environment_id, { from: subscription_id, to: taker.subscription.id });
    if (taker.draft_start !== null) await repriceDraft(db, taker.subscription, taker.draft_start, settings);
  }
}

/**
 * Whether an invoice follows the open period: of a trial that is to end one follows with the items that it takes until
 * then.
 */
async function hasNextInvoice(
  db: Db,
  subscription: Subscription,
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, id: subscription_id } = subscription;
  const open = await findOpenPeriod(db, { environment_id, subscription_id });
  if (open?.kind !== 'trial') return open !== null;
  const context = periodContextOf(subscription, settings);
  const ends_with_items = context.ends_with_items || subscription.now < open.period_end;
  return periodFollowing(open, { ...context, ends_with_items }) !== null;
}
