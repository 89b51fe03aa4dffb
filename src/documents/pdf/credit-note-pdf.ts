import { setImmediate } from 'node:timers/promises';
import type { CreditNote } from '../../objects/credit-note.ts';
import { dayInWords, grouped } from '../../domain/lines/description.ts';
import { isZero } from '../../domain/money/figures.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import { drawHead, type Fact } from './document-head.ts';
import { drawNotes, drawTotals, sumsOf, totalRow } from './document-totals.ts';
import { TEST_BAND, VOID } from './invoice-head.ts';
import { namedZone, withoutZone } from './named-zone.ts';
import { logoOf } from './pdf-logo.ts';
import { bytesOf, INK, openPaper, WIDTH, type Band, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Column, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';

const COLUMNS: readonly Column[] = [
  { width: WIDTH - 110, align: 'left' },
  { width: 110, align: 'right' },
];
const HEAD: Style = { weight: 'bold', size: 8, color: INK };
const LINE: Style = { weight: 'regular', size: 8.5, color: INK };

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
  await drawLines(paper, note);
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

async function drawLines(paper: Paper, { lines, currency, timezone }: CreditNote): Promise<void> {
  const head: Row = { cells: ['Credited', `Amount (${currency})`], style: HEAD, is_head: true };
  const table = startTable(paper, COLUMNS);
  for (const [place, { description, amount }] of lines.entries()) {
    const cells = [withoutZone(description, timezone), grouped(amount)];
    const row: Row = { cells, style: LINE, has_rule: true };
    drawRows(paper, table, { rows: place === 0 ? [head, row] : [row], heads: [head] });
    await setImmediate();
  }
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
