import { findChargeOwner } from '../db/collection/charged-payments.ts';
import type { ProviderAccess } from '../db/collection/providers.ts';
import { findRefundRow, insertRefund, noteRefund, type RefundRow } from '../db/collection/refunds.ts';
import { transaction, type Db, type Pool } from '../db/connection/pool.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { decimal } from '../domain/money/decimal.ts';
import { toAmount } from '../domain/money/money.ts';
import { newId } from '../keys/ids.ts';
import type { ProviderRefund } from './provider.ts';
import { bookTakenBack } from './take-back.ts';

/** The reason of a refund for which the provider has none. */
const NO_REASON = 'refund';

/**
 * Records a refund as the provider has it, and books it: one of ours, or one that was made there. Repeated, it does
 * nothing. Returns false if it was recorded as it is before, or if its charge is not booked here.
 */
export async function recordRefund(
  pool: Pool,
  { environment_id, id: provider_id }: Pick<ProviderAccess, 'environment_id' | 'id'>,
  refund: ProviderRefund,
): Promise<boolean> {
  const { charge_reference, reference } = refund;
  if (charge_reference === null) return false;
  const owner = await findChargeOwner(pool, environment_id, charge_reference);
  if (owner === null) return false;
  const at = { provider_id, charge_reference, reference, refund_id: refund.refund_id };
  return transaction(pool, async (db) => {
    await lockCustomer(db, environment_id, owner.customer_id);
    const known = await findRefundRow(db, environment_id, at);
    if (known === null) await insertFound(db, environment_id, { refund, at });
    const row = known ?? (await findRefundRow(db, environment_id, { ...at, refund_id: null }))!;
    const { status } = refund;
    await noteRefund(db, row, { reference, status });
    await bookRefund(db, { ...row, status, provider_reference: reference });
    return known?.status !== status || known.provider_reference === null;
  });
}

/** Books a refund by its row. The caller holds the lock of the customer. */
export async function bookRefund(db: Db, row: RefundRow): Promise<void> {
  await bookTakenBack(db, {
    ...row,
    table: 'payment_refunds',
    reason: row.reason ?? NO_REASON,
    is_taken: row.provider_reference !== null && row.status !== 'failed',
    is_of_note: row.credit_note_id !== null,
    pauses_as: 'other',
  });
}

type Found = { refund: ProviderRefund; at: { provider_id: string; charge_reference: string } };

/** Stores a refund that was made at the provider. Its charge is read again: another refund may have come before it. */
async function insertFound(db: Db, environment_id: number, { refund, at }: Found): Promise<void> {
  const { provider_id, charge_reference } = at;
  const owner = (await findChargeOwner(db, environment_id, charge_reference))!;
  const id = newId('prf');
  await insertRefund(
    db,
    environment_id,
    {
      ...owner,
      id,
      credit_note_id: null,
      amount: toAmount(decimal(refund.amount), owner.currency),
      reason: refund.reason,
      provider_id,
      charge_reference,
      request_key: null,
      created_by: null,
    },
    0,
  );
  await noteRefund(db, { environment_id, id }, refund);
}
