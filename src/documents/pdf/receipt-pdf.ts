import { dayInWords, grouped } from '../../domain/lines/description.ts';
import { isZero, leftOf } from '../../domain/money/figures.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Payment } from '../../objects/payment.ts';
import { drawAmounts, type AmountLine } from './amount-table.ts';
import { drawHead, type Fact } from './document-head.ts';
import { drawNotes, drawTotals, totalRow } from './document-totals.ts';
import { TEST_BAND, VOID } from './invoice-head.ts';
import { namedZone } from './named-zone.ts';
import { logoOf } from './pdf-logo.ts';
import { bytesOf, openPaper, type Band } from './pdf-paper.ts';

/**
 * A payment with its parties, the time zone of its day, and the PNG file of its logo. `invoice_number` is null for a
 * payment in advance.
 */
export type PrintedReceipt = Pick<Invoice, 'seller' | 'customer' | 'timezone'> & {
  payment: Payment;
  invoice_number: string | null;
  logo: Uint8Array | null;
};

/**
 * Renders the receipt of a payment on an A4 page; equal payments give equal bytes. Only a reversal adds its band. Its
 * `reference` is not printed: payers do not read it.
 */
export async function receiptPdf(receipt: PrintedReceipt): Promise<Buffer> {
  const { payment, seller, customer } = receipt;
  const { id, currency, amount } = payment;
  const paper = openPaper({
    title: `Receipt ${id}`,
    author: seller.name,
    created_at: payment.created_at,
    bands: bandsOf(receipt),
  });
  const logo = receipt.logo === null ? null : await logoOf(receipt.logo);
  drawHead(paper, { title: 'Receipt', logo, seller, customer, facts: factsOf(receipt) });
  await drawAmounts(paper, { title: 'Paid', currency, lines: linesOf(receipt) });
  drawTotals(paper, [totalRow({ label: 'Total paid', amount, currency })]);
  drawNotes(paper, null, seller.footer);
  return bytesOf(paper, { seller: seller.name, name: `receipt ${id}` });
}

function factsOf({ payment, invoice_number, customer, timezone }: PrintedReceipt): Fact[] {
  const { id, amount, currency, paid_at } = payment;
  return [
    ['Amount paid', `${grouped(amount)} ${currency}`, 'strong'],
    ['Paid', dayInWords(dayOf(paid_at, timezone)), 'strong'],
    ['Number', id],
    ['For invoice', invoice_number],
    ['Time zone', namedZone([], timezone)],
    ['Currency', currency],
    ['Your reference', customer.buyer_reference],
  ];
}

function bandsOf({ payment: { reversed_at, livemode }, timezone }: PrintedReceipt): Band[] {
  const bands: Band[] = [];
  if (reversed_at !== null) {
    const day = dayInWords(dayOf(reversed_at, timezone));
    bands.push({ text: `REVERSED on ${day}: this payment does not count`, ...VOID });
  }
  return livemode ? bands : [...bands, TEST_BAND];
}

/** The parts of the amount: that of the invoice, and that which went to the balance. */
function linesOf({ payment, invoice_number }: PrintedReceipt): AmountLine[] {
  const { amount, to_balance } = payment;
  if (invoice_number === null) return [{ description: 'Payment in advance, to your balance', amount }];
  const parts = [
    { description: `Invoice ${invoice_number}`, amount: leftOf(amount, to_balance) },
    { description: 'To your balance', amount: to_balance },
  ];
  return parts.filter((part) => !isZero(part.amount));
}
