import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withdrawalOf } from '../../../src/domain/invoice/withdrawal.ts';

const cents = fc.integer({ min: 0, max: 500 });
const textOf = (amount: number) => (amount / 100).toFixed(2);
const centsOf = (amount: string) => Math.round(Number(amount) * 100);

/** billing.md 7. */
describe('what a reversal takes back from invoices', () => {
  const covered = [
    { invoice_id: 'a', amount: '70.00' },
    { invoice_id: 'b', amount: '40.00' },
  ];
  const TABLE: [amount: string, balance: string, taken: [string, string][], missing: string][] = [
    ['50.00', '50.00', [], '0.00'],
    ['50.00', '60.00', [], '0.00'],
    ['50.00', '0.00', [['a', '50.00']], '0.00'],
    [
      '130.00',
      '25.00',
      [
        ['a', '70.00'],
        ['b', '35.00'],
      ],
      '0.00',
    ],
    [
      '130.00',
      '19.99',
      [
        ['a', '70.00'],
        ['b', '40.00'],
      ],
      '0.01',
    ],
  ];
  for (const [amount, balance, taken, missing] of TABLE)
    it(`is ${taken.map(([id, part]) => `${part} of ${id}`).join(', ') || 'nothing'} for ${amount} with a balance of ${balance}`, () => {
      const found = withdrawalOf(covered, { amount, balance, currency: 'USD' });
      assert.deepEqual(
        found.taken.map((part) => [part.invoice_id, part.amount]),
        taken,
      );
      assert.equal(found.missing, missing);
    });

  it('is in the digits of the currency', () => {
    const { taken } = withdrawalOf([{ invoice_id: 'a', amount: '7' }], {
      amount: '5',
      balance: '0',
      currency: 'JPY',
    });
    assert.deepEqual(taken, [{ invoice_id: 'a', amount: '5' }]);
  });

  it('is with the balance and what is missing the whole amount, of each invoice at most what it has', () => {
    fc.assert(
      fc.property(fc.array(cents), cents, cents, (amounts, amount, balance) => {
        const invoices = amounts.map((part, place) => ({ invoice_id: `${place}`, amount: textOf(part) }));
        const { taken, missing } = withdrawalOf(invoices, {
          ...{ amount: textOf(amount), balance: textOf(balance), currency: 'USD' },
        });
        const parts = taken.map((part) => centsOf(part.amount));
        const sum = parts.reduce((total, part) => total + part, 0);
        assert.equal(sum + centsOf(missing), Math.max(0, amount - balance));
        for (const part of taken) assert.ok(centsOf(part.amount) <= amounts[Number(part.invoice_id)]!);
        if (centsOf(missing) > 0)
          assert.equal(
            sum,
            amounts.reduce((total, part) => total + part, 0),
          );
      }),
    );
  });
});
