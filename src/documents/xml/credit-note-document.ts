import type { CreditNote } from '../../objects/credit-note.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { decimal, ZERO } from '../../domain/money/decimal.ts';
import { conflict } from '../../domain/money/errors.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import { toAmount } from '../../domain/money/money.ts';
import { daysOf, TEST } from './invoice-document.ts';
import type { EDocument } from './e-document.ts';

/**
 * The content of the e-invoice of a credit note; its total is the credited amount, whatever becomes of it. Throws
 * conflict for a void note, which must not be booked.
 */
export function creditNoteDocument(note: CreditNote, invoice: Invoice): EDocument {
  const { timezone, currency, seller, customer, tax, subtotal, total } = note;
  if (note.status === 'void')
    throw conflict(
      null,
      'invalid_state',
      'the credit note is void: it must not be booked, and so has no e-invoice',
    );
  const lineOf = (line_item_id: string) => invoice.line_items.find(({ id }) => id === line_item_id)!;
  return {
    kind: 'credit_note',
    number: note.number,
    issue_date: dayOf(note.issued_at, timezone),
    due_date: null,
    currency,
    notes: [
      note.reason,
      ...(note.livemode ? [] : [TEST]),
      ...(seller.footer === null ? [] : [seller.footer]),
    ],
    preceding: { number: note.invoice_number, issue_date: dayOf(invoice.issued_at!, timezone) },
    days: daysOf(invoice, timezone),
    seller,
    customer,
    tax,
    subtotal,
    total,
    lines: note.lines.map(({ line_item_id, description, amount }) => ({
      quantity: '1',
      unit_price: amount,
      price_before: null,
      description,
      amount,
      days: daysOf(lineOf(line_item_id), timezone),
    })),
    prepaid: toAmount(ZERO, currency),
    payable: toAmount(decimal(total), currency),
  };
}
