import { dayInWords, spanInWords } from '../../src/domain/lines/description.ts';
import { dayOf, UTC } from '../../src/domain/time/local-time.ts';
import type { Fact } from './document-head.ts';
import type { Band } from './pdf-paper.ts';
import type { PrintedInvoice } from './printed-invoice.ts';

export const TEST_BAND: Band = {
  text: 'TEST: test data, no payment is due',
  color: '#374151',
  background: '#e5e7eb',
};
/** Colors of the band of a void document. */
export const VOID = { color: '#991b1b', background: '#fee2e2' };

/** The facts in the head of an invoice: number, dates and currency. */
export function factsOf({ invoice, replaces }: PrintedInvoice): Fact[] {
  const { number, issued_at, due_date, timezone, customer } = invoice;
  return [
    ['Number', number ?? 'Draft'],
    ['Issued', issued_at === null ? null : dayInWords(dayOf(issued_at, timezone))],
    ['Due', due_date === null ? null : dayInWords(due_date)],
    ['Period', spanInWords(invoice, timezone)],
    ['Time zone', timezone === UTC ? null : timezone],
    ['Currency', invoice.currency],
    ['Replaces', replaces],
    ['Your reference', customer.buyer_reference],
  ];
}

/** The warning bands of every page: draft, void, test data. */
export function bandsOf({ invoice, replaced_by }: PrintedInvoice): Band[] {
  const { status, livemode } = invoice;
  const bands: Band[] = [];
  if (status === 'draft')
    bands.push({
      text: 'DRAFT: not issued, amounts may change',
      color: '#92400e',
      background: '#fef3c7',
    });
  if (status === 'void') {
    const text = `VOID: do not pay this invoice${replaced_by === null ? '' : `, replaced by ${replaced_by}`}`;
    bands.push({ text, ...VOID });
  }
  if (!livemode) bands.push(TEST_BAND);
  return bands;
}
