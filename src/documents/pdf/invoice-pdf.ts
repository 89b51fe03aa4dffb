import { setImmediate } from 'node:timers/promises';
import type { Invoice } from '../../objects/invoice.ts';
import { grouped } from '../../domain/lines/description.ts';
import { isZero, negated } from '../../domain/money/figures.ts';
import { drawHead } from './document-head.ts';
import { bandsOf, dueOf, factsOf } from './invoice-head.ts';
import {
  COLUMNS,
  CONTINUED,
  headOf,
  LINES_TITLE,
  rowsOfLine,
  rowsOfSums,
  SUMS_TITLE,
} from './invoice-rows.ts';
import { drawNotes, drawTotals, FOOTER, sumsOf, totalRow } from './document-totals.ts';
import { logoOf } from './pdf-logo.ts';
import { bytesOf, INK, openPaper, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';
import { nameOf, type PrintedInvoice } from './printed-invoice.ts';

const DUE: Style = { weight: 'bold', size: 11, color: INK };
/** The most lines that have no sums by charge before them. */
const LINES_WITHOUT_SUMS = 40;
/** Tiers that stay on the page of their line, if one page has room for them. */
const TIERS_TOGETHER = 20;

/**
 * Renders an invoice on A4 pages; equal invoices give equal bytes. Amounts are the invoice's own, in full. Payments are
 * not printed, so the PDF of an issued invoice stays the same until a void adds its band (billing.md 6). Between rows
 * and pages it yields to the event loop, so that PDFs made at the same time take turns.
 */
export async function invoicePdf(printed: PrintedInvoice): Promise<Buffer> {
  const { invoice } = printed;
  const { seller } = invoice;
  const name = nameOf(invoice);
  const logo = printed.logo === null ? null : await logoOf(printed.logo);
  const paper = openPaper({
    title: `Invoice ${name}`,
    author: seller.name,
    created_at: invoice.issued_at ?? invoice.created_at,
    bands: bandsOf(printed),
  });
  drawHead(paper, { title: 'Invoice', logo, seller, customer: invoice.customer, facts: factsOf(printed) });
  await drawLines(paper, printed);
  drawTotals(paper, totalsOf(invoice));
  drawNotes(paper, invoice.tax.note, seller.footer);
  return bytesOf(paper, { seller: seller.name, name: `invoice ${name}` });
}

/**
 * Draws the lines in one table, whose head is once on each page. Keeps on one page: the head with the first line, and
 * each line with its discounts and its tiers, of many the first ones.
 */
async function drawLines(paper: Paper, { invoice, charges }: PrintedInvoice): Promise<void> {
  const { currency, timezone } = invoice;
  const line_items = printedLines(invoice);
  const head = headOf(currency);
  const table = startTable(paper, COLUMNS);
  let before = [head];
  if (line_items.length > LINES_WITHOUT_SUMS) {
    before.push(SUMS_TITLE);
    for (const row of rowsOfSums(line_items, charges, invoice.subtotal)) {
      drawRows(paper, table, { rows: [...before, row], heads: [head] });
      before = [];
    }
    before = [LINES_TITLE];
  }
  for (const item of line_items) {
    const { line, discounts, tiers } = rowsOfLine(item, { charges, currency, timezone });
    const together = tiers.splice(0, TIERS_TOGETHER);
    drawRows(paper, table, { rows: [...before, line, ...discounts, ...together], heads: [head] });
    before = [];
    for (const tier of tiers) {
      drawRows(paper, table, { rows: [tier], heads: [head, CONTINUED] });
      await setImmediate();
    }
    await setImmediate();
  }
}

/** The lines to print: all, or without those of quantity and amount 0 if the invoice leaves them out. */
function printedLines({ line_items, hide_zero_lines }: Invoice): Invoice['line_items'] {
  if (!hide_zero_lines) return line_items;
  return line_items.filter(({ quantity, amount }) => quantity !== '0' || !isZero(amount));
}

function totalsOf(invoice: Invoice): Row[] {
  const { currency, subtotal, tax, total, balance_at_issue, credits_applied } = invoice;
  const balance = isZero(balance_at_issue)
    ? []
    : [totalRow({ label: 'Balance applied', amount: negated(balance_at_issue), currency })];
  return [
    ...sumsOf({ subtotal, tax, total }, currency),
    ...balance,
    totalRow({ label: 'Amount due', amount: dueOf(invoice), currency, style: DUE }),
    ...(credits_applied === '0' ? [] : [unitsRow(`${grouped(credits_applied)} units`)]),
  ];
}

function unitsRow(units: string): Row {
  return { cells: ['', 'Credit used', units], style: FOOTER };
}
