import { conflict } from '../../domain/money/errors.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { lastVoidInvoice, readInvoices } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import {
  findOpenPeriod,
  findUnbilledPeriod,
  periodsWithoutOpening,
  setPeriodEnd,
} from '../../db/subscriptions/periods.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { closeOne } from './close.ts';
import { issueOpening, openPeriod } from './open-period.ts';
import { settleQuantities } from './settle-quantities.ts';

/** Limit of periods that one call bills; the next call bills the rest. */
export const GENERATED_PERIODS_MAX = 50;

export type Generated = { invoices: Invoice[]; has_more: boolean };

/**
 * Bills ended periods that have no invoice or only void ones, in order and without a hold; an invoice that is made
 * again replaces the last void one of its period. `close_now` also cuts the current period at this instant and bills
 * the first part (billing.md 1), provided that no ended period is left. Returns the invoices as they are when all is
 * done: a later one may credit an earlier one; null if the subscription does not exist. Throws conflict `invalid_state`
 * if there is no period to cut.
 */
export async function generateInvoices(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  options: { close_now: boolean },
  settings: BillingSettings,
): Promise<Generated | null> {
  const subscription = await lockCustomerAndSubscription(db, key.environment_id, key.subscription_id);
  if (subscription === null) return null;
  // Before a period closes that a quantity has come in.
  if (subscription.has_quantity_to_settle) await settleQuantities(db, key);
  const ids = await openAgain(db, subscription);
  for (let billed = 0; billed < GENERATED_PERIODS_MAX; billed++) {
    const period = await findUnbilledPeriod(db, subscription);
    if (period === null) break;
    const id = await billNow(db, subscription, period, settings);
    if (id !== null) ids.push(id);
  }
  const has_more = (await findUnbilledPeriod(db, subscription)) !== null;
  if (options.close_now && !has_more) {
    const part = await cutPeriod(db, subscription);
    const id = part && (await billNow(db, subscription, part, settings));
    if (id !== null) ids.push(id);
  }
  return { invoices: await invoicesInOrder(db, key.environment_id, ids), has_more };
}

async function invoicesInOrder(db: Db, environment_id: number, ids: readonly string[]): Promise<Invoice[]> {
  const invoices = new Map(
    (await readInvoices(db, environment_id, ids)).map((invoice) => [invoice.id, invoice]),
  );
  return ids.map((id) => invoices.get(id)!);
}

/** Makes opening invoices again that are void, before anything else (billing.md 10). Returns their ids. */
async function openAgain(db: Db, subscription: Subscription): Promise<string[]> {
  const { environment_id, id: subscription_id } = subscription;
  const made: string[] = [];
  const key = { environment_id, subscription_id };
  for (const period of await periodsWithoutOpening(db, key)) {
    const { opening_number } = period;
    const replaces = await lastVoidInvoice(db, key, { ...period, kind: 'opening' });
    const how = { opening_number, is_again: true, replaces, item_ids: null };
    const id = await issueOpening(db, subscription, period, how);
    if (id !== null) made.push(id);
  }
  return made;
}

/**
 * Issues a period's invoice in the caller's transaction; closes the period first if it is still open. Returns its id;
 * null if it makes no invoice.
 */
async function billNow(
  db: Db,
  { environment_id, id: subscription_id }: Subscription,
  { period_start, kind, opened_at }: StoredPeriod,
  settings: BillingSettings,
): Promise<string | null> {
  // Its grants cover it.
  if (opened_at === null) await openPeriod(db, { environment_id, subscription_id });
  const key = { environment_id, subscription_id };
  const closing = { period_start, kind: kind === 'late' ? 'late' : 'period', opening_number: null } as const;
  const replaces = await lastVoidInvoice(db, key, closing);
  const request = {
    subscription_id,
    period_start,
    usage_revision: 1,
    issues: true,
    bills_again: true,
    ...(replaces !== null && { replaces }),
  };
  const closed = await closeOne(db, environment_id, request, { locks: 'taken', settings });
  return closed!.invoice_id;
}

/**
 * Cuts the current period at now and returns its first part. Returns null if the period starts now, because the part
 * would be empty.
 */
async function cutPeriod(db: Db, subscription: Subscription): Promise<StoredPeriod | null> {
  const { environment_id, id: subscription_id, now } = subscription;
  const key = { environment_id, subscription_id };
  const period = await findOpenPeriod(db, key);
  if (period?.kind !== 'billing' || period.period_start > now) {
    throw conflict(
      'close_now',
      'invalid_state',
      `subscription ${subscription_id} has no current billing period`,
    );
  }
  if (period.period_start === now) return null;
  await setPeriodEnd(db, key, period, now);
  return { ...period, period_end: now };
}
