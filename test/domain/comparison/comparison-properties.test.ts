import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareBills } from '../../../src/domain/comparison/comparison.ts';
import type { ComposedInvoice } from '../../../src/domain/invoice/invoice.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import type { RatedCharge } from '../../../src/domain/pricing/series.ts';
import { APRIL, compose, used } from '../../support/ledger/april-invoice.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aCharge, aPricing, aQuantityFor, discountingOf, somePercents } from '../../support/ledger/plans.ts';
import { aPeriod } from '../../support/ledger/schedules.ts';
import * as oracle from '../../support/oracles/price-oracle.ts';

const CURRENCIES = ['USD', 'JPY', 'KWD'] as const;
const MARCH = { ...aPeriod('2026-03-01', '2026-04-01'), kind: 'billing', plan_id: 'plan_1' } as const;

/** Usage at a price: of the own period, of one that was billed before, and what another part of it has billed. */
type Used = { pricing: Pricing; quantity: string; late: string | null; part: string | null };

const aUse: fc.Arbitrary<Used> = aPricing().chain((pricing) =>
  fc.record({
    pricing: fc.constant(pricing),
    quantity: aQuantityFor(pricing),
    late: fc.option(aQuantityFor(pricing)),
    part: fc.option(aQuantityFor(pricing)),
  }),
);

/** A bill: its charges by the number of their event name, of which another bill may have some too. */
const aBill = fc.record({
  uses: fc.uniqueArray(fc.record({ name: fc.integer({ min: 0, max: 3 }), use: aUse }), {
    selector: ({ name }) => name,
    maxLength: 3,
  }),
  grant: fc.option(fc.integer({ min: 1, max: 5000 })),
  tax_rate: fc.constantFrom('0', '7.7', '19', '8.875', '100'),
  cut: fc.boolean(),
  percents: somePercents,
});

type ABill = typeof aBill extends fc.Arbitrary<infer B> ? B : never;

function chargesOf({ uses }: ABill, bill: string): RatedCharge[] {
  return uses.map(({ name, use: { pricing } }) =>
    aCharge({
      id: `chg_${bill}_${name}`,
      event_name: `event_${name}`,
      pricing,
      ...(pricing.pricing_model === 'percentage' && { aggregation: { type: 'sum', property: 'value' } }),
    }),
  );
}

function composed(bill: ABill, charges: readonly RatedCharge[], currency: string): ComposedInvoice {
  const metered = bill.uses.flatMap(({ use }, place) =>
    use.pricing.pricing_model === 'flat' ? [] : [{ ...use, id: charges[place]!.id }],
  );
  const others = (part: string | null) =>
    part === null
      ? []
      : [
          {
            ...{ quantity: part, billable_quantity: part, amount: '1', provisional_credit: '0' },
            ...{ credited: '0', amount_before: null },
          },
        ];
  const discounting = discountingOf(bill.percents);
  const late = metered.flatMap(({ id, late: units }) => (units === null ? [] : [[id, used(units)] as const]));
  return compose({
    charges: [...charges],
    usage: new Map(
      metered.map(({ id, quantity, part }) => [
        id,
        { ...used(quantity), others: others(bill.cut ? part : null) },
      ]),
    ),
    discounting,
    late: [
      { full_period: MARCH, usage: new Map(late), discounting, quantities: [], currency, timezone: 'UTC' },
    ],
    ...(bill.cut && { period: { ...APRIL, period_start: '2026-04-11T00:00:00.000Z' } }),
    grants: bill.grant === null ? [] : [aGrantBalance({ id: 'cg_1', remaining: `${bill.grant}` })],
    currency,
    tax: taxTermsOf('standard', bill.tax_rate),
  });
}

const sumOf = (texts: readonly string[]) => oracle.total(texts.map(oracle.rational));
const adds_up = (parts: readonly string[], whole: string) =>
  assert.ok(oracle.equals(sumOf(parts), oracle.rational(whole)), `${parts.join(' + ')} is not ${whole}`);

describe('any two bills compared', () => {
  it('add up: causes to the difference of a line, lines to that of the invoice, and to both totals', () => {
    fc.assert(
      fc.property(aBill, aBill, fc.constantFrom(...CURRENCIES), (first, second, currency) => {
        const [a, b] = [chargesOf(first, 'a'), chargesOf(second, 'b')];
        const charges = new Map([...a, ...b].map((charge) => [charge.id, charge]));
        const bills = [composed(second, b, currency), composed(first, a, currency)] as const;
        const { lines, ...totals } = compareBills(...bills, { charges, currency });
        adds_up(
          lines.map(({ difference }) => difference),
          totals.difference,
        );
        adds_up(
          lines.map(({ amount }) => amount),
          totals.total,
        );
        adds_up(
          lines.map(({ with_amount }) => with_amount),
          totals.with_total,
        );
        for (const { causes, difference, amount, with_amount } of lines) {
          adds_up(
            causes.map((cause) => cause.amount),
            difference,
          );
          adds_up([with_amount, difference], amount);
          assert.ok(
            causes.every((cause) => !oracle.equals(oracle.rational(cause.amount), oracle.rational('0'))),
          );
        }
        assert.equal(lines.at(-1)!.kind, 'tax');
      }),
    );
  });

  it('have the opposite difference and as many lines the other way round', () => {
    fc.assert(
      fc.property(aBill, aBill, (first, second) => {
        const [a, b] = [chargesOf(first, 'a'), chargesOf(second, 'b')];
        const charges = new Map([...a, ...b].map((charge) => [charge.id, charge]));
        const bills = [composed(first, a, 'USD'), composed(second, b, 'USD')] as const;
        const there = compareBills(bills[0], bills[1], { charges, currency: 'USD' });
        const back = compareBills(bills[1], bills[0], { charges, currency: 'USD' });
        adds_up([there.difference, back.difference], '0');
        assert.equal(there.lines.length, back.lines.length);
      }),
      { numRuns: 50 },
    );
  });

  it('have no cause where they are one', () => {
    fc.assert(
      fc.property(aBill, (bill) => {
        const all = chargesOf(bill, 'a');
        const invoice = composed(bill, all, 'USD');
        const charges = new Map(all.map((charge) => [charge.id, charge]));
        const { lines } = compareBills(invoice, invoice, { charges, currency: 'USD' });
        assert.deepEqual(
          lines.flatMap(({ causes }) => causes),
          [],
        );
      }),
      { numRuns: 50 },
    );
  });
});
