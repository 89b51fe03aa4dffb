import { findChargeOwner } from '../db/collection/charged-payments.ts';
import { findDisputeRow, insertDispute, noteDispute, type DisputeRow } from '../db/collection/disputes.ts';
import type { ProviderAccess } from '../db/collection/providers.ts';
import { holdInvoice, releaseInvoice } from '../db/collection/taken-back.ts';
import { transaction, type Db, type Pool } from '../db/connection/pool.ts';
import { findCustomerKey, lockCustomer } from '../db/customers/customers.ts';
import { decimal } from '../domain/money/decimal.ts';
import { toAmount } from '../domain/money/money.ts';
import { newId } from '../keys/ids.ts';
import type { ProviderDispute } from './provider.ts';
import { bookTakenBack } from './take-back.ts';

/**
 * Records a dispute as the provider has it, and books it (billing.md 24). Repeated, it does nothing. Returns false if it
 * was recorded as it is before, or if its charge is not booked here.
 */
export async function recordDispute(
  pool: Pool,
  { environment_id, id: provider_id }: Pick<ProviderAccess, 'environment_id' | 'id'>,
  dispute: ProviderDispute,
): Promise<boolean> {
  const { charge_reference, reference, status } = dispute;
  if (charge_reference === null) return false;
  const owner = await findChargeOwner(pool, environment_id, charge_reference);
  if (owner === null) return false;
  return transaction(pool, async (db) => {
    await lockCustomer(db, environment_id, owner.customer_id);
    const known = await findDisputeRow(db, environment_id, { provider_id, reference });
    const row = await noted(db, known, { environment_id, provider_id, dispute, charge_reference });
    await book(db, row);
    if (known?.status !== status) await pause(db, row);
    return known?.status !== status;
  });
}

type Found = {
  environment_id: number;
  provider_id: string;
  dispute: ProviderDispute;
  charge_reference: string;
};

/** The row of a dispute as the provider has it now. */
async function noted(
  db: Db,
  known: DisputeRow | null,
  { environment_id, provider_id, dispute, charge_reference }: Found,
): Promise<DisputeRow> {
  const { status, reason, reference: provider_reference } = dispute;
  const owner = (await findChargeOwner(db, environment_id, charge_reference))!;
  const amount = toAmount(decimal(dispute.amount), owner.currency);
  if (known !== null) {
    await noteDispute(db, known, { status, amount });
    return { ...known, status, amount };
  }
  const of = { environment_id, provider_id, provider_reference, charge_reference };
  const row = { ...owner, ...of, id: newId('pdp'), amount, reason, status, taken_amount: null };
  await insertDispute(db, row);
  return row;
}

/** Books a dispute by its row. The caller holds the lock of the customer. */
async function book(db: Db, row: DisputeRow): Promise<void> {
  await bookTakenBack(db, {
    ...row,
    table: 'payment_disputes',
    is_taken: row.status === 'open' || row.status === 'lost',
    is_of_note: false,
    pauses_as: 'disputed',
  });
}

/** Pauses what an inquiry asks about; ends the pause of one that is won or closed. */
async function pause(
  db: Db,
  { environment_id, id, invoice_id, customer_id, status }: DisputeRow,
): Promise<void> {
  if (invoice_id === null) return;
  const { now: at } = (await findCustomerKey(db, environment_id, customer_id))!;
  if (status === 'inquiry')
    await holdInvoice(db, environment_id, { invoice_id, reason: 'disputed', at, by: id });
  if (status === 'won') await releaseInvoice(db, environment_id, { invoice_id, at });
}
