import type { BankLine, BankTable } from './bank-table.ts';

/** The order of the parts of a day. */
export const DAY_ORDERS = ['ymd', 'dmy', 'mdy'] as const;
type DayOrder = (typeof DAY_ORDERS)[number];

/**
 * The titles of the columns that have the parts of a row, and how they are written. Without `currency` all rows have
 * that of the account; without `name` the payer is not known.
 */
export type Columns = {
  paid_at: string;
  amount: string;
  reference: string;
  currency: string | null;
  name: string | null;
  day_order: DayOrder;
  decimal_sign: ',' | '.';
};

/** A row as the API takes it, beside the number of its line. */
export type BankRow = {
  line: number;
  paid_at: string;
  amount: string;
  currency: string;
  reference: string;
  name?: string;
};

/** Rows that can be sent, and for each other line what it lacks. */
export type ReadRows = { rows: BankRow[]; lacking: { line: number; what: string }[] };

const TEXT_MAX = 255;

/** Whether a file has all columns with these titles. */
export function hasColumns({ titles }: BankTable, columns: Columns): boolean {
  const { paid_at, amount, reference, currency, name } = columns;
  return [paid_at, amount, reference, currency, name].every(
    (title) => title === null || titles.includes(title),
  );
}

/** Reads the rows of a file. */
export function readRows({ titles, lines }: BankTable, columns: Columns, currency: string): ReadRows {
  const read: ReadRows = { rows: [], lacking: [] };
  for (const line of lines) {
    const cellOf = (title: string | null) =>
      title === null ? '' : (line.cells[titles.indexOf(title)] ?? '');
    const parts = {
      day: dayOf(cellOf(columns.paid_at), columns.day_order),
      amount: amountOf(cellOf(columns.amount), columns.decimal_sign),
      currency: columns.currency === null ? currency : cellOf(columns.currency).toUpperCase(),
      reference: oneLine(cellOf(columns.reference)),
      payer: oneLine(cellOf(columns.name)),
    };
    const what = lackOf(parts);
    if (what === null) read.rows.push(rowOf(line, parts));
    else read.lacking.push({ line: line.number, what });
  }
  return read;
}

type Parts = {
  day: string | null;
  amount: string | null;
  currency: string;
  reference: string;
  payer: string;
};

function lackOf({ day, amount, currency, reference }: Parts): string | null {
  const lacks = [
    ...(day === null ? ['a day'] : []),
    ...(amount === null ? ['an amount'] : []),
    ...(/^[A-Z]{3}$/.test(currency) ? [] : ['a currency']),
    ...(reference === '' ? ['a reference'] : []),
  ];
  return lacks.length === 0 ? null : lacks.join(' and ');
}

function rowOf({ number: line }: BankLine, { day, amount, currency, reference, payer }: Parts): BankRow {
  const row = { line, paid_at: day!, amount: amount!, currency, reference };
  return payer === '' ? row : { ...row, name: payer };
}

/** A text without breaks, cut to what the API takes. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return [...line].slice(0, TEXT_MAX).join('');
}

/** A day as 2027-03-31; null if the text is none. A year of two digits is of this century. */
export function dayOf(text: string, order: DayOrder): string | null {
  const [date = ''] = text.trim().split(/[ T]/);
  const parts = date.split(/[./-]/);
  if (parts.length !== 3 || !parts.every((part) => /^\d{1,4}$/.test(part))) return null;
  const partAt = (letter: string) => parts[order.indexOf(letter)]!.padStart(2, '0');
  const [year, month, day] = [partAt('y'), partAt('m'), partAt('d')];
  const text_of_day = `${year.length === 2 ? `20${year}` : year}-${month}-${day}`;
  const found = new Date(`${text_of_day}T00:00:00Z`);
  const is_day = !Number.isNaN(found.getTime()) && found.toISOString().startsWith(text_of_day);
  return is_day ? text_of_day : null;
}

/** A decimal as the API takes it; null if the text is none. The sign may stand at either end. */
export function amountOf(text: string, decimal_sign: ',' | '.'): string | null {
  const bare = text.replaceAll(/[\s'’\u00a0]/g, '').replaceAll(decimal_sign === ',' ? '.' : ',', '');
  const found = /^(?<sign>[+-]?)(?<digits>\d+)(?:[.,](?<decimals>\d+))?(?<behind>[+-]?)$/.exec(bare)?.groups;
  if (found === undefined) return null;
  const { sign, digits, decimals, behind } = found;
  const is_negative = sign === '-' || behind === '-';
  return `${is_negative ? '-' : ''}${digits}${decimals === undefined ? '' : `.${decimals}`}`;
}
