import { receiveMoney } from '../billing/owed/receive.ts';
import { findOpenAttempt } from '../db/collection/attempts.ts';
import { findChargeOwner } from '../db/collection/charged-payments.ts';
import type { ProviderAccess } from '../db/collection/providers.ts';
import { transaction, type Pool } from '../db/connection/pool.ts';
import { lockedCustomer } from '../db/customers/customers.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import type { ProviderIntent } from './provider.ts';
import { settle } from './settle.ts';

/** A younger charge is left to its attempt or its page, which is read each hour. */
const AGE_MIN_MS = 3 * 3_600_000;

/**
 * Books a charge of ours that has succeeded and has no payment here. Returns undefined where it has one, or where it is
 * no charge of ours; null once it is booked; a sentence where it cannot be.
 */
export async function recordCharge(
  pool: Pool,
  { environment_id, id: provider_id }: Pick<ProviderAccess, 'environment_id' | 'id'>,
  intent: ProviderIntent,
): Promise<string | null | undefined> {
  const { invoice_id, reference, status, created_at } = intent;
  if (status !== 'succeeded' || invoice_id === null) return undefined;
  if (Date.now() - Date.parse(created_at) < AGE_MIN_MS) return undefined;
  if ((await findChargeOwner(pool, environment_id, reference)) !== null) return undefined;
  const invoice = await findInvoice(pool, environment_id, invoice_id);
  if (invoice === null) return `its invoice ${invoice_id} does not exist here`;
  if (invoice.currency !== intent.currency) return `its invoice ${invoice_id} is in ${invoice.currency}`;
  return transaction(pool, async (db) => {
    const { id: customer_id } = (await lockedCustomer(db, environment_id, invoice.customer_id))!;
    if ((await findChargeOwner(db, environment_id, reference)) !== null) return undefined;
    const attempt = await findOpenAttempt(db, { environment_id, invoice_id });
    if (attempt?.provider_reference === reference) await settle(db, attempt, intent);
    else
      await receiveMoney(db, environment_id, {
        customer_id,
        invoice_id,
        amount: intent.amount,
        reference,
        by: provider_id,
      });
    return null;
  });
}
