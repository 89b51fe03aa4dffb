import { Option } from 'commander';

/** Output of the commands: plain text, the same on a terminal and in a pipe. */

export type Printed = { json: boolean };

/** The option `--json`. */
export function jsonOption(description = 'print one JSON document and nothing else'): Option {
  return new Option('--json', description).default(false);
}

/** Prints a result: as JSON with --json, else as text. */
export function printResult({ json }: Printed, result: unknown, text: string): void {
  printLine(json ? jsonOf(result, 2) : text);
}

/** JSON with every control character escaped, also those that JSON allows unescaped (U+007F to U+009F). */
export function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

/**
 * Replaces control characters by `?`, so that customer data cannot send escape sequences to the operator's terminal.
 */
export function printLine(text: string): void {
  process.stdout.write(`${text.replace(/[^\P{Cc}\n]/gu, '?')}\n`);
}

/** A page of a list, as in the API's response. */
export type List<Item> = {
  object: 'list';
  data: readonly Item[];
  has_more: boolean;
  next_cursor: string | null;
};

/** Prints a page as a table. `columns` maps a column's name to the cell's text for an item; null shows as a dash. */
export function printList<Item>(
  printed: Printed,
  list: List<Item>,
  columns: Readonly<Record<string, (item: Item) => string | null>>,
): void {
  const rows = list.data.map((item) => Object.values(columns).map((show) => show(item) ?? '-'));
  const headings = Object.keys(columns).map((name) => name.toUpperCase());
  printResult(printed, list, rows.length === 0 ? 'None.' : inColumns([headings, ...rows]));
  if (!printed.json && list.next_cursor !== null) console.error(`Next page: --cursor ${list.next_cursor}`);
}

/** Names and values, one pair per line; null shows as a dash. */
export function fieldLines(fields: Readonly<Record<string, string | null>>): string {
  return inColumns(Object.entries(fields).map(([name, value]) => [name, value ?? '-']));
}

/** Formats rows with the same number of cells, each column as wide as its widest cell. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
