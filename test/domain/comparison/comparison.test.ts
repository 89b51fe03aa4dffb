import assert from 'node:assert/strict';
import type { Charge } from '../../../src/domain/pricing/charge.ts';
import {
  aBill,
  BY_MODEL,
  BY_REGION,
  compare,
  fee,
  item,
  late,
  said,
  SEATS,
  T,
  usage,
} from '../../support/ledger/compared-bills.ts';

describe('two bills compared', () => {
  it('name what late usage and the tax add: 166.80, then 196.86', () => {
    const before = aBill([usage({ quantity: '900', amount: '90.00' }), fee({ amount: '49.00' })], '20');
    const after = aBill(
      [
        usage({ quantity: '1001', amount: '105.05' }),
        fee({ amount: '49.00' }),
        late({ quantity: '100', amount: '10.00' }),
      ],
      '20',
    );
    const { lines, ...totals } = compare(after, before);
    assert.deepEqual(totals, { total: '196.86', with_total: '166.80', difference: '30.06' });
    assert.deepEqual(said({ lines, ...totals }), [
      ['usage', 'usage 15.05, late 10.00'],
      ['fee', ''],
      ['tax', 'tax_base 5.01'],
    ]);
    assert.deepEqual(lines[0], {
      title: 'Api call',
      kind: 'usage',
      event_name: 'api_call',
      group: null,
      amount: '115.05',
      with_amount: '90.00',
      difference: '25.05',
      quantity: '1001',
      with_quantity: '900',
      causes: [
        { cause: 'usage', amount: '15.05' },
        { cause: 'late', amount: '10.00' },
      ],
    });
  });

  it('name another net amount and another rate of the tax: 100.00 at 20 %, 150.00 at 10 %', () => {
    const before = aBill([item('ii_1', { amount: '100.00' })], '20');
    const after = aBill([item('ii_2', { amount: '150.00' })], '10');
    assert.deepEqual(said(compare(after, before)), [
      ['item', 'new 150.00'],
      ['item', 'gone -100.00'],
      ['tax', 'tax_base 10.00, tax_rate -15.00'],
    ]);
  });

  it('have no quantity where a bill lacks the series, and "0.00"', () => {
    const { lines } = compare(aBill([late({ amount: '4.00' })]), aBill([fee({ amount: '49.00' })]));
    assert.deepEqual(
      lines.map(({ title, amount, with_amount, quantity, with_quantity }) => [
        title,
        amount,
        with_amount,
        quantity,
        with_quantity,
      ]),
      [
        ['Fixed fee for platform', '0.00', '49.00', null, '1'],
        ['Api call', '4.00', '0.00', null, null],
        ['Tax', '0.00', '0.00', null, null],
      ],
    );
  });

  it('have lines of their own for another aggregation, price and group, with titles that differ', () => {
    const of = (charge: Charge, series: object, amount: string) => usage({ charge, ...series, amount });
    const { lines } = compare(
      aBill([
        of(T, {}, '9.00'),
        of(SEATS, {}, '8.00'),
        of(BY_REGION, { group: { region: 'eu' } }, '7.00'),
        of(BY_REGION, { others: true }, '6.00'),
        of(BY_MODEL, { price_index: 0 }, '5.00'),
        of(BY_MODEL, { price_index: 1 }, '4.00'),
      ]),
      aBill([]),
    );
    assert.deepEqual(
      lines.map(({ title, group, amount }) => [title, group, amount]),
      [
        ['Api call events', null, '9.00'],
        ['Api call (highest seats)', null, '8.00'],
        ['Api call (region eu)', { region: 'eu' }, '7.00'],
        ['Api call (other values of region)', null, '6.00'],
        ['Api call (model large or larger)', null, '5.00'],
        ['Api call (other model)', null, '4.00'],
        ['Tax', null, '0.00'],
      ],
    );
  });
});
