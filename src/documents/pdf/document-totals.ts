import type { InvoiceTax } from '../../domain/invoice/invoice.ts';
import { grouped } from '../../domain/lines/description.ts';
import { GREY, INK, WIDTH, writeParagraph, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Column, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';

const TOTALS: readonly Column[] = [
  { width: WIDTH - 250, align: 'left' },
  { width: 110, align: 'left' },
  { width: 140, align: 'right' },
];
const PLAIN: Style = { weight: 'regular', size: 9, color: INK };
const STRONG: Style = { weight: 'bold', size: 9, color: INK };
export const FOOTER: Style = { weight: 'regular', size: 8, color: GREY };
const SPACE = 20;

type Total = { label: string; amount: string; currency: string; style?: Style };

/** A row of a document's totals. */
export function totalRow({ label, amount, currency, style = PLAIN }: Total): Row {
  return { cells: ['', label, `${grouped(amount)} ${currency}`], style };
}

/** The rows of subtotal, tax and total. */
export function sumsOf(
  { subtotal, tax, total }: { subtotal: string; tax: InvoiceTax; total: string },
  currency: string,
): Row[] {
  return [
    totalRow({ label: 'Subtotal', amount: subtotal, currency }),
    totalRow({ label: `Tax (${grouped(tax.rate)}%)`, amount: tax.amount, currency }),
    totalRow({ label: 'Total', amount: total, currency, style: STRONG }),
  ];
}

export function drawTotals(paper: Paper, rows: readonly Row[]): void {
  paper.y += SPACE / 2;
  drawRows(paper, startTable(paper, TOTALS), { rows });
}

/** Draws the sentences below the totals, and the footer of the seller; null is left out. */
export function drawNotes(paper: Paper, sentence: string | null, footer: string | null): void {
  if (sentence !== null) {
    paper.y += SPACE / 2;
    writeParagraph(paper, `${sentence}.`, PLAIN);
  }
  if (footer !== null) {
    paper.y += SPACE;
    writeParagraph(paper, footer, FOOTER);
  }
}
