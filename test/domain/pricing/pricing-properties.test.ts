import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal } from '../../../src/domain/money/decimal.ts';
import { minorDigits } from '../../../src/domain/money/money.ts';
import { MODELS, modelOf, PRICING_MODELS } from '../../../src/domain/pricing/definitions.ts';
import { creditableUnits, price } from '../../../src/domain/pricing/pricing.ts';
import { WHOLE, aPricing, aQuantityFor, aRatedCase } from '../../support/ledger/plans.ts';
import * as oracle from '../../support/oracles/price-oracle.ts';

const USD = 'USD';

describe('any price', () => {
  it('equals the price of the oracle, to the last digit', () => {
    fc.assert(
      fc.property(aRatedCase, ({ pricing, usage, currency }) => {
        const actual = price(pricing, usage, currency);
        const expected = oracle.oraclePrice(pricing, usage, minorDigits(currency));
        const creditable = oracle.oracleCreditable(pricing, usage.quantity);
        assert.ok(oracle.equals(oracle.rational(creditableUnits(pricing, usage.quantity)), creditable));
        assert.ok(oracle.equals(oracle.rational(actual.billable_quantity), expected.billable_quantity));
        assert.equal(actual.amount, expected.amount);
        assert.equal(actual.amount_before, expected.amount_before);
        assert.equal(actual.tiers?.length, expected.tiers?.length);
        for (const [place, tier] of (actual.tiers ?? []).entries()) {
          assert.ok(oracle.equals(oracle.rational(tier.quantity), expected.tiers![place]!.quantity));
          assert.ok(oracle.equals(oracle.rational(tier.amount), expected.tiers![place]!.amount));
        }
        // Only a part of a flat amount can have infinitely many decimals.
        if (pricing.pricing_model === 'flat') return;
        assert.ok(oracle.equals(oracle.rational(actual.exact_amount), expected.exact_amount));
      }),
      { numRuns: 500 },
    );
  });

  it('is never raised by credit, nor made negative', () => {
    fc.assert(
      fc.property(aRatedCase, ({ pricing, usage, more_credit, currency }) => {
        const [less, more] = [usage.credit, more_credit].map((credit) =>
          price(pricing, { ...usage, credit }, currency),
        );
        assert.ok(decimal(more!.amount).lte(less!.amount), `${more!.amount} > ${less!.amount}`);
        assert.ok(decimal(more!.amount).gte('0'));
      }),
      { numRuns: 300 },
    );
  });

  it('is the sum of its tiers, in quantity and in money, before percents and rounding', () => {
    const aTieredCase = aRatedCase.filter(({ pricing }) => 'tiers' in pricing);
    fc.assert(
      fc.property(aTieredCase, ({ pricing, usage, currency }) => {
        const { tiers, billable_quantity, exact_amount } = price(
          pricing,
          { ...usage, percents: [] },
          currency,
        );
        const sumOf = (texts: string[]) => oracle.total(texts.map(oracle.rational));
        const quantity = sumOf(tiers!.map((tier) => tier.quantity));
        const amount = sumOf(tiers!.map((tier) => tier.amount));
        assert.ok(oracle.equals(quantity, oracle.rational(billable_quantity)));
        assert.ok(oracle.equals(amount, oracle.rational(exact_amount)));
      }),
    );
  });

  it('has the tiers and the quantity of the price without percents', () => {
    fc.assert(
      fc.property(aRatedCase, ({ pricing, usage, currency }) => {
        const [discounted, whole] = [usage.percents, []].map((percents) =>
          price(pricing, { ...usage, percents }, currency),
        );
        assert.deepEqual(discounted!.tiers, whole!.tiers);
        assert.equal(discounted!.billable_quantity, whole!.billable_quantity);
        assert.equal(discounted!.amount_before ?? discounted!.amount, whole!.amount);
      }),
    );
  });

  it('is canonical text', () => {
    fc.assert(
      fc.property(aRatedCase, ({ pricing, usage, currency }) => {
        const { tiers, billable_quantity, exact_amount, amount } = price(pricing, usage, currency);
        const canonical = /^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/;
        for (const text of [billable_quantity, exact_amount]) assert.match(text, canonical);
        for (const tier of tiers ?? []) assert.match(tier.quantity, canonical);
        assert.equal(amount.split('.')[1]?.length ?? 0, minorDigits(currency));
      }),
    );
  });
});

