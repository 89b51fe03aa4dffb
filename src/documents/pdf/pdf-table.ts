import {
  drawOrnament,
  drawRule,
  hasRoom,
  LEFT,
  PALE,
  roomOf,
  roomOfPage,
  turnPage,
  type Paper,
  type Part,
} from './pdf-paper.ts';
import {
  countFitting,
  drawLines,
  heightOf,
  shrunk,
  wrap,
  type Alignment,
  type Line,
  type Style,
} from './pdf-text.ts';

/** `width` is in points and includes the gap to the next column. */
export type Column = { width: number; align: Alignment };
/**
 * One cell for each column. `indent` shifts the first, in points; `has_rule` draws a line above; `is_head` marks column
 * headings.
 */
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
/** `goes_on`: the rest of the row is on the next page. */
type LaidRow = { cells: Cell[]; height: number; row: Row; goes_on: boolean };

/** Adds a table to the tags for screen readers; draws nothing. */
export function startTable({ document, whole }: Paper, columns: readonly Column[]): Table {
  const part = document.struct('Table');
  whole.add(part);
  return { columns, part };
}

type DrawnRows = { rows: readonly Row[]; heads?: readonly Row[] };

/**
 * Draws rows that stay together. If this page has no room for all of them, draws `heads` and then the rows on the next
 * page. A row that is higher than a page goes on on the next ones, below `heads`. The first of the rows may be a head
 * itself.
 */
export function drawRows(paper: Paper, table: Table, { rows, heads = [] }: DrawnRows): void {
  const layAll = (all: readonly Row[]) => all.map((row) => layOut(paper, table.columns, row));
  const laid = layAll(rows);
  const repeated = layAll(heads);
  const drawHeads = () => {
    // Screen readers have read the heads already.
    for (const row of repeated) drawOrnament(paper, () => drawRow(paper, row, null));
  };
  if (!hasRoom(paper, heightOfAll(laid))) {
    turnPage(paper);
    if (laid[0]?.row.is_head !== true) drawHeads();
  }
  const room_of_page = roomOfPage(paper) - heightOfAll(repeated);
  for (const row of laid) {
    if (row.row.has_rule === true && hasRoom(paper, row.height)) drawRule(paper, PALE);
    for (let rest: LaidRow | null = row; rest !== null;) {
      const [here, more]: Parted = rest.height > room_of_page ? partedAt(rest, roomOf(paper)) : [rest, null];
      if (hasRoom(paper, here.height)) {
        const part = paper.document.struct('TR');
        table.part.add(part);
        drawRow(paper, here, part);
        rest = more;
      }
      if (rest === null) break;
      turnPage(paper);
      drawHeads();
    }
  }
}

function heightOfAll(rows: readonly LaidRow[]): number {
  return rows.reduce((height, row) => height + row.height, 0);
}

/** A row, and its rest for the next page; null if there is none. */
type Parted = [here: LaidRow, more: LaidRow | null];

/** Parts a row so that its first part fits a room, if that has a line of each cell. */
function partedAt(row: LaidRow, room: number): Parted {
  const cut = (take: (lines: readonly Line[], count: number) => Line[]) => {
    const cells = row.cells.map((cell) => {
      const count = countFitting(cell.lines, cell.style, room - 2 * PADDING);
      return { ...cell, lines: take(cell.lines, Math.max(1, count)) };
    });
    return { ...row, cells, height: heightOfCells(cells) };
  };
  const here = cut((lines, count) => lines.slice(0, count));
  const more = cut((lines, count) => lines.slice(count));
  if (more.cells.every(({ lines }) => lines.length === 0)) return [row, null];
  return [{ ...here, goes_on: true }, more];
}

function layOut({ document }: Paper, columns: readonly Column[], row: Row): LaidRow {
  let x = LEFT;
  const cells = columns.map(({ width: outer, align }, index): Cell => {
    const indent = index === 0 ? (row.indent ?? 0) : 0;
    const width = outer - indent - (index === columns.length - 1 ? 0 : GAP);
    const text = row.cells[index] ?? '';
    const style = align === 'right' ? shrunk(document, text, { style: row.style, width }) : row.style;
    const cell = { lines: wrap(document, text, { style, width }), style, x: x + indent, width, align };
    x += outer;
    return cell;
  });
  return { cells, height: heightOfCells(cells), row, goes_on: false };
}

function heightOfCells(cells: readonly Cell[]): number {
  return Math.max(...cells.map(({ lines, style }) => heightOf(lines, style))) + 2 * PADDING;
}

function drawRow(paper: Paper, { cells, height, row, goes_on }: LaidRow, part: Part | null): void {
  const { document, y } = paper;
  for (const { lines, ...place } of cells) {
    const draw = () => drawLines(document, lines, { ...place, y: y + PADDING, is_followed: goes_on });
    if (part === null) draw();
    else part.add(document.struct(row.is_head === true ? 'TH' : 'TD', {}, draw));
  }
  paper.y += height;
}
