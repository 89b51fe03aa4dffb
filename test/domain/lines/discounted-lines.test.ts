import assert from 'node:assert/strict';
import { feeCorrections, feeLines, type FeeLine, type FeePeriod } from '../../../src/domain/invoice/fee.ts';
import { arrearsCorrections } from '../../../src/domain/invoice/flat-arrears.ts';
import { composeInvoice } from '../../../src/domain/invoice/invoice.ts';
import { amountBeforeOf } from '../../../src/domain/lines/amount-before.ts';
import { withTitles } from '../../../src/domain/lines/charge-title.ts';
import type { OtherLine } from '../../../src/domain/lines/line-item.ts';
import type { FullPeriod } from '../../../src/domain/lines/scope.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import { pricingOf } from '../../../src/domain/pricing/definitions.ts';
import type { Discounting } from '../../../src/domain/pricing/discount.ts';
import { compose, used } from '../../support/ledger/april-invoice.ts';
import { aBill, compare, fee, late, said, usage } from '../../support/ledger/compared-bills.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { aPeriod } from '../../support/ledger/schedules.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const at = (day: string) => `2026-${day}T00:00:00.000Z`;
const APRIL: FullPeriod = { ...aPeriod('2026-04-01', '2026-05-01'), kind: 'billing', plan_id: 'plan_1' };
const LOYALTY = { discount_id: 'dis_1', name: 'Loyalty', percent: '10' };
const TEN: Discounting = {
  discounts: [{ ...LOYALTY, amount: null, event_names: null, from: at('01-01'), until: null }],
  decided: new Map(),
};
const TERMS = { currency: 'USD', timezone: 'UTC' };
const T = aCharge({ pricing: pricingOf('graduated', { tiers: TIERS }) });

const other = (quantity: string, amount: string, parts: Partial<OtherLine> = {}): OtherLine => ({
  ...{ quantity, billable_quantity: quantity, amount, credited: '0', amount_before: null },
  ...{ provisional_credit: '0', ...parts },
});

describe('a line with percents', () => {
  const lineOf = (quantity: string, others: OtherLine[] = []) => {
    const parts = { usage: new Map([[T.id, { ...used(quantity), others }]]), discounting: TEN };
    return compose(parts).line_items[0]!;
  };

  it('says its discounts and its amount without them, to which its tiers sum', () => {
    const { amount, amount_before, discounts, tiers, credits_applied } = lineOf('900');
    assert.deepEqual([amount, amount_before, credits_applied], ['81.00', '90.00', '0']);
    assert.deepEqual(discounts, [LOYALTY]);
    assert.deepEqual(
      tiers!.map((tier) => tier.amount),
      ['90.00'],
    );
  });

  it('bills what the price of all units with percents lacks: 300 after a cut are 22.50', () => {
    const { amount, amount_before, tiers } = lineOf('1200', [
      other('900', '81.00', { amount_before: '90.00' }),
    ]);
    assert.deepEqual([amount, amount_before, tiers], ['22.50', '25.00', null]);
  });

  it('is not below zero without percents either', () => {
    const { amount, amount_before } = lineOf('800', [other('900', '81.00', { amount_before: '90.00' })]);
    assert.deepEqual([amount, amount_before], ['0.00', '0.00']);
  });

  it('beside a line of a draft without percents counts its amount', () => {
    const { amount, amount_before } = lineOf('1200', [other('900', '90.00')]);
    assert.deepEqual([amount, amount_before], ['13.50', '25.00']);
  });

  it('of a full period without percents has none, whatever holds', () => {
    const decided = new Map([[`${T.id} ${APRIL.period_start}`, []]]);
    const parts = { usage: new Map([[T.id, used('900')]]), discounting: { ...TEN, decided } };
    const [line] = compose(parts).line_items;
    assert.deepEqual([line!.amount, line!.discounts, line!.amount_before], ['90.00', [], null]);
  });
});

describe('a late line with percents that does not fit', () => {
  const UNITS = aCharge({ pricing: pricingOf('per_unit', { unit_amount: '1' }) });
  const lateOf = (quantity: string, others: OtherLine[]) =>
    composeInvoice({
      plans: new Map([['plan_1', [UNITS]]]),
      own: null,
      late: [
        {
          ...{ full_period: APRIL, usage: new Map([[UNITS.id, { ...used(quantity), others }]]) },
          ...{ discounting: TEN, ...TERMS },
        },
      ],
      ...{ periods: [], items: [], grants: [], billed: null, fees: { coming: null, ending: null }, ...TERMS },
      tax: taxTermsOf('standard', '0'),
    });
  const fifty = other('50', '45.00', { amount_before: '50.00' });

  it('has the amount 0.00 before percents too, and its money after percents is credited', () => {
    const { line_items, corrections } = lateOf('20', [fifty]);
    const [line] = line_items;
    assert.deepEqual([line!.quantity, line!.amount, line!.amount_before], ['-30', '0.00', '0.00']);
    assert.deepEqual(
      corrections.map(({ amount }) => amount.toFixed()),
      ['27'],
    );
  });

  it('counts with what the note leaves: 5 late after 50 less 30 are 4.50, before percents 5.00', () => {
    const credited = other('50', '18.00', { amount_before: '50.00', credited: '27.00' });
    const { line_items } = lateOf('25', [credited, other('-30', '0.00', { amount_before: '0.00' })]);
    assert.deepEqual([line_items[0]!.amount, line_items[0]!.amount_before], ['4.50', '5.00']);
  });

  const ROWS: [amount: string, credited: string, before: string | null, expected: string][] = [
    ['18.00', '27.00', '50.00', '20'],
    ['45.00', '0', '50.00', '50'],
    ['0.00', '45.00', '50.00', '0'],
    ['0.00', '0', '90.00', '90'],
    ['6.67', '3.33', '33.33', '22.23'],
    ['18.00', '27.00', null, '18'],
  ];
  for (const [amount, credited, amount_before, expected] of ROWS)
    it(`${amount} of a line of ${amount_before} before percents, less a note of ${credited}, counts as ${expected}`, () =>
      assert.equal(amountBeforeOf({ amount, credited, amount_before }, 'USD').toFixed(), expected));
});

