import { Option } from 'commander';

/** Everything that commands print. Plain text, the same on a terminal and in a pipe. */

export type Printed = { json: boolean };

export function jsonOption(description = 'print one JSON document and nothing else'): Option {
  return new Option('--json', description).default(false);
}

/** Prints a result: as JSON where that was asked for, else as text for a reader. */
export function printResult({ json }: Printed, result: unknown, text: string): void {
  printLine(json ? jsonOf(result, 2) : text);
}

/** JSON in which every control character is escaped, not only those that the format asks for. */
export function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

/** What a customer's data holds may not steer the terminal of whoever looks at it. */
export function printLine(text: string): void {
  process.stdout.write(`${text.replace(/[^\P{Cc}\n]/gu, '?')}\n`);
}

/** A page of a list as the API answers it. */
export type List<Item> = {
  object: 'list';
  data: readonly Item[];
  has_more: boolean;
  next_cursor: string | null;
};

/** Prints a page as a table: what its columns are called, and what they show of an item. */
export function printList<Item>(
  printed: Printed,
  list: List<Item>,
  columns: Readonly<Record<string, (item: Item) => string | null>>,
): void {
  const rows = list.data.map((item) => Object.values(columns).map((show) => show(item) ?? '-'));
  const headings = Object.keys(columns).map((name) => name.toUpperCase());
  printResult(printed, list, rows.length === 0 ? 'None.' : inColumns([headings, ...rows]));
  if (!printed.json && list.next_cursor !== null)
    console.error(`There are more: --cursor ${list.next_cursor}`);
}

/** Names and values, one a line; null shows as a dash. */
export function fieldLines(fields: Readonly<Record<string, string | null>>): string {
  return inColumns(Object.entries(fields).map(([name, value]) => [name, value ?? '-']));
}

/** Rows of equally many cells, each column as wide as its widest cell. */
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
