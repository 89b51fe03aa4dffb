import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bookingOf, sharesOf, takingOf } from '../../../src/domain/collection/refund.ts';
import { sumOf } from '../../../src/domain/money/figures.ts';

const payment = (id: string, amount: string) => ({
  ...{ id, amount, invoice_id: 'inv_1', to_balance: '0.00', paid_at: '2026-03-01T00:00:00.000Z' },
});
const USD = (amount: string) => ({ amount, currency: 'USD' });

describe('what a refund or a dispute takes of payments', () => {
  const two = [payment('b', '70.00'), payment('a', '30.00')];
  for (const [amount, reversed, taken, rest] of [
    ['30.00', ['b'], '30.00', '40.00'],
    ['70.00', ['b'], '70.00', null],
    ['80.00', ['b', 'a'], '80.00', '20.00'],
    ['100.00', ['b', 'a'], '100.00', null],
    ['120.00', ['b', 'a'], '100.00', null],
  ] as const)
    it(`${amount} of 70.00 and 30.00: reverses ${reversed.join(' and ')}, and ${rest ?? 'nothing'} is paid again`, () => {
      const of = takingOf(two, USD(amount));
      assert.deepEqual([of.reversed.map(({ id }) => id), of.taken, of.rest], [[...reversed], taken, rest]);
    });

  it('is nothing where no payment stands', () =>
    assert.deepEqual(takingOf([], USD('5.00')), { reversed: [], taken: '0.00', rest: null }));

  it('is what is reversed less what is paid again, whatever the amounts', () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9999 })),
        fc.integer({ min: 1, max: 99_999 }),
        (all, cents) => {
          const payments = all.map((amount, place) => payment(`${place}`, (amount / 100).toFixed(2)));
          const { reversed, taken, rest } = takingOf(payments, USD((cents / 100).toFixed(2)));
          const left = sumOf([taken, rest ?? '0']);
          assert.equal(sumOf(reversed.map(({ amount }) => amount)), left);
          assert.equal(
            Math.round(Number(taken) * 100),
            Math.min(
              cents,
              all.reduce((sum, one) => sum + one, 0),
            ),
          );
        },
      ),
    ));
});

describe('what is booked next', () => {
  for (const [is_taken, taken_amount, step] of [
    [true, null, 'take'],
    [true, '30.00', 'none'],
    [false, '30.00', 'give_back'],
    [false, '0.00', 'give_back'],
    [false, null, 'none'],
  ] as const)
    it(`the money is ${is_taken ? 'away' : 'here'}, ${taken_amount ?? 'nothing'} is booked: ${step}`, () =>
      assert.equal(bookingOf({ is_taken, taken_amount }), step));
});

describe('the shares of a credit note', () => {
  const charges = [
    { id: 'new', left: '40.00' },
    { id: 'none', left: '0.00' },
    { id: 'old', left: '60.00' },
  ];
  const shares = (amount: string) =>
    sharesOf(charges, USD(amount))?.map((share) => [share.payment.id, share.amount]) ?? null;

  it('are of the newest charge first', () => {
    assert.deepEqual(shares('50.00'), [
      ['new', '40.00'],
      ['old', '10.00'],
    ]);
    assert.deepEqual(shares('40.00'), [['new', '40.00']]);
  });

  it('are none where less is left', () => assert.equal(shares('100.01'), null));
});
