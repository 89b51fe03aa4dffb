import assert from 'node:assert/strict';
import type { BilledLine } from '../../../src/domain/comparison/bill-series.ts';
import { type Bill, compareBills, type Comparison } from '../../../src/domain/comparison/comparison.ts';
import { decimal, sum } from '../../../src/domain/money/decimal.ts';
import { toAmount } from '../../../src/domain/money/money.ts';
import { taxOf } from '../../../src/domain/money/tax.ts';
import type { Charge } from '../../../src/domain/pricing/charge.ts';
import { ALL } from '../../../src/domain/pricing/series.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

type Line = Partial<Omit<BilledLine, 'type'>> & { charge?: Charge; amount: string };

const usage = ({ charge = T, ...line }: Line): BilledLine & { charge?: Charge } => ({
  ...{ type: 'usage', charge_id: charge.id, ...ALL, invoice_item: null, description: '' },
  ...{ quantity: '0', credits_applied: '0', charge },
  ...line,
});
const late = (line: Line) => ({ ...usage(line), type: 'late_usage' as const });
const fee = (line: Line) => ({ ...usage({ charge: FEE, quantity: '1', ...line }), type: 'flat' as const });
const item = (id: string, { amount, quantity = '1', unit_amount = amount }: Record<string, string>) => ({
  ...{ type: 'item' as const, charge_id: null, ...ALL, invoice_item: { id, unit_amount: unit_amount! } },
  ...{ description: `Item ${id}`, quantity: quantity!, credits_applied: '0', amount: amount! },
});

const aT = (id: string, first_tier: string) =>
  aCharge({
    id,
    pricing: {
      pricing_model: 'graduated',
      tiers: [{ ...TIERS[0]!, unit_amount: first_tier }, ...TIERS.slice(1)],
    },
  });
const aFee = (id: string, flat_amount: string) =>
  aCharge({ id, event_name: 'platform', pricing: { pricing_model: 'flat', flat_amount } });
const perUnit = (id: string, unit_amount: string) =>
  aCharge({ id, pricing: { pricing_model: 'per_unit', unit_amount } });

const T = aT('chg_t', '0.1');
const DEARER_T = aT('chg_t2', '0.2');
const FEE = aFee('chg_fee', '49');
const HIGHER_FEE = aFee('chg_fee2', '199');
const [PER_UNIT, DEARER] = [perUnit('chg_unit', '0.01'), perUnit('chg_unit2', '0.012')];
const SEATS = aCharge({ id: 'chg_seats', aggregation: { type: 'max', property: 'seats' } });
const LISTED = (id: string, prices: readonly (readonly [string[] | null, string])[]): Charge => ({
  ...aCharge({ id }),
  pricing: {
    pricing_model: 'per_unit',
    prices: prices.map(([model, unit_amount]) =>
      model === null ? { default: true as const, unit_amount } : { match: { model }, unit_amount },
    ),
  },
});
const BY_REGION = { ...aCharge({ id: 'chg_region' }), group_by: ['region'] };
const BY_MODEL = LISTED('chg_list', [
  [['large', 'larger'], '2'],
  [null, '1'],
]);
const BY_MODEL_2 = LISTED('chg_list2', [
  [['small'], '0.5'],
  [['larger', 'large'], '3'],
  [null, '1'],
]);

const CHARGES = [T, DEARER_T, FEE, HIGHER_FEE, PER_UNIT, DEARER, SEATS, BY_REGION, BY_MODEL, BY_MODEL_2];

function aBill(line_items: readonly BilledLine[], rate = '0'): Bill {
  const subtotal = sum(line_items.map(({ amount }) => decimal(amount)));
  const tax = taxOf(subtotal, rate, 'EUR');
  return {
    line_items,
    subtotal: toAmount(subtotal, 'EUR'),
    tax: { rate, amount: tax },
    total: toAmount(subtotal.plus(tax), 'EUR'),
  };
}

function compare(bill: Bill, other: Bill): Comparison {
  const charges = new Map(CHARGES.map((charge) => [charge.id, charge]));
  return compareBills(bill, other, { charges, currency: 'EUR' });
}

/** "usage 15.05, late 10.00": the causes of each line. */
const said = ({ lines }: Comparison): string[][] =>
  lines.map(({ kind, causes }) => [kind, causes.map(({ cause, amount }) => `${cause} ${amount}`).join(', ')]);

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
