import { Type, type Static } from 'typebox';
import { isForSame, wrongMember, type AccountNumber } from '../../src/domain/invoice/account-number.ts';
import { JOURNAL_ACCOUNTS } from '../../src/domain/invoice/journal.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { TAX_TREATMENTS } from '../../src/domain/money/tax.ts';
import type { Datev as WholeDatev } from '../../src/objects/bookkeeping.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { Percent } from './schemas.ts';

const NUMBERS_MAX = 100;

export const AccountNumbers = Type.Array(
  exactly({
    account: oneOf(JOURNAL_ACCOUNTS),
    tax_treatment: Type.Optional(oneOf(TAX_TREATMENTS)),
    tax_rate: Type.Optional(Percent),
    number: Type.String({
      minLength: 1,
      maxLength: 9,
      pattern: '^[0-9]+$',
      'x-fault': 'must be digits, such as "8400"',
      description: 'One to nine digits.',
      examples: ['8400'],
    }),
    tax_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4,
        pattern: '^[0-9]+$',
        'x-fault': 'must be digits, such as "3"',
        description: 'The key by which DATEV takes tax out of a total. One to four digits.',
        examples: ['3'],
      }),
    ),
  }),
  {
    maxItems: NUMBERS_MAX,
    description:
      "The bookkeeper's numbers of the accounts of the journal, in place of all before. A treatment and a rate are for `revenue` and " +
      '`tax_payable`, a key for `revenue`. The closest holds: treatment and rate, `exempt` or `reverse_charge` alone, a rate alone, ' +
      '`standard` alone, neither.',
  },
);

/** The numbers as stored. Throws invalid_request for a member that an account does not take, and for a double. */
export function accountNumbersOf(sent: Static<typeof AccountNumbers>): AccountNumber[] {
  const numbers = sent.map(({ account, number, tax_treatment = null, tax_rate = null, tax_key = null }) => ({
    account,
    tax_treatment,
    tax_rate,
    number,
    tax_key,
  }));
  for (const [place, number] of numbers.entries()) {
    const param = `account_numbers[${place}]`;
    const wrong = wrongMember(number);
    if (wrong !== null)
      throw invalid(
        `${param}.${wrong}`,
        'not_allowed',
        `${param}.${wrong} is not allowed for ${number.account}: ${TAKEN_BY[wrong]}`,
      );
    if (numbers.findIndex((other) => isForSame(number, other)) < place)
      throw invalid(
        param,
        'not_allowed',
        `${param} is for the account, treatment and rate of another number`,
      );
  }
  return numbers;
}

const OF_TAX = 'only revenue and tax_payable have numbers by tax';
const TAKEN_BY = { tax_treatment: OF_TAX, tax_rate: OF_TAX, tax_key: 'only revenue has a tax key' } as const;

export const DatevParts = {
  ...exactly({
    consultant: Type.Optional(Type.Integer({ minimum: 1001, maximum: 9_999_999 })),
    client: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999 })),
    fiscal_year_start: Type.Optional(
      Type.String({
        maxLength: 5,
        pattern: '^[0-9]{2}-[0-9]{2}$',
        'x-fault': 'must be a month and a day, such as 01-01',
        examples: ['01-01'],
      }),
    ),
    account_length: Type.Optional(Type.Integer({ minimum: 4, maximum: 8 })),
  }),
  description:
    'The head of files for DATEV: consultant and client, the first day of the fiscal year, the first of a month, and the digits of the ' +
    'numbers of accounts. What is left out stays; null: no files.',
};

const MEMBERS = ['consultant', 'client', 'fiscal_year_start', 'account_length'] as const;

/**
 * The head with all its members; null is none. Throws invalid_request for a member that is missing, and for a fiscal
 * year that begins inside a month.
 */
export function datevOf(parts: Partial<WholeDatev> | null): WholeDatev | null {
  if (parts === null) return null;
  const { consultant, client, fiscal_year_start, account_length } = parts;
  for (const name of MEMBERS)
    if (parts[name] === undefined)
      throw invalid(
        `datev.${name}`,
        'missing',
        `datev.${name} is missing: files for DATEV need all four members`,
      );
  if (!/^(0[1-9]|1[0-2])-01$/.test(fiscal_year_start!))
    throw invalid(
      'datev.fiscal_year_start',
      'out_of_range',
      'datev.fiscal_year_start must be the first day of a month, such as 01-01, because each file is of a month',
    );
  return {
    consultant: consultant!,
    client: client!,
    fiscal_year_start: fiscal_year_start!,
    account_length: account_length!,
  };
}
