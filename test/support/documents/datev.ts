import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** A row: its amount with a point, and texts without their quotes. */
export type DatevRow = {
  amount: string;
  side: 'S' | 'H';
  currency: string;
  konto: string;
  gegenkonto: string;
  tax_key: string;
  day: string;
  number: string;
  text: string;
  vat_id: string;
};

/** The 31 fields of the first line as they stand, and the rows. */
export type DatevFile = { name: string; head: string[]; rows: DatevRow[] };

/** SHA-256 of the 125 titles of version 13, joined by `;`, in UTF-8, as DATEV's own sample has them. */
const TITLES_HASH = '098f89c80237a74bfa03dd3e1f4bb5cf2ecc8157fb4ee373626bdd70a0966cf7';

/** The expressions of DATEV's description of the first line. */
const HEAD: readonly RegExp[] = [
  ...[/^"EXTF"$/, /^700$/, /^21$/, /^"Buchungsstapel"$/, /^13$/, /^20\d{15}$/, /^$/],
  ...[
    /^"\w{0,2}"$/,
    /^"\w{0,25}"$/,
    /^"\w{0,25}"$/,
    /^(\d{4,6}|\d{7})$/,
    /^\d{1,5}$/,
    /^20\d{6}$/,
    /^[4-8]$/,
  ],
  ...[
    /^20\d{6}$/,
    /^20\d{6}$/,
    /^"[\w.\-/ ]{0,30}"$/,
    /^"([A-Z]{2}){0,2}"$/,
    /^[1-2]$/,
    /^(0|30|40|50|64)$/,
    /^(0|1)$/,
  ],
  ...[/^"[A-Z]{3}"$/, /^$/, /^""$/, /^$/, /^$/, /^"(\d{2}){0,2}"$/, /^\d{0,4}$/, /^$/, /^""$/, /^".{0,16}"$/],
];

/** Those of the fields of a row that Tidemark fills, by their number; all others are empty. */
const ROW: Readonly<Record<number, RegExp>> = {
  1: /^(?!0{1,10},00)\d{1,10},\d{2}$/,
  2: /^"[SH]"$/,
  3: /^"[A-Z]{3}"$/,
  7: /^\d{1,9}$/,
  8: /^\d{1,9}$/,
  9: /^"(\d{1,4})?"$/,
  10: /^\d{4}$/,
  11: /^"[\w$&%*+\-/]{0,36}"$/,
  14: /^"([^"\r\n]|""){0,60}"$/,
  40: /^"\w{0,15}"$/,
  114: /^[01]$/,
};

/** Downloads a file for DATEV, checks its form, and reads it. */
export async function datevFrom(url: string, key: string): Promise<DatevFile> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=windows-1252');
  const [, name = ''] = /^attachment; filename="(EXTF_\d{4}-\d\d_[A-Z]{3}\.csv)"$/.exec(
    response.headers.get('content-disposition')!,
  )!;
  return { name, ...readDatev(bytes) };
}

/** Reads the bytes of a file, and checks them by DATEV's description. */
export function readDatev(bytes: Buffer): Omit<DatevFile, 'name'> {
  const text = new TextDecoder('windows-1252').decode(bytes);
  assert.ok(text.endsWith('\r\n'), 'the last line ends');
  const lines = text.slice(0, -2).split('\r\n');
  assert.doesNotMatch(lines.join(''), /[\r\n]/);
  const [head = [], titles = [], ...rows] = lines.map(fieldsOf);
  assert.equal(head.length, HEAD.length);
  for (const [place, field] of head.entries())
    assert.match(field, HEAD[place]!, `field ${place + 1} of the head`);
  assert.equal(createHash('sha256').update(titles.join(';')).digest('hex'), TITLES_HASH);
  return { head, rows: rows.map(rowOf) };
}

/** The fields of a line as they stand, with their quotes. */
function fieldsOf(line: string): string[] {
  const fields = line.match(/(?<=^|;)("([^"]|"")*"|[^;"]*)(?=;|$)/g) ?? [];
  assert.equal(fields.join(';'), line);
  return fields;
}

function rowOf(fields: readonly string[]): DatevRow {
  assert.equal(fields.length, 125);
  for (const [place, field] of fields.entries())
    assert.match(field, ROW[place + 1] ?? /^("")?$/, `field ${place + 1}`);
  const text = (number: number) => fields[number - 1]!.slice(1, -1).replaceAll('""', '"');
  return {
    amount: fields[0]!.replace(',', '.'),
    side: fields[1] === '"S"' ? 'S' : 'H',
    currency: text(3),
    ...{ konto: fields[6]!, gegenkonto: fields[7]!, tax_key: text(9), day: fields[9]! },
    ...{ number: text(11), text: text(14), vat_id: text(40) },
  };
}
