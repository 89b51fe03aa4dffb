import { stringify } from 'csv-stringify/sync';
import type { TSchema } from 'typebox';

/** A column of a CSV file: its name, and the path of its member in a row. */
export type Column = { name: string; path: readonly string[] };

type Shape = TSchema & { properties?: Record<string, Shape>; anyOf?: Shape[] };

/** Characters that a spreadsheet takes for the beginning of a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
/** RFC 4180. */
const LINE_END = '\r\n';

/**
 * The columns of the rows of a schema, in its order. Members of a nested object are joined by `_`:
 * `seller_address_city`.
 */
export function columnsOf(schema: Shape, path: readonly string[] = []): Column[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const at = [...path, name];
    // An object without members of its own, such as `group`, is one cell.
    const object = [member, ...(member.anyOf ?? [])].find(
      ({ properties }) => Object.keys(properties ?? {}).length > 0,
    );
    return object === undefined ? [{ name: at.join('_'), path: at }] : columnsOf(object, at);
  });
}

/** The header line. */
export function headerOf(columns: readonly Column[]): string {
  return linesOf([columns.map(({ name }) => name)]);
}

/**
 * One line for each row. A value that is null or absent is an empty cell; decimals, instants and lists are as in JSON.
 */
export function csvOf(columns: readonly Column[], rows: readonly object[]): string {
  return linesOf(rows.map((row) => columns.map(({ path }) => cellOf(valueAt(row, path)))));
}

function linesOf(cells: string[][]): string {
  return stringify(cells, { record_delimiter: LINE_END, quoted_match: /[\r\n]/ });
}

function valueAt(row: object, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) value = isRecord(value) ? value[name] : null;
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return FORMULA.test(value) && !DECIMAL.test(value) ? `'${value}` : value;
}
