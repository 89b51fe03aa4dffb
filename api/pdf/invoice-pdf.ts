import { setImmediate } from 'node:timers/promises';
import type { Invoice } from '../../src/db/invoices.ts';
import { grouped } from '../../src/domain/description.ts';
import { isolated } from '../../src/domain/isolated.ts';
import { bandsOf, drawHead } from './invoice-head.ts';
import { COLUMNS, headOf, rowsOfLine } from './invoice-rows.ts';
import { bytesOf, GREY, INK, openPaper, WIDTH, writeParagraph, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Column, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';
import { nameOf, type PrintedInvoice } from './printed-invoice.ts';

const TOTALS: readonly Column[] = [
  { width: WIDTH - 250, align: 'left' },
  { width: 110, align: 'left' },
  { width: 140, align: 'right' },
];
const PLAIN: Style = { weight: 'regular', size: 9, color: INK };
const STRONG: Style = { weight: 'bold', size: 9, color: INK };
const DUE: Style = { weight: 'bold', size: 11, color: INK };
const FOOTER: Style = { weight: 'regular', size: 8, color: GREY };
const SPACE = 20;

/**
 * Renders an invoice on A4 pages; equal invoices give equal bytes. Amounts are the invoice's own, in full. Payments are not printed, so
 * the PDF of an issued invoice stays the same until a void adds its band (billing.md 6). Between rows and pages it yields to the event
 * loop, so that PDFs made at the same time take turns.
 */
export async function invoicePdf(printed: PrintedInvoice): Promise<Buffer> {
  const { invoice } = printed;
  const { seller } = invoice;
  const name = nameOf(invoice);
  const paper = openPaper({
    title: `Invoice ${name}`,
    author: seller.name,
    created_at: invoice.issued_at ?? invoice.created_at,
    bands: bandsOf(printed),
  });
  drawHead(paper, printed);
  await drawLines(paper, printed);
  drawTotals(paper, invoice);
  if (invoice.tax.note !== null) {
    paper.y += SPACE / 2;
    writeParagraph(paper, `${invoice.tax.note}.`, PLAIN);
  }
  if (seller.footer !== null) {
    paper.y += SPACE;
    writeParagraph(paper, seller.footer, FOOTER);
  }
  return bytesOf(paper, `${isolated(seller.name)}, invoice ${name}`);
}

/** Keeps on one page: the table's head with the first line, and each line with the head of its tiers and its first tier. */
async function drawLines(paper: Paper, { invoice, charges }: PrintedInvoice): Promise<void> {
  const { currency } = invoice;
  const line_items = printedLines(invoice);
  const head = headOf(currency);
  const table = startTable(paper, COLUMNS);
  for (const [place, item] of line_items.entries()) {
    const { line, tier_head, tiers } = rowsOfLine(item, { charges, currency });
    const tier_heads = tier_head === null ? [] : [tier_head];
    const together = [line, ...tier_heads, ...tiers.slice(0, 1)];
    if (place === 0) drawRows(paper, table, [head, ...together]);
    else drawRows(paper, table, together, [head]);
    const heads = [head, ...tier_heads.map(continued)];
    for (const tier of tiers.slice(1)) {
      drawRows(paper, table, [tier], heads);
      await setImmediate();
    }
    await setImmediate();
  }
}

/** Without the lines of quantity and amount 0, if the invoice leaves them out. */
function printedLines({ line_items, hide_zero_lines }: Invoice): Invoice['line_items'] {
  if (!hide_zero_lines) return line_items;
  return line_items.filter(({ quantity, amount }) => quantity !== '0' || !isZero(amount));
}

function isZero(amount: string): boolean {
  return /^-?0(\.0+)?$/.test(amount);
}

function continued({ cells: [first, ...others], ...row }: Row): Row {
  return { ...row, cells: [`${first} (continued)`, ...others] };
}

/** The amount due is the amount at the issue, whatever has been paid since. */
function drawTotals(paper: Paper, invoice: Invoice): void {
  const { currency, subtotal, tax, total, credits_applied } = invoice;
  const money = (amount: string) => `${grouped(amount)} ${currency}`;
  const row = (label: string, text: string, style = PLAIN): Row => ({ cells: ['', label, text], style });
  paper.y += SPACE / 2;
  drawRows(paper, startTable(paper, TOTALS), [
    row('Subtotal', money(subtotal)),
    row(`Tax (${grouped(tax.rate)}%)`, money(tax.amount)),
    row('Total', money(total), STRONG),
    row('Amount due', money(total), DUE),
    ...(credits_applied === '0' ? [] : [row('Credit used', `${grouped(credits_applied)} units`, FOOTER)]),
  ]);
}
