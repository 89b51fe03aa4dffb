import { drawOrnament, drawRule, hasRoom, LEFT, PALE, turnPage, type Paper, type Part } from './pdf-paper.ts';
import { drawLines, heightOf, shrunk, wrap, type Alignment, type Line, type Style } from './pdf-text.ts';

/** `width` is in points and includes the gap to the next column. */
export type Column = { width: number; align: Alignment };
/** One cell for each column. `indent` shifts the first, in points; `has_rule` draws a line above; `is_head` marks column headings. */
export type Row = {
  cells: readonly string[];
  style: Style;
  indent?: number;
  has_rule?: boolean;
  is_head?: boolean;
};
export type Table = { columns: readonly Column[]; part: Part };

const GAP = 8;
const PADDING = 3;

type Cell = { lines: Line[]; style: Style; x: number; width: number; align: Alignment };
type LaidRow = { cells: Cell[]; height: number; row: Row };

/** Adds a table to the tags for screen readers; draws nothing. */
export function startTable({ document, whole }: Paper, columns: readonly Column[]): Table {
  const part = document.struct('Table');
  whole.add(part);
  return { columns, part };
}

/** Draws rows that stay together. If this page has no room for all of them, draws `heads` and then the rows on the next page. */
export function drawRows(paper: Paper, table: Table, rows: readonly Row[], heads: readonly Row[] = []): void {
  const layAll = (all: readonly Row[]) => all.map((row) => layOut(paper, table.columns, row));
  const laid = layAll(rows);
  if (
    !hasRoom(
      paper,
      laid.reduce((height, row) => height + row.height, 0),
    )
  ) {
    turnPage(paper);
    // Screen readers have read the heads already.
    for (const row of layAll(heads)) drawOrnament(paper, () => drawRow(paper, row, null));
  }
  for (const row of laid) {
    if (row.row.has_rule === true) drawRule(paper, PALE);
    const part = paper.document.struct('TR');
    table.part.add(part);
    drawRow(paper, row, part);
  }
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

function drawRow(paper: Paper, { cells, height, row }: LaidRow, part: Part | null): void {
  const { document, y } = paper;
  for (const { lines, style, ...place } of cells) {
    const draw = () => drawLines(document, lines, style, { ...place, y: y + PADDING });
    if (part === null) draw();
    else part.add(document.struct(row.is_head === true ? 'TH' : 'TD', {}, draw));
  }
  paper.y += height;
}
