import { receiveMoney } from '../billing/owed/receive.ts';
import { findOpenAttempt } from '../db/collection/attempts.ts';
import { readChargeTerms } from '../db/collection/charge-terms.ts';
import { findChargeOwner } from '../db/collection/charged-payments.ts';
import type { ProviderAccess } from '../db/collection/providers.ts';
import { transaction, type Pool } from '../db/connection/pool.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import type { ProviderIntent } from './provider.ts';
import { settle } from './settle.ts';

/**
 * Books a charge of ours that has succeeded and has no payment here. Returns undefined where it has one, where it is no
 * charge of ours, or where it is younger than `settled_before`: its attempt or its page is read each hour. Null once it
 * is booked; a sentence where it cannot be.
 */
export async function recordCharge(
  pool: Pool,
  { environment_id, id: provider_id }: Pick<ProviderAccess, 'environment_id' | 'id'>,
  intent: ProviderIntent,
  settled_before: string,
): Promise<string | null | undefined> {
  const { invoice_id, reference, status, created_at } = intent;
  if (status !== 'succeeded' || invoice_id === null) return undefined;
  if (created_at >= settled_before) return undefined;
  if ((await findChargeOwner(pool, environment_id, reference)) !== null) return undefined;
  const invoice = await findInvoice(pool, environment_id, invoice_id);
  if (invoice === null) return `its invoice ${invoice_id} does not exist here`;
  if (invoice.currency !== intent.currency) return `its invoice ${invoice_id} is in ${invoice.currency}`;
  const { customer_id } = await readChargeTerms(pool, environment_id, invoice_id);
  return transaction(pool, async (db) => {
    await lockCustomer(db, environment_id, customer_id);
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