describe('the calculation shown on a line', () => {
  const formats = { quantity: (text: string) => text, amount: (text: string) => text };

  it('gives the price of the quantity, in every model without tiers', () => {
    const aCase = aPricing().chain((pricing) => fc.tuple(fc.constant(pricing), aQuantityFor(pricing)));
    fc.assert(
      fc.property(aCase, ([pricing, quantity]) => {
        const { billable_quantity, exact_amount, tiers } = price(
          pricing,
          { quantity, credit: '0', fraction: WHOLE, percents: [] },
          USD,
        );
        const calculation = modelOf(pricing).calculation(billable_quantity, formats);
        assert.equal(calculation === null, tiers !== null);
        assert.equal(MODELS[pricing.pricing_model].tierRule === undefined, tiers === null);
        if (calculation !== null) assert.equal(calculation.exact_amount, exact_amount);
        const unit_price = modelOf(pricing).singlePrice();
        if (unit_price !== null)
          assert.ok(decimal(billable_quantity).times(unit_price).eq(exact_amount), 'the single price');
      }),
    );
  });
});

describe('one model', () => {
  const exactly = (pricing: Parameters<typeof price>[0], quantity: string) =>
    decimal(price(pricing, { quantity, credit: '0', fraction: WHOLE, percents: [] }, USD).exact_amount);

  it('graduated is the sum of the prices of units 1 to n', () => {
    const aCase = fc.tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
      fc.array(fc.tuple(fc.integer({ max: 999, min: 0 }), fc.integer({ max: 999, min: 0 })), {
        minLength: 5,
      }),
      fc.integer({ min: 0, max: 60 }),
    );
    fc.assert(
      fc.property(aCase, ([bounds, prices, units]) => {
        const ups = [...bounds.sort((a, b) => a - b), Infinity];
        let expected = prices[0]![1];
        for (let unit = 1; unit <= units; unit += 1) {
          const place = ups.findIndex((up_to) => unit <= up_to);
          const isFirstOfTier = place > 0 && unit === ups[place - 1]! + 1;
          expected += prices[place]![0] + (isFirstOfTier ? prices[place]![1] : 0);
        }
        const tiers = ups.map((up_to, place) => ({
          up_to: up_to === Infinity ? null : `${up_to}`,
          unit_amount: `${prices[place]![0]}`,
          flat_amount: `${prices[place]![1]}`,
        }));
        assert.equal(exactly({ pricing_model: 'graduated', tiers }, `${units}`).toFixed(), `${expected}`);
      }),
    );
  });

  for (const model of PRICING_MODELS.filter((name) => !MODELS[name].may_fall)) {
    it(`${model} never falls when usage grows`, () => {
      const aCase = aPricing(model).chain((pricing) =>
        fc.tuple(fc.constant(pricing), aQuantityFor(pricing), aQuantityFor(pricing)),
      );
      fc.assert(
        fc.property(aCase, ([pricing, one, other]) => {
          const [less, more] = decimal(one).lte(other) ? [one, other] : [other, one];
          assert.ok(exactly(pricing, less).lte(exactly(pricing, more)));
        }),
        { numRuns: 50 },
      );
    });
  }

  for (const model of ['per_unit', 'credit'] as const) {
    it(`${model} is linear: f(a + b) = f(a) + f(b)`, () => {
      const aCase = aPricing(model).chain((pricing) =>
        fc.tuple(fc.constant(pricing), aQuantityFor(pricing), aQuantityFor(pricing)),
      );
      fc.assert(
        fc.property(aCase, ([pricing, a, b]) => {
          const both = decimal(a).plus(b).toFixed();
          assert.ok(exactly(pricing, both).eq(exactly(pricing, a).plus(exactly(pricing, b))));
        }),
        { numRuns: 50 },
      );
    });
  }

  it('flat does not depend on usage', () => {
    const aCase = fc.tuple(aPricing('flat'), fc.nat());
    fc.assert(
      fc.property(aCase, ([pricing, events]) =>
        assert.ok(exactly(pricing, `${events}`).eq(exactly(pricing, '0'))),
      ),
      { numRuns: 20 },
    );
  });
});
