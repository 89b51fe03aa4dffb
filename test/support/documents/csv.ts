import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { send } from '../servers/api.ts';

export type CsvFile = { names: string[]; rows: Record<string, string>[] };

/** Downloads a CSV file, checks its form, and reads it. */
export async function csvFrom(url: string, key: string): Promise<CsvFile> {
  const { status, headers, body } = await send(url, { key });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(headers.get('content-disposition')!, /^attachment; filename="[a-z-]+\.csv"$/);
  return readCsv(`${body}`);
}

/** The rows of a CSV file by the names of its columns; fails for a line with more or fewer cells than the header line. */
export function readCsv(text: string): CsvFile {
  const [names, ...lines] = parse(text);
  return {
    names: names!,
    rows: lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [names![at], cell]))),
  };
}
