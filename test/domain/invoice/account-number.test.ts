import assert from 'node:assert/strict';
import {
  closestNumber,
  isForSame,
  wrongMember,
  type AccountNumber,
} from '../../../src/domain/invoice/account-number.ts';
import type { DocumentTax } from '../../../src/domain/money/tax.ts';

const BARE: AccountNumber = {
  account: 'revenue',
  tax_treatment: null,
  tax_rate: null,
  number: '8000',
  tax_key: null,
};
const at = (number: string, parts: Partial<AccountNumber>): AccountNumber => ({ ...BARE, number, ...parts });

const NUMBERS = [
  at('8000', {}),
  at('8001', { tax_treatment: 'standard' }),
  at('8002', { tax_rate: '0' }),
  at('8003', { tax_rate: '19' }),
  at('8004', { tax_treatment: 'reverse_charge' }),
  at('8005', { tax_treatment: 'exempt', tax_rate: '0' }),
  at('8006', { tax_treatment: 'exempt' }),
  at('1776', { account: 'tax_payable' }),
];

/** contract.md 9. */
describe('the number of an account that holds', () => {
  const CLOSEST: [tax_treatment: DocumentTax['tax_treatment'], tax_rate: string | null, number: string][] = [
    ['standard', '19', '8003'],
    ['standard', '7', '8001'],
    ['standard', '0', '8002'],
    ['reverse_charge', '0', '8004'],
    ['exempt', '0', '8005'],
    [null, null, '8000'],
  ];
  for (const [tax_treatment, tax_rate, number] of CLOSEST)
    it(`is the one that fits fewest documents: ${tax_treatment} at ${tax_rate}`, () => {
      for (const numbers of [NUMBERS, NUMBERS.toReversed()])
        assert.equal(closestNumber(numbers, 'revenue', { tax_treatment, tax_rate })?.number, number);
    });

  it('is of its account alone, and there is none where none fits', () => {
    const of_19: DocumentTax = { tax_treatment: 'standard', tax_rate: '19' };
    assert.equal(closestNumber(NUMBERS, 'tax_payable', of_19)?.number, '1776');
    assert.equal(closestNumber(NUMBERS, 'cash', of_19), null);
    assert.equal(
      closestNumber([at('8003', { tax_rate: '19' })], 'revenue', { ...of_19, tax_rate: '7' }),
      null,
    );
  });
});

describe('the members of the number of an account', () => {
  const WRONG: [parts: Partial<AccountNumber>, member: string | null][] = [
    [{ account: 'revenue', tax_treatment: 'standard', tax_rate: '19', tax_key: '3' }, null],
    [{ account: 'tax_payable', tax_treatment: 'standard', tax_rate: '19' }, null],
    [{ account: 'tax_payable', tax_key: '3' }, 'tax_key'],
    [{ account: 'receivable', tax_treatment: 'exempt' }, 'tax_treatment'],
    [{ account: 'cash', tax_rate: '0' }, 'tax_rate'],
    [{ account: 'adjustments', tax_key: '3' }, 'tax_key'],
    [{ account: 'customer_balance' }, null],
  ];
  for (const [parts, member] of WRONG)
    it(`${JSON.stringify(parts)}: ${member ?? 'all good'}`, () =>
      assert.equal(wrongMember(at('1', parts)), member));

  it('make two numbers the same by account, treatment and rate', () => {
    assert.ok(isForSame(at('1', { tax_rate: '19' }), at('2', { tax_rate: '19', tax_key: '3' })));
    assert.ok(!isForSame(at('1', { tax_rate: '19' }), at('1', {})));
    assert.ok(!isForSame(at('1', {}), at('1', { account: 'cash' })));
  });
});
