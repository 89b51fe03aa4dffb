import fc from 'fast-check';
import type { Charge, Pricing, Tier } from '../../src/domain/charge.ts';
import { canonical, decimal, min } from '../../src/domain/decimal.ts';
import { type PricedUsage, creditableUnits } from '../../src/domain/pricing.ts';

/** The tiers T of billing.md 3. */
export const T: readonly Tier[] = [
  { up_to: '1000', unit_amount: '0.1', flat_amount: null },
  { up_to: '10000', unit_amount: '0.05', flat_amount: '5' },
  { up_to: null, unit_amount: '0.01', flat_amount: null },
];

export const WHOLE = { numerator: '1', denominator: '1' } as const;

/** A charge that counts api_call events at 0.10 each, but for what the test is about. */
export function aCharge(parts: Partial<Charge> = {}): Charge {
  return {
    id: 'chg_1',
    event_name: 'api_call',
    name: null,
    unit_name: null,
    aggregation: { type: 'count' },
    filters: null,
    pricing: { pricing_model: 'per_unit', unit_amount: '0.1' },
    ...parts,
  };
}

/** A canonical decimal of up to `digits` digits, of which up to `scale` are decimals. */
export function aDecimal(digits: number, scale: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.bigInt(0n, 10n ** BigInt(digits) - 1n), fc.integer({ min: 0, max: scale }))
    .map(([units, decimals]) => canonical(decimal(`${units}e-${decimals}`)));
}

const aPrice = fc.oneof(fc.constantFrom('0', '0.005', '0.1', '1'), aDecimal(4, 4), aDecimal(18, 15));
const aSize = aDecimal(7, 3).filter((text) => text !== '0');

/** Up to five tiers; bounds are small, so that quantities meet them. */
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

const PRICINGS: { [M in Pricing['pricing_model']]: fc.Arbitrary<Pricing> } = {
  flat: fc.record({ pricing_model: fc.constant('flat' as const), flat_amount: aPrice }),
  per_unit: fc.record({ pricing_model: fc.constant('per_unit' as const), unit_amount: aPrice }),
  graduated: fc.record({ pricing_model: fc.constant('graduated' as const), tiers: someTiers }),
  volume: fc.record({ pricing_model: fc.constant('volume' as const), tiers: someTiers }),
  package: fc.record({
    pricing_model: fc.constant('package' as const),
    package_size: aSize,
    package_amount: aPrice,
    free_units: fc.oneof(fc.constant('0'), aDecimal(5, 2)),
  }),
  credit: fc.record({
    pricing_model: fc.constant('credit' as const),
    credits_per_unit: fc.oneof(fc.constant('1'), aDecimal(4, 2)),
    overage_unit_amount: aPrice,
  }),
};

/** A valid pricing of any model, or of the one that is named. */
export function aPricing(model?: Pricing['pricing_model']): fc.Arbitrary<Pricing> {
  return model === undefined ? fc.oneof(...Object.values(PRICINGS)) : PRICINGS[model];
}

/** Quantities that lie at the bounds of this pricing and next to them, at zero, anywhere, and far away. */
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

/** A pricing with usage of it, two amounts of credit of which the first is not the greater, and a currency. */
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
        currency: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
      })
      .map(({ one, other, fraction, currency }) => {
        const [less, more] = decimal(one).lte(other) ? [one, other] : [other, one];
        return { pricing, usage: { quantity, credit: less, fraction }, more_credit: more, currency };
      });
  }),
);
