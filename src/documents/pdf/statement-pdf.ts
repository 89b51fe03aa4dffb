import { setImmediate } from 'node:timers/promises';
import { dayInWords, grouped } from '../../domain/lines/description.ts';
import { isZero } from '../../domain/money/figures.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { STATEMENT_INVOICES_MAX, type Statement, type StatementLine } from '../../objects/statement.ts';
import { drawHead, type Fact } from './document-head.ts';
import { drawNotes, drawTotals, totalRow } from './document-totals.ts';
import { TEST_BAND } from './invoice-head.ts';
import { namedZone } from './named-zone.ts';
import { logoOf } from './pdf-logo.ts';
import { bytesOf, INK, openPaper, WIDTH, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Column, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';

/** A statement with its parties as they are now, the time zone of its days, and the PNG file of the logo. */
export type PrintedStatement = Pick<Invoice, 'seller' | 'customer' | 'timezone' | 'livemode'> & {
  statement: Statement;
  logo: Uint8Array | null;
};

const WIDTHS = { day: 64, days: 64, amount: 88 };
const COLUMNS: readonly Column[] = [
  { width: WIDTH - 2 * WIDTHS.day - WIDTHS.days - 2 * WIDTHS.amount, align: 'left' },
  { width: WIDTHS.day, align: 'left' },
  { width: WIDTHS.day, align: 'left' },
  { width: WIDTHS.days, align: 'right' },
  { width: WIDTHS.amount, align: 'right' },
  { width: WIDTHS.amount, align: 'right' },
];
const HEAD: Style = { weight: 'bold', size: 8, color: INK };
const LINE: Style = { weight: 'regular', size: 8.5, color: INK };

/**
 * Renders what a customer owes on A4 pages: a line for each open invoice, and the sums. Pauses are not printed. Equal
 * statements give equal bytes.
 */
export async function statementPdf(printed: PrintedStatement): Promise<Buffer> {
  const { statement, seller, customer, timezone, livemode } = printed;
  const day = dayOf(statement.as_of, timezone);
  const paper = openPaper({
    title: `Statement of account ${day}`,
    author: seller.name,
    created_at: statement.as_of,
    bands: livemode ? [] : [TEST_BAND],
  });
  const logo = printed.logo === null ? null : await logoOf(printed.logo);
  drawHead(paper, { title: 'Statement of account', logo, seller, customer, facts: factsOf(printed, day) });
  await drawInvoices(paper, printed);
  drawTotals(paper, totalsOf(statement));
  drawNotes(paper, noteOf(statement), seller.footer);
  return bytesOf(paper, { seller: seller.name, name: `statement of account ${day}` });
}

function factsOf({ statement, customer, timezone }: PrintedStatement, day: string): Fact[] {
  const { currency, amount_due } = statement;
  return [
    ['Amount due', `${grouped(amount_due)} ${currency}`, 'strong'],
    ['As of', dayInWords(day), 'strong'],
    ['Time zone', namedZone([], timezone)],
    ['Currency', currency],
    ['Your reference', customer.buyer_reference],
  ];
}

/** It yields to the event loop after each line, so that PDFs made at the same time take turns. */
async function drawInvoices(paper: Paper, { statement, timezone }: PrintedStatement): Promise<void> {
  const { data, currency } = statement;
  const titles = ['Invoice', 'Issued', 'Due', 'Days overdue', `Total (${currency})`, `Due (${currency})`];
  const head: Row = { cells: titles, style: HEAD, is_head: true };
  const table = startTable(paper, COLUMNS);
  for (const [place, line] of data.entries()) {
    const row: Row = { cells: cellsOf(line, timezone), style: LINE, has_rule: true };
    drawRows(paper, table, { rows: place === 0 ? [head, row] : [row], heads: [head] });
    await setImmediate();
  }
}

function cellsOf(line: StatementLine, timezone: string): string[] {
  const { number, issued_at, due_date, days_overdue, total, amount_due } = line;
  return [
    number,
    dayOf(issued_at, timezone),
    due_date,
    days_overdue === 0 ? '' : grouped(`${days_overdue}`),
    grouped(total),
    grouped(amount_due),
  ];
}

/** Says where the list ends before the sums do. */
function noteOf({ data }: Statement): string | null {
  if (data.length === 0) return 'No invoice is open';
  return data.length < STATEMENT_INVOICES_MAX
    ? null
    : `No more than ${grouped(`${STATEMENT_INVOICES_MAX}`)} invoices are listed; the sums are of all`;
}

function totalsOf({ currency, amount_due, overdue_amount, balance }: Statement): Row[] {
  const parts = [
    ['Of which overdue', overdue_amount],
    ['Your balance', balance],
  ] as const;
  return [
    totalRow({
      label: 'Amount due',
      amount: amount_due,
      currency,
      style: { ...LINE, size: 9, weight: 'bold' },
    }),
    ...parts.flatMap(([label, amount]) => (isZero(amount) ? [] : [totalRow({ label, amount, currency })])),
  ];
}
