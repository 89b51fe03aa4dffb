import type { CreditNote } from '../../objects/credit-note.ts';
import { dayInWords } from '../../domain/lines/description.ts';
import { isZero } from '../../domain/money/figures.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import { drawAmounts } from './amount-table.ts';
import { drawHead, type Fact } from './document-head.ts';
import { drawNotes, drawTotals, sumsOf, totalRow } from './document-totals.ts';
import { TEST_BAND, VOID } from './invoice-head.ts';
import { namedZone, withoutZone } from './named-zone.ts';
import { logoOf } from './pdf-logo.ts';
import { bytesOf, openPaper, type Band } from './pdf-paper.ts';
import type { Row } from './pdf-table.ts';

/** A credit note, and the PNG file of the logo of its invoice. */
export type PrintedNote = { note: CreditNote; logo: Uint8Array | null };

/** Renders a credit note on A4 pages; equal notes give equal bytes. Only a void adds its band. */
export async function creditNotePdf({ note, logo: png }: PrintedNote): Promise<Buffer> {
  const { seller, customer, number } = note;
  const logo = png === null ? null : await logoOf(png);
  const paper = openPaper({
    title: `Credit note ${number}`,
    author: seller.name,
    created_at: note.issued_at,
    bands: bandsOf(note),
  });
  drawHead(paper, { title: 'Credit note', logo, seller, customer, facts: factsOf(note) });
  const { currency, timezone } = note;
  const lines = note.lines.map(({ description, amount }) => ({
    description: withoutZone(description, timezone),
    amount,
  }));
  await drawAmounts(paper, { title: 'Credited', currency, lines });
  drawTotals(paper, totalsOf(note));
  drawNotes(paper, note.tax.note, seller.footer);
  return bytesOf(paper, { seller: seller.name, name: `credit note ${number}` });
}

function factsOf(note: CreditNote): Fact[] {
  const { number, issued_at, timezone, invoice_number, currency, reason, customer, lines } = note;
  const texts = lines.map(({ description }) => description);
  return [
    ['Number', number],
    ['Issued', dayInWords(dayOf(issued_at, timezone))],
    ['For invoice', invoice_number],
    ['Time zone', namedZone(texts, timezone)],
    ['Currency', currency],
    ['Reason', reason],
    ['Your reference', customer.buyer_reference],
  ];
}

function bandsOf({ status, livemode }: CreditNote): Band[] {
  const bands: Band[] = status === 'void' ? [{ text: 'VOID: this credit note does not count', ...VOID }] : [];
  return livemode ? bands : [...bands, TEST_BAND];
}

function totalsOf(note: CreditNote): Row[] {
  const { currency, invoice_number, to_invoice, to_balance, outside } = note;
  const parts = [
    [`Off invoice ${invoice_number}`, to_invoice],
    ['To your balance', to_balance],
    ['Paid back', outside],
  ] as const;
  return [
    ...sumsOf(note, currency),
    ...parts.flatMap(([label, amount]) => (isZero(amount) ? [] : [totalRow({ label, amount, currency })])),
  ];
}
