import assert from 'node:assert/strict';
import type { BilledLine } from '../../../src/domain/comparison/bill-series.ts';
import {
  aBill,
  BY_MODEL,
  BY_MODEL_2,
  compare,
  DEARER,
  DEARER_T,
  fee,
  HIGHER_FEE,
  item,
  late,
  PACKAGES,
  PER_UNIT,
  seats,
  said,
  usage,
} from '../../support/ledger/compared-bills.ts';

describe('two bills compared', () => {
  type Row = [why: string, before: readonly BilledLine[], after: readonly BilledLine[], causes: string];
  const T_900 = usage({ quantity: '900', amount: '90.00' });
  const ROWS: Row[] = [
    [
      'more units at a higher price: 2,000 x 0.010, and 12,000 x 0.002',
      [usage({ charge: PER_UNIT, quantity: '10000', amount: '100.00' })],
      [usage({ charge: DEARER, quantity: '12000', amount: '144.00' })],
      'usage 20.00, price 24.00',
    ],
    [
      'a tier that is reached by another plan: 130.00 by the old price, 230.00 by the new',
      [T_900],
      [usage({ charge: DEARER_T, quantity: '1500', amount: '230.00' })],
      'usage 40.00, price 100.00',
    ],
    [
      'credit that is used up: 115.00 instead of 90.00',
      [usage({ quantity: '1200', credits_applied: '300', amount: '90.00' })],
      [usage({ quantity: '1200', amount: '115.00' })],
      'credit 25.00',
    ],
    [
      'more units with less credit: 90.00 covered, then 30.00 of 130.00',
      [usage({ quantity: '900', credits_applied: '900', amount: '0.00' })],
      [usage({ quantity: '1500', credits_applied: '500', amount: '100.00' })],
      'usage 40.00, credit 60.00',
    ],
    [
      'more seats: 15 instead of 10, of which 5 came in the middle of the period',
      [seats('80.00', '10')],
      [seats('100.00', '10', '15')],
      'usage 40.00, proration -20.00',
    ],
    [
      'half a period of a fee beside a whole one',
      [fee({ amount: '49.00' })],
      [fee({ amount: '24.50' })],
      'proration -24.50',
    ],
    [
      'half a period of a higher fee beside half a period',
      [fee({ amount: '24.50' })],
      [fee({ charge: HIGHER_FEE, amount: '99.50' })],
      'price 150.00, proration -75.00',
    ],
    [
      'the second part of a cut period: 300 units alone are 30.00, here 25.00',
      [T_900],
      [usage({ quantity: '300', amount: '25.00' })],
      'usage -60.00, proration -5.00',
    ],
    ['a series that the other bill lacks', [], [T_900, late({ amount: '10.00' })], 'new 100.00'],
    ['a series that this bill lacks', [T_900, late({ amount: '10.00' })], [], 'gone -100.00'],
    [
      'a late line where the series has no other any more',
      [T_900],
      [late({ amount: '10.00', quantity: '100' })],
      'late 10.00, gone -90.00',
    ],
    [
      'a series that had late lines alone',
      [late({ amount: '10.00' })],
      [late({ amount: '4.00' }), T_900],
      'late -6.00, new 90.00',
    ],
    ['late lines of both bills', [late({ amount: '10.00' })], [late({ amount: '4.00' })], 'late -6.00'],
    ['equal lines', [T_900], [T_900], ''],
    [
      'two lines of one fee: what the ended period was short of is no second price',
      [fee({ amount: '49.00' })],
      [fee({ amount: '49.00' }), fee({ amount: '10.00' })],
      'proration 10.00',
    ],
    [
      'a second fee of the same name',
      [fee({ amount: '49.00' })],
      [fee({ amount: '49.00' }), fee({ charge: HIGHER_FEE, amount: '199.00' })],
      'price 199.00',
    ],
    [
      'credit that the earlier part of a cut period gives up: no whole period has less than none',
      [usage({ quantity: '300', amount: '30.00' })],
      [usage({ quantity: '300', credits_applied: '-100', amount: '40.00' })],
      'proration 10.00',
    ],
    [
      'more credit than the units of a part could take alone, whose free units the part before has used',
      [usage({ charge: PACKAGES, quantity: '200', amount: '10.00' })],
      [usage({ charge: PACKAGES, quantity: '200', credits_applied: '150', amount: '5.00' })],
      'credit -10.00, proration 5.00',
    ],
    [
      'a part with fewer units than none: no whole period has',
      [usage({ charge: PER_UNIT, quantity: '100', amount: '1.00' })],
      [usage({ charge: PER_UNIT, quantity: '-100', amount: '-1.00' })],
      'usage -1.00, proration -1.00',
    ],
    [
      'an item of which a part fitted',
      [item('ii_1', { amount: '-30.00' })],
      [item('ii_1', { amount: '-10.00' })],
      'price 20.00',
    ],
    [
      'a price for the same values, at another place of its list and in another order',
      [usage({ charge: BY_MODEL, price_index: 0, quantity: '10', amount: '20.00' })],
      [usage({ charge: BY_MODEL_2, price_index: 1, quantity: '12', amount: '36.00' })],
      'usage 4.00, price 12.00',
    ],
    [
      'the default price of another list',
      [usage({ charge: BY_MODEL, price_index: 1, quantity: '10', amount: '10.00' })],
      [usage({ charge: BY_MODEL_2, price_index: 2, quantity: '12', amount: '12.00' })],
      'usage 2.00',
    ],
  ];
  for (const [why, before, after, causes] of ROWS) {
    it(`name the causes of ${why}`, () => {
      const comparison = compare(aBill(after), aBill(before));
      assert.deepEqual(
        said(comparison).map(([, words]) => words),
        [causes, ''],
      );
    });
  }
});
