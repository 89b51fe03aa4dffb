import type { ChangedObject } from '../../domain/feed/change-types.ts';
import { findAccount } from '../account/accounts.ts';
import { readKeys } from '../account/api-keys.ts';
import type { ApiKey } from '../../objects/api-key.ts';
import { readMethods } from '../collection/methods.ts';
import { readProviders } from '../collection/providers.ts';
import type { Db } from '../connection/pool.ts';
import { readGrants } from '../credit/credit-grants.ts';
import { readCustomers } from '../customers/customers.ts';
import { readAttempts } from '../collection/attempt-list.ts';
import { readDisputes, readRefunds } from '../collection/refund-list.ts';
import { readEmails } from '../emails/feed-emails.ts';
import { readBalanceEntries } from '../invoicing/balance.ts';
import { readCreditNotes } from '../invoicing/credit-notes.ts';
import { readInvoiceItems } from '../invoicing/invoice-items.ts';
import { readInvoices } from '../invoicing/invoices.ts';
import { readPayments } from '../invoicing/payments.ts';
import { readDiscounts } from '../subscriptions/discounts.ts';
import { readMigrations } from '../subscriptions/plan-migrations.ts';
import { readPlans } from '../subscriptions/plans.ts';
import { readSubscriptions } from '../subscriptions/subscriptions.ts';
import { readEndpoints } from '../webhooks/endpoints.ts';

/**
 * An object as GET answers it. `customer_id` is an `external_id`, null of a plan of everybody; only a subscription has
 * the dates.
 */
export type FeedObject = {
  id: string;
  object: string;
  customer_id?: string | null;
  start_date?: string;
  trial_end_date?: string | null;
};

type Read = (db: Db, environment_id: number, ids: readonly string[]) => Promise<FeedObject[]>;

const READ: Readonly<Record<ChangedObject, Read>> = {
  customer: readCustomers,
  pricing_plan: readPlans,
  plan_migration: readMigrations,
  subscription: readSubscriptions,
  invoice: readInvoices,
  invoice_item: readInvoiceItems,
  discount: readDiscounts,
  payment: readPayments,
  credit_note: readCreditNotes,
  email: readEmails,
  payment_attempt: readAttempts,
  payment_refund: readRefunds,
  payment_dispute: readDisputes,
  payment_method: readMethods,
  payment_provider: readProviders,
  credit_grant: async (...parameters) =>
    (await readGrants(...parameters)).map(({ ledger: _, ...grant }) => grant),
  balance_entry: readBalanceEntries,
  account: async (db, environment_id) => [await findAccount(db, environment_id)],
  api_key: async (...parameters) => (await readKeys(...parameters)).map(changedKey),
  webhook_endpoint: readEndpoints,
  // The row of the log is all that there is of it.
  usage: async () => [],
  // Its change is no row's (resumeFeed).
  feed: async () => [],
};

/** The members of a key that programs get: not who made it. */
function changedKey({ last_used_at: _, created_by: __, is_of_removed_user: ___, ...key }: ApiKey) {
  return key;
}

/** Objects of one kind with these ids, as GET answers them, by id. What is gone is missing. */
export async function readObjects(
  db: Db,
  environment_id: number,
  { object_type, ids }: { object_type: ChangedObject; ids: readonly string[] },
): Promise<Map<string, FeedObject>> {
  const objects = await READ[object_type](db, environment_id, ids);
  return new Map(objects.map((object) => [object.id, object]));
}
