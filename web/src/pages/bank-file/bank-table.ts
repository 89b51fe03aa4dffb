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
 * Reads a bank's file. Its text is UTF-8, else Windows-1252; the delimiter is the one that gives the most cells, and
 * the titles are the first of the first lines with as many cells as any of them. Null if there are no titles and a line.
 */
export function readTable(bytes: Uint8Array<ArrayBuffer>): BankTable | null {
  const text = textOf(bytes);
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

type Parsed = { record: string[]; info: { lines: number } };

/** The lines that are not empty; none where quotes are not closed, as with a wrong delimiter. */
function linesOf(text: string, delimiter: string): BankLine[] {
  const options = { delimiter, bom: true, info: true, trim: true } as const;
  try {
    const parsed: Parsed[] = parse(text, {
      ...options,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
    return parsed.map(({ record, info }) => ({ number: info.lines, cells: record }));
  } catch {
    return [];
  }
}

function cellsOf(lines: readonly BankLine[]): number {
  return lines.reduce((sum, { cells }) => sum + cells.length, 0);
}

function filledOf({ cells }: BankLine): number {
  return cells.filter((cell) => cell !== '').length;
}
