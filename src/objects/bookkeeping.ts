import { Type, type Static } from 'typebox';
import { JOURNAL_ACCOUNTS } from '../domain/invoice/journal.ts';
import { TAX_TREATMENTS } from '../domain/money/tax.ts';
import { nullable, oneOf, ResponseDecimal, responseObject } from './parts.ts';

/** A number of the bookkeeper for an account of the journal (contract.md 9). */
export const AccountNumberObject = responseObject('AccountNumber', {
  account: oneOf(JOURNAL_ACCOUNTS),
  tax_treatment: nullable(oneOf(TAX_TREATMENTS)),
  tax_rate: nullable(ResponseDecimal),
  number: Type.String(),
  tax_key: nullable(Type.String()),
});

/** The head of every file for DATEV (contract.md 9). */
export const DatevObject = responseObject('Datev', {
  consultant: Type.Integer(),
  client: Type.Integer(),
  fiscal_year_start: Type.String({ description: 'The first day of a month, such as 01-01.' }),
  account_length: Type.Integer({
    description: 'Digits of the numbers of accounts; those of customers have one more.',
  }),
});
export type Datev = Static<typeof DatevObject>;
