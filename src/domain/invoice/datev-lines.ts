import type { TaxId } from '../people/party.ts';
import { decimal, fixed } from '../money/decimal.ts';
import { dayAfter, localText, nextMonth } from '../time/local-time.ts';
import type { AccountNumber } from './account-number.ts';
import { EMPTY_ROW, TITLES } from './datev-fields.ts';
import type { Posting } from './datev-postings.ts';
import { windows1252 } from './windows-1252.ts';

/** DATEV counts cents in every currency. */
export const DATEV_DIGITS = 2;
const NUMBER_CHARACTERS_MAX = 36;
const NAME_CHARACTERS_MAX = 60;
const LINE_END = '\r\n';

/** Fields of a row, by their number in DATEV's description less 1. */
const FIELD = {
  amount: 0,
  side: 1,
  currency: 2,
  konto: 6,
  gegenkonto: 7,
  tax_key: 8,
  day: 9,
  number: 10,
  text: 13,
  vat_id: 39,
  is_locked: 113,
} as const;

/** The settings of the account and the month that the first line of a file names. */
export type DatevHead = {
  consultant: number;
  client: number;
  /** Such as 07-01. */
  fiscal_year_start: string;
  account_length: number;
  /** Such as 2027-03. */
  month: string;
  currency: string;
  created_at: string;
  timezone: string;
};

/** The two lines above the rows: 31 fields about the file, and the titles. All lines have bytes as characters. */
export function headLines(head: DatevHead): string {
  const { month, currency, created_at, timezone } = head;
  const first_day = `${month}-01`;
  const fields = [
    '"EXTF"',
    '700',
    '21',
    '"Buchungsstapel"',
    '13',
    digitsIn(localText(created_at, timezone)),
    '',
    '"TM"',
    '""',
    '""',
    `${head.consultant}`,
    `${head.client}`,
    fiscalYear(head),
    `${head.account_length}`,
    digitsIn(first_day),
    digitsIn(dayAfter(nextMonth(first_day), -1)),
    quoted(`Tidemark ${month}`),
    '""',
    // Bookkeeping, for every purpose, and open to changes by the bookkeeper.
    '1',
    '0',
    '0',
    quoted(currency),
    // Reserved, the chart of accounts and a solution for a trade, which DATEV knows from the client.
    ...',"",,,"",,,"",""'.split(','),
  ];
  return lineOf(fields) + lineOf(TITLES.map(windows1252));
}

/** The first day of the fiscal year that has the month. */
function fiscalYear({ month, fiscal_year_start }: DatevHead): string {
  const [year = ''] = month.split('-');
  const start = `${year}-${fiscal_year_start}`;
  const has_begun = start <= `${month}-01`;
  return digitsIn(has_begun ? start : `${decimal(year).minus('1').toFixed()}-${fiscal_year_start}`);
}

/** The entry of a row. */
export type RowEntry = {
  currency: string;
  /** Such as 2027-03-31. */
  day: string;
  document_number: string | null;
  customer_name: string | null;
  customer_id: string;
  tax_ids: readonly TaxId[] | null;
};

type Numbered = { posting: Posting; konto: AccountNumber; gegenkonto: AccountNumber };

/** A row. The key of the tax stands beside revenue as the other account: there DATEV takes the tax out. */
export function rowLine({ posting, konto, gegenkonto }: Numbered, entry: RowEntry): string {
  const { currency, day, document_number, customer_name, customer_id, tax_ids } = entry;
  const fields = [...EMPTY_ROW];
  fields[FIELD.amount] = fixed(decimal(posting.amount.replace('-', '')), DATEV_DIGITS).replace('.', ',');
  fields[FIELD.side] = posting.amount.startsWith('-') ? '"H"' : '"S"';
  fields[FIELD.currency] = quoted(currency);
  fields[FIELD.konto] = konto.number;
  fields[FIELD.gegenkonto] = gegenkonto.number;
  fields[FIELD.tax_key] = quoted(gegenkonto.tax_key ?? '');
  fields[FIELD.day] = day.slice(8) + day.slice(5, 7);
  fields[FIELD.number] = quoted(
    (document_number ?? '').replaceAll(/[._]/g, '-').slice(0, NUMBER_CHARACTERS_MAX),
  );
  fields[FIELD.text] = quoted(windows1252(customer_name ?? customer_id).slice(0, NAME_CHARACTERS_MAX));
  fields[FIELD.vat_id] = quoted(posting.gegenkonto === 'revenue' ? vatIdOf(tax_ids ?? []) : '');
  fields[FIELD.is_locked] = '0';
  return lineOf(fields);
}

function vatIdOf(tax_ids: readonly TaxId[]): string {
  return tax_ids.find(({ type }) => type === 'eu_vat')?.value ?? '';
}

const lineOf = (fields: readonly string[]) => fields.join(';') + LINE_END;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const digitsIn = (text: string) => text.replaceAll(/\D/g, '');