describe('a flat amount with percents', () => {
  const flat = (flat_amount: string, billed = 'in_arrears') =>
    aCharge({ name: 'Seat', pricing: pricingOf('flat', { flat_amount, billed }) });

  it('in parts adds up: 10.00 in thirds are 3.00 each, and says its share of the price', () => {
    const parts = ['04-01', '04-11', '04-21', '05-01'].map(at);
    const lines = parts.slice(1).map((period_end, place) => {
      const period = { ...APRIL, kind: 'billing' as const, period_start: parts[place]!, period_end };
      const [line] = composeInvoice({
        plans: new Map([['plan_1', [flat('10')]]]),
        own: { period, full_period: APRIL, usage: new Map(), discounting: TEN, ...TERMS },
        ...{
          late: [],
          periods: [],
          items: [],
          grants: [],
          billed: null,
          fees: { coming: null, ending: null },
          ...TERMS,
        },
        tax: taxTermsOf('standard', '0'),
      }).line_items;
      return line!;
    });
    assert.deepEqual(
      lines.map(({ amount, amount_before }) => `${amount} ${amount_before}`),
      ['3.00 3.33', '3.00 3.34', '3.00 3.33'],
    );
    assert.match(lines[0]!.description, /^Seat, 3\.33 of 10\.00, from 1 to 10 April 2026/);
  });

  const FEE = flat('199.00', 'in_advance');
  const fees = (parts: Partial<FeePeriod>): FeePeriod => ({
    ...{ full_period: APRIL, full_period_start: APRIL.period_start, lines: [], arrears: [] },
    ...{ home: 'none', opening: 'none', settle: 'balance', exchanges: {}, settle_left_out: 'balance' },
    ...{ discounting: TEN, ...parts },
  });
  const feeLine = (amount: string, parts: Partial<FeeLine> = {}): FeeLine => ({
    ...{ id: 'li_1', charge_id: FEE.id, plan_id: 'plan_1', full_period_start: APRIL.period_start },
    ...{ period_end: APRIL.period_end, amount, credited: '0', amount_before: null, is_on_draft: false },
    ...parts,
  });
  const linesOf = (of: Partial<FeePeriod>, is_closing = false) =>
    feeLines(withTitles([FEE]), fees(of), { ...TERMS, is_closing }).map(
      ({ amount, amount_before, description }) => [amount, amount_before, description],
    );

  it('in advance is 179.10 of 199.00, whose description says no share', () => {
    assert.deepEqual(linesOf({}), [['179.10', '199.00', 'Seat, from 1 to 30 April 2026']]);
  });

  it('in advance bills what other lines of the fee lack', () => {
    const half = { ...APRIL, period_end: at('04-16') };
    const [line] = linesOf({ full_period: half });
    assert.deepEqual(line!.slice(0, 2), ['89.55', '99.50']);
    const lines = [feeLine('89.55', { amount_before: '99.50' })];
    const rest = ['89.55', '99.50'];
    assert.deepEqual(linesOf({ lines }, true)[0]!.slice(0, 2), rest);
  });

  it('in advance of which half is kept is credited with percents: 89.55', () => {
    const full_period = { ...APRIL, period_end: at('04-16') };
    const lines = [feeLine('179.10', { amount_before: '199.00' })];
    const [correction] = feeCorrections([FEE], fees({ full_period, lines }), { now: at('04-16'), ...TERMS });
    assert.equal(correction!.amount.toFixed(), '89.55');
  });

  it('in arrears beyond an end is credited with percents', () => {
    const charge = flat('30.00');
    const line = { ...feeLine('27.00', { amount_before: '30.00' }), period_start: APRIL.period_start };
    const arrears = [{ ...line, charge_id: charge.id }];
    const full_period = { ...APRIL, period_end: at('04-16') };
    const [correction] = arrearsCorrections([charge], fees({ full_period, arrears }), TERMS);
    assert.equal(correction!.amount.toFixed(), '13.5');
  });
});

describe('the causes of a difference', () => {
  const discounts = [LOYALTY];

  it('T, 900, then 10 percent off: price -9.00', () => {
    const [before, after] = [
      [usage({ quantity: '900', amount: '90.00' })],
      [usage({ quantity: '900', amount: '81.00', discounts })],
    ];
    assert.deepEqual(said(compare(aBill(after), aBill(before))), [
      ['usage', 'price -9.00'],
      ['tax', ''],
    ]);
  });

  it('of usage, price and late lines with percents add up', () => {
    const before = aBill([usage({ quantity: '900', amount: '81.00', discounts }), fee({ amount: '49.00' })]);
    const after = aBill([
      usage({ quantity: '1200', amount: '115.00' }),
      late({ quantity: '100', amount: '9.00', discounts }),
      fee({ amount: '44.10', discounts }),
    ]);
    assert.deepEqual(said(compare(after, before)), [
      ['usage', 'usage 22.50, price 11.50, late 9.00'],
      ['fee', 'price -4.90'],
      ['tax', ''],
    ]);
  });
});
