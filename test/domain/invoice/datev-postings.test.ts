import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lacksOf, needsOf } from '../../../src/domain/invoice/datev-lacks.ts';
import { postingsOf, type BookedEntry, type Posting } from '../../../src/domain/invoice/datev-postings.ts';
import type { AccountNumber } from '../../../src/domain/invoice/account-number.ts';
import type { DocumentTax } from '../../../src/domain/money/tax.ts';
import { JOURNAL_ACCOUNTS, type JournalAccount } from '../../../src/domain/invoice/journal.ts';
import { booksOf } from '../../support/oracles/datev-oracle.ts';
import { minus, rational, rounded, times, type Rational } from '../../support/oracles/price-oracle.ts';

type Amounts = BookedEntry['amounts'];

const rowsOf = (amounts: Amounts, tax_rate: string | null = null, currency = 'EUR') =>
  postingsOf({ amounts, tax_rate, currency }).map(
    ({ konto, gegenkonto, amount }) => `${konto} ${amount} ${gegenkonto}`,
  );

/** contract.md 4: the rows for DATEV. */
describe('the rows of an entry for DATEV', () => {
  const ROWS: [title: string, amounts: Amounts, tax_rate: string | null, ...rows: string[]][] = [
    [
      'an issue is one row of its total',
      { receivable: '119.00', revenue: '-100.00', tax_payable: '-19.00', customer_balance: '0' },
      '19',
      'receivable 119.00 revenue',
    ],
    [
      'what the balance covers is a row against receivable',
      { receivable: '89.00', revenue: '-100.00', tax_payable: '-19.00', customer_balance: '30.00' },
      '19',
      'receivable 119.00 revenue',
      'customer_balance 30.00 receivable',
    ],
    [
      'a void is the reverse',
      { receivable: '-119.00', revenue: '100.00', tax_payable: '19.00', customer_balance: '-0.00' },
      '19',
      'receivable -119.00 revenue',
    ],
    [
      'a note is its total, and what goes to the balance and outside',
      {
        revenue: '10.00',
        tax_payable: '1.90',
        receivable: '-5.00',
        customer_balance: '-4.00',
        cash: '-2.90',
      },
      '19',
      'receivable -11.90 revenue',
      'customer_balance -4.00 receivable',
      'cash -2.90 receivable',
    ],
    [
      // 81.99 has 13.67 of tax at 20 percent (13.665), the note 13.66.
      'a cent by which the tax of a note differs is a row of revenue',
      { revenue: '68.33', tax_payable: '13.66', receivable: '-81.99', customer_balance: '0', cash: '0' },
      '20',
      'receivable -81.99 revenue',
      'revenue 0.01 tax_payable',
    ],
    [
      'a payment is money against receivable and, for its excess, the balance',
      { cash: '60.00', receivable: '-50.00', customer_balance: '-10.00' },
      null,
      'cash 50.00 receivable',
      'cash 10.00 customer_balance',
    ],
    [
      'a reversal in advance is the reverse',
      { cash: '-60.00', receivable: '0.00', customer_balance: '60.00' },
      null,
      'cash -60.00 customer_balance',
    ],
    [
      'an adjustment',
      { adjustments: '8.80', customer_balance: '-8.80' },
      null,
      'adjustments 8.80 customer_balance',
    ],
    [
      'a balance that is applied by hand',
      { receivable: '-1.00', customer_balance: '1.00' },
      null,
      'customer_balance 1.00 receivable',
    ],
    [
      'nothing, for an invoice of 0.00',
      { receivable: '0.00', revenue: '-0.00', tax_payable: '-0.00', customer_balance: '0' },
      '19',
    ],
  ];
  for (const [title, amounts, tax_rate, ...rows] of ROWS)
    it(title, () => assert.deepEqual(rowsOf(amounts, tax_rate), rows));

  const aRate = fc.oneof(
    fc.constantFrom('0', '7', '19', '20', '7.7', '8.875', '100'),
    fc.integer({ min: 0, max: 10_000 }).map((rate) => `${rate / 100}`),
  );
  const aCurrency = fc.constantFrom(['EUR', 2] as const, ['JPY', 0] as const);
  const text = (units: number, digits: number) => (units / 10 ** digits).toFixed(digits);
  const taxOf = (net: string, rate: string, digits: number): string =>
    rounded(times(times(rational(net), rational(rate)), { n: 1n, d: 100n }), digits);

  it('of an issue are one, which gives DATEV its tax to the cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        aRate,
        aCurrency,
        (units, rate, [currency, digits]) => {
          const net = text(units, digits);
          const tax = taxOf(net, rate, digits);
          const sum = rounded(minus(rational(net), rational(`-${tax}`)), digits);
          const amounts = { receivable: sum, revenue: `-${net}`, tax_payable: `-${tax}` };
          assert.deepEqual(rowsOf(amounts, rate, currency), [`receivable ${sum} revenue`]);
        },
      ),
    );
  });

  it('of a note add up to its entry once DATEV has taken out the tax', () => {
    const aNote = fc.record({
      nets: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 6 }),
      rate: aRate,
      money: aCurrency,
      settled: fc.tuple(fc.nat(100), fc.nat(100)),
    });
    let cents = 0;
    fc.assert(
      fc.property(aNote, ({ nets, rate, money: [currency, digits], settled: [balance, outside] }) => {
        let [before, taxed] = [0, '0'];
        for (const units of nets) {
          before += units;
          const all = taxOf(text(before, digits), rate, digits);
          const tax = rounded(minus(rational(all), rational(taxed)), digits);
          taxed = all;
          const total = units + Math.round(Number(tax) * 10 ** digits);
          const to_balance = Math.floor((total * balance) / 100);
          const to_outside = Math.floor(((total - to_balance) * outside) / 100);
          const negative = (amount: number) => text(-amount, digits);
          const amounts = {
            revenue: text(units, digits),
            tax_payable: tax,
            receivable: negative(total - to_balance - to_outside),
            customer_balance: negative(to_balance),
            cash: negative(to_outside),
          };
          const postings = postingsOf({ currency, tax_rate: rate, amounts });
          if (postings.some(({ konto }) => konto === 'revenue')) cents++;
          assertBooked(postings, amounts, { rate, digits });
        }
      }),
    );
    assert.ok(cents > 5, `${cents} rows of a cent`);
  });

  function assertBooked(
    postings: readonly Posting[],
    amounts: Amounts,
    tax: { rate: string; digits: number },
  ) {
    const rows = postings.map(({ konto, gegenkonto, amount }) => ({
      ...{ konto, gegenkonto, amount: amount.replace('-', '') },
      side: amount.startsWith('-') ? ('H' as const) : ('S' as const),
      taken: gegenkonto === 'revenue' ? { rate: tax.rate, account: 'tax_payable' } : null,
    }));
    const books = booksOf(rows, tax.digits);
    for (const account of JOURNAL_ACCOUNTS) {
      const booked: Rational = books.get(account) ?? rational('0');
      assert.equal(
        rounded(booked, tax.digits),
        rounded(rational(amounts[account] ?? '0'), tax.digits),
        account,
      );
    }
  }
});

