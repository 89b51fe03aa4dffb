import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal, sum } from '../../../src/domain/money/decimal.ts';
import { stretchesOf, worthUpTo } from '../../../src/domain/lines/stretches.ts';
import { ALL, ratedCharge } from '../../../src/domain/pricing/series.ts';
import type { QuantityChange } from '../../../src/domain/subscription/quantity.ts';
import { addMilliseconds } from '../../../src/domain/time/period.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const APRIL = aPeriod('2026-04-01', '2026-05-01');

type Change = [day: number, quantity: string, settle?: QuantityChange['settle']];

const feeOf = (
  flat_amount: string,
  [first, ...changes]: [string, ...Change[]],
  billed: string = 'in_arrears',
) => {
  const pricing = { pricing_model: 'flat', flat_amount, billed, quantity: 'subscription' } as const;
  const charge = ratedCharge(aCharge({ event_name: 'seat', pricing }), ALL);
  const terms = { event_name: 'seat', bill: 'with_next', is_settled: true } as const;
  const quantities: QuantityChange[] = [
    { ...terms, at: null, quantity: first, settle: 'balance' },
    ...changes.map(([day, quantity, settle = 'balance']) => ({
      ...terms,
      at: midnight(`2026-04-${`${day}`.padStart(2, '0')}`),
      quantity,
      settle,
    })),
  ];
  return { charge, quantities };
};

describe('the stretches of a fee', () => {
  type Figure = [what: string, amount: string, changes: [string, ...Change[]], amounts: string[]];
  const FIGURES: Figure[] = [
    ['10 at 8.00', '8', ['10'], ['10: 80.00']],
    ['10, from the 16th 15', '8', ['10', [16, '15']], ['10: 40.00', '15: 60.00']],
    ['10.00 at 1, 2, 1', '10', ['1', [11, '2'], [21, '1']], ['1: 3.33', '2: 6.67', '1: 3.33']],
    ['neighbours of one quantity', '8', ['10', [11, '10'], [16, '15']], ['10: 40.00', '15: 60.00']],
    ['nobody for half of the month', '8', ['0', [16, '5']], ['0: 0.00', '5: 20.00']],
    ['half a seat', '8', ['0.5'], ['0.5: 4.00']],
  ];
  for (const [what, amount, changes, amounts] of FIGURES)
    it(`${what}: ${amounts.join(', ')}`, () => {
      const worth = { period_end: APRIL.period_end, percents: [], currency: 'USD' };
      const stretches = stretchesOf(feeOf(amount, changes), APRIL, worth);
      assert.deepEqual(
        stretches.map((stretch) => `${stretch.quantity}: ${stretch.amount}`),
        amounts,
      );
    });

  it('with 10 percent off are 36.00 and 54.00', () => {
    const worth = { period_end: APRIL.period_end, percents: ['10'], currency: 'USD' };
    const stretches = stretchesOf(feeOf('8', ['10', [16, '15']]), APRIL, worth);
    assert.deepEqual(
      stretches.map(({ amount }) => amount),
      ['36.00', '54.00'],
    );
  });

  it('in advance keep a quantity that is not settled, until a higher one: 8 x 320 / 30 are 85.33', () => {
    const worth = { period_end: APRIL.period_end, percents: [], currency: 'USD' };
    const changes: [string, ...Change[]] = ['10', [16, '5', 'none'], [21, '12']];
    assert.equal(worthUpTo(feeOf('8', changes, 'in_advance'), APRIL, worth).toFixed(2), '85.33');
    assert.equal(worthUpTo(feeOf('8', changes), APRIL, worth).toFixed(2), '78.67');
    const then_lower: [string, ...Change[]] = [...changes, [26, '1', 'balance']];
    assert.equal(worthUpTo(feeOf('8', then_lower, 'in_advance'), APRIL, worth).toFixed(2), '82.67');
  });

  it('are one of the quantity 1 for another charge', () => {
    const charge = ratedCharge(aCharge({ pricing: { pricing_model: 'flat', flat_amount: '49' } }), ALL);
    const worth = { period_end: midnight('2026-04-12'), percents: [], currency: 'USD' };
    const { quantities } = feeOf('1', ['10']);
    assert.equal(worthUpTo({ charge, quantities }, APRIL, worth).toFixed(2), '17.97');
  });
});

describe('any quantities at any instants', () => {
  const LENGTH_MS = Date.parse(APRIL.period_end) - Date.parse(APRIL.period_start);
  const someInstant = fc
    .integer({ min: 0, max: LENGTH_MS })
    .map((ms) => addMilliseconds(APRIL.period_start, ms));
  const someQuantity = fc
    .integer({ min: 0, max: 50_000_000 })
    .map((n) => decimal(`${n}`).times('0.000001').toFixed());
  const someFee = fc
    .record({
      amount: fc.integer({ min: 0, max: 10_000_000 }).map((n) => decimal(`${n}`).times('0.0001').toFixed()),
      first: someQuantity,
      billed: fc.constantFrom('in_arrears', 'in_advance'),
      changes: fc.array(
        fc.record({
          at: someInstant,
          quantity: someQuantity,
          settle: fc.constantFrom('balance', 'outside', 'none'),
        }),
        { maxLength: 8 },
      ),
    })
    .map(({ amount, first, billed, changes }) => {
      const { charge, quantities } = feeOf(amount, [first], billed);
      const terms = { event_name: 'seat', bill: 'with_next', is_settled: true } as const;
      const sorted = changes
        .toSorted((a, b) => (a.at < b.at ? -1 : 1))
        .map((change) => ({ ...change, ...terms }));
      return { charge, quantities: [...quantities, ...sorted] as QuantityChange[] };
    });
  const somePercents = fc.constantFrom<string[]>([], ['10'], ['10', '20'], ['100']);
  const someCurrency = fc.constantFrom('USD', 'JPY', 'KWD');

  it('sum to the worth, each from where the one before ends, none below zero', () =>
    fc.assert(
      fc.property(someFee, somePercents, someCurrency, someInstant, (fee, percents, currency, period_end) => {
        const worth = { period_end, percents, currency };
        const stretches = stretchesOf(fee, APRIL, worth);
        const starts = [APRIL.period_start, ...stretches.map((stretch) => stretch.period_end)];
        assert.deepEqual(
          stretches.map(({ period_start }) => period_start),
          starts.slice(0, -1),
        );
        assert.equal(starts.at(-1), period_end);
        const amounts = stretches.map(({ amount }) => decimal(amount));
        assert.ok(sum(amounts).eq(worthUpTo(fee, APRIL, worth)));
        assert.ok(amounts.every((amount) => amount.gte('0')));
      }),
    ));

  it('leave parts that sum to the whole', () =>
    fc.assert(
      fc.property(
        someFee,
        somePercents,
        someCurrency,
        fc.array(someInstant, { maxLength: 4 }),
        (fee, percents, currency, cuts) => {
          const ends = [...cuts.toSorted(), APRIL.period_end];
          const upTo = (period_end: string) => worthUpTo(fee, APRIL, { period_end, percents, currency });
          const parts = ends.map((end, at) => upTo(end).minus(upTo(ends[at - 1] ?? APRIL.period_start)));
          assert.ok(sum(parts).eq(upTo(APRIL.period_end)));
          assert.ok(parts.every((part) => part.gte('0')));
        },
      ),
    ));
});
