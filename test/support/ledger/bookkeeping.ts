import type { DatevRow } from '../documents/datev.ts';
import type { DatevBooking } from '../oracles/datev-oracle.ts';

/** Numbers as of the chart SKR03, with a key for each rate, and the head of files. */
export const BOOKKEEPING = {
  account_numbers: [
    { account: 'receivable', number: '10000' },
    { account: 'revenue', tax_rate: '19', number: '8200', tax_key: '3' },
    { account: 'revenue', tax_rate: '7', number: '8201', tax_key: '2' },
    { account: 'revenue', tax_rate: '20', number: '8202', tax_key: '5' },
    { account: 'revenue', tax_treatment: 'reverse_charge', number: '8336' },
    { account: 'tax_payable', number: '1776' },
    { account: 'customer_balance', number: '1718' },
    { account: 'cash', number: '1200' },
    { account: 'adjustments', number: '2350' },
  ],
  datev: { consultant: 29098, client: 55003, fiscal_year_start: '01-01', account_length: 4 },
};

const RATES: Readonly<Record<string, string>> = { '3': '19', '2': '7', '5': '20' };

/** A row of a file with these numbers, by the accounts of the journal. */
export function bookingOf({ konto, gegenkonto, amount, side, tax_key }: DatevRow): DatevBooking {
  const accountOf = (number: string) =>
    BOOKKEEPING.account_numbers.find((numbered) => numbered.number === number)!.account;
  const rate = RATES[tax_key];
  return {
    ...{ konto: accountOf(konto), gegenkonto: accountOf(gegenkonto), amount, side },
    taken: rate === undefined ? null : { rate, account: 'tax_payable' },
  };
}