describe('the lacks of a file for DATEV', () => {
  const of_19: DocumentTax = { tax_treatment: 'standard', tax_rate: '19' };
  const free: DocumentTax = { tax_treatment: 'reverse_charge', tax_rate: '0' };
  const posting: Posting = { konto: 'receivable', gegenkonto: 'revenue', amount: '119.00' };
  const needs = [of_19, free].flatMap((tax) => needsOf(posting, tax));
  const number = (account: JournalAccount, digits: string, parts: Partial<AccountNumber> = {}) => ({
    ...{ account, tax_treatment: null, tax_rate: null, number: digits, tax_key: null },
    ...parts,
  });
  const messages = (account_numbers: AccountNumber[], account_length: number | null) =>
    lacksOf({ account_numbers, account_length }, needs).map(({ param, message }) => `${param}: ${message}`);

  it('are the settings of DATEV, and each number', () => {
    assert.deepEqual(
      [...new Set(messages([], null))],
      [
        'datev: the account has no consultant and client of DATEV',
        'account_numbers: receivable has no account number',
        'account_numbers: revenue at 19 percent, standard, has no account number',
        'account_numbers: revenue at 0 percent, reverse charge, has no account number',
      ],
    );
  });

  it('are numbers that are too long, and a key for two rates', () => {
    const numbers = [number('receivable', '100000'), number('revenue', '8400', { tax_key: '3' })];
    assert.deepEqual(messages(numbers, 4), [
      'account_numbers[0]: the number 100000 of receivable is too long: with account_length 4 numbers have at most 5 digits',
      'account_numbers[1]: the number 8400 of revenue with tax_key 3 is for documents at 19 percent and 0 percent: add a number for each rate',
    ]);
  });

  it('are none where each document has a number', () => {
    const numbers = [
      number('receivable', '10000'),
      number('revenue', '8400', { tax_rate: '19', tax_key: '3' }),
      number('revenue', '8336', { tax_treatment: 'reverse_charge' }),
    ];
    assert.deepEqual(messages(numbers, 4), []);
  });
});
