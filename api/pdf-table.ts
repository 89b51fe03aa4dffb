import { drawRule, hasRoom, LEFT, PALE, turnPage, type Paper } from './pdf-paper.ts';
import { drawLines, heightOf, shrunk, wrap, type Alignment, type Style } from './pdf-text.ts';

/** `width` is in points, the gap to the next column included. */
export type Column = { width: number; align: Alignment };
/** A cell a column; `indent` moves the first one. `has_rule` draws a line above. */
export type Row = { cells: readonly string[]; style: Style; indent?: number; has_rule?: boolean };

const GAP = 8;
const PADDING = 3;

type Cell = { lines: string[]; style: Style; x: number; width: number; align: Alignment };
type LaidRow = { cells: Cell[]; height: number; row: Row };

/** Draws rows that stay together, on the next page if this one has no room for all of them; there `heads` come first. */
export function drawRows(
  paper: Paper,
  columns: readonly Column[],
  rows: readonly Row[],
  heads: readonly Row[] = [],
): void {
  const layAll = (all: readonly Row[]) => all.map((row) => layOut(paper, columns, row));
  const laid = layAll(rows);
  if (
    !hasRoom(
      paper,
      laid.reduce((height, row) => height + row.height, 0),
    )
  ) {
    turnPage(paper);
    for (const row of layAll(heads)) drawRow(paper, row);
  }
  for (const row of laid) drawRow(paper, row);
}

function layOut({ document }: Paper, columns: readonly Column[], row: Row): LaidRow {
  let x = LEFT;
  const cells = columns.map(({ width: outer, align }, index): Cell => {
    const indent = index === 0 ? (row.indent ?? 0) : 0;
    const width = outer - indent - (index === columns.length - 1 ? 0 : GAP);
    const text = row.cells[index] ?? '';
    const style = align === 'right' ? shrunk(document, text, row.style, width) : row.style;
    const cell = { lines: wrap(document, text, style, width), style, x: x + indent, width, align };
    x += outer;
    return cell;
  });
  const height = Math.max(...cells.map(({ lines, style }) => heightOf(lines, style)));
  return { cells, height: height + 2 * PADDING, row };
}

function drawRow(paper: Paper, { cells, height, row }: LaidRow): void {
  if (row.has_rule === true) drawRule(paper, paper.y, PALE);
  for (const { lines, style, ...place } of cells)
    drawLines(paper.document, lines, style, { ...place, y: paper.y + PADDING });
  paper.y += height;
}
