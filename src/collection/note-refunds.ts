import { chargesOfInvoice } from '../db/collection/charged-payments.ts';
import { findAccess } from '../db/collection/providers.ts';
import { insertRefund } from '../db/collection/refunds.ts';
import type { Db } from '../db/connection/pool.ts';
import { sharesOf } from '../domain/collection/refund.ts';
import { conflict } from '../domain/money/errors.ts';
import { isZero } from '../domain/money/figures.ts';
import { newId } from '../keys/ids.ts';
import type { CreditNote } from '../objects/credit-note.ts';

/**
 * Stores the refunds of what a new credit note settles outside, of the charges of its invoice, the newest first; the
 * worker asks the provider for them. In the transaction of the note, which holds the lock of the customer. Throws
 * conflict `not_refundable` if less is left of the charges.
 */
export async function refundNote(
  db: Db,
  environment_id: number,
  { id: credit_note_id, invoice_id, outside, currency, reason }: CreditNote,
  by: string,
): Promise<void> {
  if (isZero(outside)) return;
  const provider = await findAccess(db, environment_id);
  const charges = await chargesOfInvoice(db, environment_id, invoice_id);
  const free = charges.filter((charge) => !charge.has_open_refund && !charge.has_open_dispute);
  const shares = provider === null ? null : sharesOf(free, { amount: outside, currency });
  if (shares === null)
    throw conflict(
      'refund',
      'not_refundable',
      `less than ${outside} is left to refund of the invoice's charges`,
    );
  for (const { payment, amount } of shares)
    await insertRefund(
      db,
      environment_id,
      {
        id: newId('prf'),
        payment_id: payment.id,
        invoice_id,
        customer_id: payment.customer_id,
        credit_note_id,
        amount,
        currency,
        reason,
        provider_id: provider!.id,
        charge_reference: payment.charge_reference,
        request_key: null,
        created_by: by,
      },
      0,
    );
}
