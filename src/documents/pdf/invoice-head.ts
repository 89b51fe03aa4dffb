import { dayInWords, grouped, spanInWords } from '../../domain/lines/description.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Fact } from './document-head.ts';
import { namedZone, withoutZone } from './named-zone.ts';
import type { Band } from './pdf-paper.ts';
import type { PrintedInvoice } from './printed-invoice.ts';

export const TEST_BAND: Band = {
  text: 'TEST: test data, no payment is due',
  color: '#374151',
  background: '#e5e7eb',
};
/** Colors of the band of a void document. */
export const VOID = { color: '#991b1b', background: '#fee2e2' };

/** The amount due, which is that of the issue, whatever has been paid since. */
export function dueOf({ total, balance_at_issue, currency }: Invoice): string {
  return toAmount(decimal(total).minus(balance_at_issue), currency);
}

/** The facts in the head of an invoice: what is due and when, then number, dates and currency. */
export function factsOf({ invoice, replaces }: PrintedInvoice): Fact[] {
  const { number, issued_at, due_date, timezone, currency, customer, line_items } = invoice;
  const period = spanInWords(invoice, timezone);
  const texts = [period, ...line_items.map(({ description }) => description)];
  return [
    ['Amount due', `${grouped(dueOf(invoice))} ${currency}`, 'strong'],
    ['Due', due_date === null ? null : dayInWords(due_date), 'strong'],
    ['Number', number ?? 'Draft'],
    ['Issued', issued_at === null ? null : dayInWords(dayOf(issued_at, timezone))],
    ['Period', withoutZone(period, timezone)],
    ['Time zone', namedZone(texts, timezone)],
    ['Currency', currency],
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
