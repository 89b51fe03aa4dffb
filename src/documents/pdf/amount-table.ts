import { setImmediate } from 'node:timers/promises';
import { grouped } from '../../domain/lines/description.ts';
import { INK, WIDTH, type Paper } from './pdf-paper.ts';
import { drawRows, startTable, type Column, type Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';

const COLUMNS: readonly Column[] = [
  { width: WIDTH - 110, align: 'left' },
  { width: 110, align: 'right' },
];
const HEAD: Style = { weight: 'bold', size: 8, color: INK };
const LINE: Style = { weight: 'regular', size: 8.5, color: INK };

/** An amount and its purpose. */
export type AmountLine = { description: string; amount: string };

/**
 * Draws a table of amounts, whose head is once on each page. It yields to the event loop after each line, so that PDFs
 * made at the same time take turns.
 */
export async function drawAmounts(
  paper: Paper,
  { title, currency, lines }: { title: string; currency: string; lines: readonly AmountLine[] },
): Promise<void> {
  const head: Row = { cells: [title, `Amount (${currency})`], style: HEAD, is_head: true };
  const table = startTable(paper, COLUMNS);
  for (const [place, { description, amount }] of lines.entries()) {
    const row: Row = { cells: [description, grouped(amount)], style: LINE, has_rule: true };
    drawRows(paper, table, { rows: place === 0 ? [head, row] : [row], heads: [head] });
    await setImmediate();
  }
}
