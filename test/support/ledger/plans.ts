import fc from 'fast-check';
import type { FieldKind } from '../../../src/domain/pricing/definition.ts';
import {
  MODELS,
  PRICING_MODELS,
  type Pricing,
  type PricingModel,
  pricingOf,
} from '../../../src/domain/pricing/definitions.ts';
import { pricingFaults } from '../../../src/domain/pricing/faults.ts';
import type { Tier } from '../../../src/domain/pricing/tiers.ts';
import { canonical, decimal, min } from '../../../src/domain/money/decimal.ts';
import type { Discounting } from '../../../src/domain/pricing/discount.ts';
import { creditableUnits } from '../../../src/domain/pricing/pricing.ts';
import type { PricedUsage } from '../../../src/domain/pricing/price.ts';
import { ALL, type RatedCharge } from '../../../src/domain/pricing/series.ts';

export const WHOLE = { numerator: '1', denominator: '1' } as const;

/** A charge that counts api_call events at 0.10 each, with one line; `parts` overrides. */
export function aCharge(parts: Partial<RatedCharge> = {}): RatedCharge {
  return {
    id: 'chg_1',
    event_name: 'api_call',
    name: null,
    unit_name: null,
    aggregation: { type: 'count' },
    filters: null,
    pricing: { pricing_model: 'per_unit', unit_amount: '0.1' },
    group_by: null,
    price: null,
    series: ALL,
    ...parts,
  };
}

/** A canonical decimal of up to `digits` digits, up to `scale` of them decimals. */
export function aDecimal(digits: number, scale: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.bigInt(0n, 10n ** BigInt(digits) - 1n), fc.integer({ min: 0, max: scale }))
    .map(([units, decimals]) => canonical(decimal(`${units}e-${decimals}`)));
}

const aPrice = fc.oneof(fc.constantFrom('0', '0.005', '0.1', '1'), aDecimal(4, 4), aDecimal(18, 15));
const aSize = aDecimal(7, 3).filter((text) => text !== '0');

/** Generates up to five tiers; bounds are small, so that random quantities hit them. */
const someTiers: fc.Arbitrary<Tier[]> = fc
  .tuple(
    fc.uniqueArray(aSize, { maxLength: 4 }),
    fc.array(fc.record({ unit_amount: aPrice, flat_amount: fc.option(aPrice) }), {
      minLength: 5,
      maxLength: 5,
    }),
  )
  .map(([bounds, prices]) => {
    const rising = bounds.sort((a, b) => decimal(a).cmp(decimal(b)));
    return [...rising, null].map((up_to, place) => ({ up_to, ...prices[place]! }));
  });

const aSmallDecimal = fc.oneof(fc.constantFrom('0', '1'), aDecimal(5, 2));
const aPercent = fc.oneof(fc.constantFrom('0', '2.5', '100'), aDecimal(4, 2));

/** Random values for each kind of field. */
const VALUES: Record<FieldKind, fc.Arbitrary<string | Tier[]>> = {
  amount: aPrice,
  quantity: aSmallDecimal,
  size: aSize,
  percent: aPercent,
  tiers: someTiers,
  choice: fc.constant('in_arrears'),
};

/** A valid pricing of the given model, or of any. */
export function aPricing(model?: PricingModel): fc.Arbitrary<Pricing> {
  const models = model === undefined ? PRICING_MODELS : [model];
  return fc.oneof(...models.map((one) => pricingFrom(VALUES, one)));
}

/** A valid pricing of a model from values for each kind of field. Sometimes leaves out a field that has a default. */
export function pricingFrom(
  values_of: Record<FieldKind, fc.Arbitrary<string | readonly Tier[]>>,
  model: PricingModel,
): fc.Arbitrary<Pricing> {
  const fields = Object.entries(MODELS[model].fields).map(([name, { kind, default: absent }]) => [
    name,
    absent === undefined ? values_of[kind] : fc.option(values_of[kind], { nil: undefined }),
  ]);
  return fc
    .record<Record<string, unknown>>(Object.fromEntries(fields))
    .map((values) => pricingOf(model, values))
    .filter((pricing) => pricingFaults(pricing).length === 0);
}

/** Quantities at the tier bounds of a pricing and next to them, zero, arbitrary ones and very large ones. */
export function aQuantityFor(pricing: Pricing): fc.Arbitrary<string> {
  const edges =
    'tiers' in pricing ? pricing.tiers.flatMap(({ up_to }) => (up_to === null ? [] : [up_to])) : ['1'];
  const near = ['0', '1', '0.001'].flatMap((step) =>
    edges.flatMap((edge) => [decimal(edge).plus(step), decimal(edge).minus(step)]),
  );
  const valid = near.filter((edge) => edge.gte('0')).map(canonical);
  return fc.oneof(fc.constantFrom('0', ...valid), aDecimal(6, 0), aDecimal(9, 4), aDecimal(24, 6));
}

const aFraction = fc
  .tuple(fc.bigInt(1n, 32n * 86_400_000n), fc.bigInt(1n, 32n * 86_400_000n))
  .map(([a, b]) => ({ numerator: `${a < b ? a : b}`, denominator: `${a < b ? b : a}` }));

/** Percents of discounts: often none, else up to three, above 0 to 100 with up to four decimals. */
export const somePercents: fc.Arbitrary<string[]> = fc.array(
  fc.oneof(fc.constantFrom('10', '100', '0.0001'), fc.integer({ min: 1, max: 1_000_000 }).map(percentText)),
  { maxLength: 3 },
);

/** Discounts with these percents, which hold for all charges and periods. */
export function discountingOf(percents: readonly string[]): Discounting {
  const discounts = percents.map((percent, place) => ({
    ...{ discount_id: `dis_${place}`, name: 'Loyalty', percent, amount: null, event_names: null },
    ...{ from: '1970-01-01T00:00:00.000Z', until: null },
  }));
  return { discounts, decided: new Map() };
}

function percentText(ten_thousandths: number): string {
  return canonical(decimal(`${ten_thousandths}e-4`));
}

/** A pricing with usage, two amounts of credit, the first not greater than the second, and a currency. */
export const aRatedCase: fc.Arbitrary<{
  pricing: Pricing;
  usage: PricedUsage;
  more_credit: string;
  currency: string;
}> = aPricing().chain((pricing) =>
  aQuantityFor(pricing).chain((quantity) => {
    const creditable = creditableUnits(pricing, quantity);
    const aCredit = fc.oneof(
      fc.constantFrom('0', creditable),
      aDecimal(7, 3).map((text) => canonical(min(decimal(text), decimal(creditable)))),
    );
    return fc
      .record({
        one: aCredit,
        other: aCredit,
        fraction: aFraction,
        percents: somePercents,
        currency: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
      })
      .map(({ one, other, fraction, percents, currency }) => {
        const [less, more] = decimal(one).lte(other) ? [one, other] : [other, one];
        return {
          pricing,
          usage: { quantity, credit: less, fraction, percents },
          more_credit: more,
          currency,
        };
      });
  }),
);
