import { setImmediate } from 'node:timers/promises';
import type { Invoice } from '../../src/objects/invoice.ts';
import { grouped } from '../../src/domain/lines/description.ts';
import { decimal } from '../../src/domain/money/decimal.ts';
import { isZero, negated } from '../../src/domain/money/figures.ts';
import { toAmount } from '../../src/domain/money/money.ts';
import { drawHead } from './document-head.ts';
import { bandsOf, factsOf } from './invoice-head.ts';
import { COLUMNS, headOf, rowsOfLine } from './invoice-rows.ts';
import { drawNotes, drawTotals, FOOTER, sumsOf, totalRow } from './document-totals.ts';
import { bytesOf, INK, openPaper, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';
import { nameOf, type PrintedInvoice } from './printed-invoice.ts';

const DUE: Style = { weight: 'bold', size: 11, color: INK };

/**
 * Renders an invoice on A4 pages; equal invoices give equal bytes. Amounts are the invoice's own, in full. Payments are
 * not printed, so the PDF of an issued invoice stays the same until a void adds its band (billing.md 6). Between rows
 * and pages it yields to the event loop, so that PDFs made at the same time take turns.
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
  drawHead(paper, { title: 'Invoice', seller, customer: invoice.customer, facts: factsOf(printed) });
  await drawLines(paper, printed);
  drawTotals(paper, totalsOf(invoice));
  drawNotes(paper, invoice.tax.note, seller.footer);
  return bytesOf(paper, { seller: seller.name, name: `invoice ${name}` });
}

/**
 * Keeps on one page: the table's head with the first line, and each line with the head of its tiers and its first tier.
 */
async function drawLines(paper: Paper, { invoice, charges }: PrintedInvoice): Promise<void> {
  const { currency } = invoice;
  const line_items = printedLines(invoice);
  const head = headOf(currency);
  const table = startTable(paper, COLUMNS);
  for (const [place, item] of line_items.entries()) {
    const { line, tier_head, tiers } = rowsOfLine(item, { charges, currency });
    const tier_heads = tier_head === null ? [] : [tier_head];
    const together = [line, ...tier_heads, ...tiers.slice(0, 1)];
    drawRows(paper, table, { rows: place === 0 ? [head, ...together] : together, heads: [head] });
    const heads = [head, ...tier_heads.map(continued)];
    for (const tier of tiers.slice(1)) {
      drawRows(paper, table, { rows: [tier], heads });
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

function continued({ cells: [first, ...other_cells], ...row }: Row): Row {
  return { ...row, cells: [`${first} (continued)`, ...other_cells] };
}

/** The amount due is the amount at the issue, whatever has been paid since. */
function totalsOf(invoice: Invoice): Row[] {
  const { currency, subtotal, tax, total, balance_at_issue, credits_applied } = invoice;
  const balance = isZero(balance_at_issue)
    ? []
    : [totalRow({ label: 'Balance applied', amount: negated(balance_at_issue), currency })];
  const due = toAmount(decimal(total).minus(balance_at_issue), currency);
  return [
    ...sumsOf({ subtotal, tax, total }, currency),
    ...balance,
    totalRow({ label: 'Amount due', amount: due, currency, style: DUE }),
    ...(credits_applied === '0' ? [] : [unitsRow(`${grouped(credits_applied)} units`)]),
  ];
}

function unitsRow(units: string): Row {
  return { cells: ['', 'Credit used', units], style: FOOTER };
}
