import { parse } from 'csv-parse/browser/esm/sync';

/** A line of a bank's file; `number` counts from 1. */
export type BankLine = { number: number; cells: readonly string[] };
/** A bank's file: the titles of its columns, and the lines below. */
export type BankTable = { titles: readonly string[]; lines: readonly BankLine[] };

/** Limits of a file. */
export const FILE_BYTES_MAX = 5 * 1024 * 1024;
export const LINES_MAX = 5000;

const DELIMITERS = [';', ',', '\t'] as const;
/** Banks begin with lines about the account. */
const LINES_BEFORE_TITLES_MAX = 30;

/**
 * Reads a bank's file. Its text is UTF-8, else Windows-1252; the delimiter is the one that gives the most cells. The
 * titles are in the widest of the lines at the top, the first one of equal width. Null without titles and a line.
 */
export function readTable(bytes: Uint8Array<ArrayBuffer>): BankTable | null {
  // The parser counts a break of two characters in quotes as two lines.
  const text = textOf(bytes).replaceAll('\r\n', '\n');
  const [lines] = DELIMITERS.map((delimiter) => linesOf(text, delimiter)).toSorted(
    (a, b) => cellsOf(b) - cellsOf(a),
  );
  const first = lines!.slice(0, LINES_BEFORE_TITLES_MAX);
  const width = Math.max(0, ...first.map(filledOf));
  const at = first.findIndex((line) => filledOf(line) === width);
  if (width < 2 || at === lines!.length - 1) return null;
  return { titles: lines![at]!.cells, lines: lines!.slice(at + 1) };
}

function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The lines that are not empty; none where quotes are not closed, as with a wrong delimiter. */
function linesOf(text: string, delimiter: string): BankLine[] {
  const found: BankLine[] = [];
  try {
    parse(text, {
      delimiter,
      bom: true,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines: number }) => {
        found.push({ number, cells });
        return null;
      },
    });
  } catch {
    return [];
  }
  return found;
}

function cellsOf(lines: readonly BankLine[]): number {
  return lines.reduce((sum, { cells }) => sum + cells.length, 0);
}

function filledOf({ cells }: BankLine): number {
  return cells.filter((cell) => cell !== '').length;
}
