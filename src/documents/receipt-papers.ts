import { findLogo } from '../db/account/logos.ts';
import type { Db } from '../db/connection/pool.ts';
import { findPayment } from '../db/invoicing/payments.ts';
import { findReceiptParties } from '../db/invoicing/receipts.ts';
import type { PrintedReceipt } from './pdf/receipt-pdf.ts';

/** The file name of a receipt, which has the id of its payment for a number. */
export function receiptNameOf(payment_id: string): string {
  return `receipt-${payment_id}`;
}

/** The receipt of a payment; null if the payment does not exist. */
export async function printedReceipt(
  db: Db,
  environment_id: number,
  payment_id: string,
): Promise<PrintedReceipt | null> {
  const payment = await findPayment(db, environment_id, payment_id);
  const parties = await findReceiptParties(db, environment_id, payment_id);
  if (payment === null || parties === null) return null;
  const { logo_sha256, ...printed } = parties;
  return { payment, ...printed, logo: await findLogo(db, environment_id, logo_sha256) };
}
