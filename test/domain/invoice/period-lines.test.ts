import assert from 'node:assert/strict';
import fc from 'fast-check';
import { periodAmounts, type PeriodTerms } from '../../../src/domain/invoice/period-lines.ts';
import { decimal, ZERO } from '../../../src/domain/money/decimal.ts';
import { aPeriod } from '../../support/ledger/schedules.ts';

const APRIL = { ...aPeriod('2026-04-01', '2026-05-01'), kind: 'billing', plan_id: 'plan_1' } as const;
/** Cents as an amount. */
const cents = (amount: number) => decimal(`${amount}e-2`);
const asCents = (amount: { times: (by: string) => { toFixed: () => string } }) =>
  Number(amount.times('100').toFixed());

type Invoice = { plan_lines: number; closes: boolean };

/** A full period that several invoices bill, each beside those before it, in cents. */
function billed(
  invoices: readonly Invoice[],
  { minimum, amounts }: { minimum: number; amounts: readonly number[] },
) {
  const discounts = amounts.map((amount, place) => ({
    ...{ discount_id: `dis_${place}`, name: 'Loyalty', percent: null, amount: cents(amount).toFixed() },
    ...{ event_names: null, from: '2026-01-01T00:00:00.000Z', until: null },
  }));
  const sums = { plan_lines: 0, minimum: 0, discounts: amounts.map(() => 0) };
  let is_closed = false;
  const totals = invoices.map(({ plan_lines, closes }) => {
    const terms: PeriodTerms = {
      full_period: APRIL,
      named: APRIL,
      minimum_amount: minimum === 0 ? null : cents(minimum).toFixed(),
      discounts,
      billed: {
        plan_lines: cents(sums.plan_lines),
        discounts: new Map(sums.discounts.map((amount, place) => [`dis_${place}`, cents(amount)])),
        decided: new Set(),
        minimum: cents(sums.minimum),
      },
      brings_minimum: closes ? 'always' : is_closed ? 'with_lines' : 'never',
    };
    is_closed ||= closes;
    const made = periodAmounts(terms, cents(plan_lines), 'USD');
    sums.plan_lines += plan_lines;
    sums.minimum += asCents(made.minimum);
    sums.discounts = sums.discounts.map(
      (amount, place) => amount + asCents(made.discounts.get(`dis_${place}`) ?? ZERO),
    );
    return { on_invoice: plan_lines + asCents(made.total), excess: asCents(made.excess_minimum) };
  });
  return { sums, is_closed, totals };
}

const anInvoice = fc.record({ plan_lines: fc.integer({ min: 0, max: 5000 }), closes: fc.constant(false) });
const aLife = fc.record({
  before: fc.array(anInvoice, { maxLength: 4 }),
  closing: fc.integer({ min: 0, max: 5000 }),
  after: fc.array(anInvoice, { maxLength: 4 }),
  minimum: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000 })),
  amounts: fc.array(fc.integer({ min: 1, max: 4000 }), { maxLength: 3 }),
});

/** billing.md 13. */
describe('the period lines of a full period', () => {
  it('come to what one invoice has, in whatever parts it is billed', () => {
    fc.assert(
      fc.property(aLife, ({ before, closing, after, ...terms }) => {
        const { sums } = billed([...before, { plan_lines: closing, closes: true }, ...after], terms);
        const { plan_lines } = sums;
        const one = billed([{ plan_lines, closes: true }], terms);
        assert.deepEqual(sums, one.sums);
        // In integers, without the code that bills.
        let left = plan_lines;
        const off = terms.amounts.map((amount) => {
          const part = Math.min(amount, left);
          left -= part;
          return part === 0 ? 0 : -part;
        });
        assert.deepEqual(
          sums.discounts.map((amount) => amount + 0),
          off,
        );
        assert.equal(sums.minimum, Math.max(0, terms.minimum - left));
        const all = left + sums.minimum;
        assert.ok(all >= terms.minimum && all <= Math.max(plan_lines, terms.minimum));
      }),
      { numRuns: 500 },
    );
  });

  it('never take an invoice below zero', () => {
    fc.assert(
      fc.property(aLife, ({ before, closing, after, ...terms }) => {
        const { totals } = billed([...before, { plan_lines: closing, closes: true }, ...after], terms);
        for (const { on_invoice, excess } of totals) assert.ok(on_invoice >= 0 && excess === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('leave a minimum that is too much without room for it to a note', () => {
    const billed_before = { plan_lines: cents(9000), discounts: new Map(), decided: new Set<string>() };
    const terms: PeriodTerms = {
      ...{ full_period: APRIL, named: APRIL, minimum_amount: '100', discounts: [] },
      billed: { ...billed_before, minimum: cents(4000) },
      brings_minimum: 'with_lines',
    };
    const { minimum, excess_minimum } = periodAmounts(terms, cents(500), 'USD');
    assert.deepEqual([asCents(minimum), asCents(excess_minimum)], [-500, 3000]);
  });
});
