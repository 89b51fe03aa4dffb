import fc from 'fast-check';
import type { Aggregation, Filters } from '../../../src/domain/pricing/charge.ts';
import type { FieldKind } from '../../../src/domain/pricing/definition.ts';
import {
  LISTED_MODELS,
  MODELS,
  PRICING_MODELS,
  type Pricing,
} from '../../../src/domain/pricing/definitions.ts';
import type { Tier } from '../../../src/domain/pricing/tiers.ts';
import { pricingFrom } from '../../support/ledger/plans.ts';
import type { Charge, Division } from '../model/world.ts';

/** Charges of plans as a life intends them, before event names have the number of a subscription. */

export type ChargeIntention = Omit<Charge, 'event_name'>;

/** The names of the quantities of a plan (billing.md 14), before they have the number of a subscription. */
export const QUANTITY_KINDS = ['seat', 'site'] as const;

const aPrice = fc.constantFrom('1', '0.5', '0.333', '2.25', '0.015', '10', '0');

const someTiers: fc.Arbitrary<readonly Tier[]> = fc
  .record({
    bounds: fc.constantFrom(['3'], ['4.5'], ['2', '6'], ['1', '3', '9']),
    prices: fc.array(aPrice, { minLength: 4, maxLength: 4 }),
    flats: fc.array(fc.constantFrom(null, null, '2', '0.05'), { minLength: 4, maxLength: 4 }),
  })
  .map(({ bounds, prices, flats }) =>
    [...bounds, null].map((up_to, place) => ({
      up_to,
      unit_amount: prices[place]!,
      flat_amount: flats[place]!,
    })),
  );

/** Values of a field of each kind: few values, so that lives meet at the bounds. */
const VALUES: Record<FieldKind, fc.Arbitrary<string | readonly Tier[]>> = {
  amount: aPrice,
  quantity: fc.constantFrom('0', '1', '2', '0.5', '1.5'),
  size: fc.constantFrom('1', '3', '2.5'),
  percent: fc.constantFrom('2.5', '50', '100', '0'),
  tiers: someTiers,
  choice: fc.constant('in_arrears'),
};

/** A pricing of a model. */
export const aPricingOf = (model: Pricing['pricing_model']): fc.Arbitrary<Pricing> =>
  pricingFrom(VALUES, model);

/** Any model that bills events, but for the ones whose fields do not fit each other. */
export const aMeteredPricing: fc.Arbitrary<Pricing> = fc.oneof(
  ...PRICING_MODELS.filter((model) => MODELS[model].is_metered).map((model) => pricingFrom(VALUES, model)),
);

const aFlatPricing: fc.Arbitrary<Pricing> = fc.record({
  pricing_model: fc.constant('flat' as const),
  flat_amount: fc.constantFrom('49', '10', '0.01', '0'),
});

export const aFeeBilled = (...billed: ('in_arrears' | 'in_advance')[]): fc.Arbitrary<Pricing> =>
  fc.record({
    pricing_model: fc.constant('flat' as const),
    flat_amount: fc.constantFrom('49', '199.99', '10', '3', '0.01'),
    billed: fc.constantFrom(...billed),
  });

export const SUM = { type: 'sum', property: 'size' } as const;

/** Draws mostly sums: only a sum can shrink, and only then is credit returned. */
const anAggregation: fc.Arbitrary<Aggregation> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(SUM) },
  { weight: 2, arbitrary: fc.constant({ type: 'count' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('max' as const, 'latest' as const).map((type) => ({ ...SUM, type })),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'unique' as const, property: 'user' }) },
);

/** Prices for values that events have, with or without a default. */
const aDivision = (model: Pricing['pricing_model']): fc.Arbitrary<Division> =>
  fc
    .record({
      matches: fc.constantFrom<Filters[]>(
        [{ region: ['eu'] }],
        [{ region: ['eu', 1] }, { region: ['us'] }],
        [{ user: ['ann', 1], region: ['us'] }, { user: ['bob', true] }],
      ),
      pricings: fc.array(pricingFrom(VALUES, model), { minLength: 3, maxLength: 3 }),
      has_default: fc.boolean(),
      has_prices: fc.boolean(),
      group_by: fc.constantFrom(null, ['user'], ['region'], ['region', 'user']),
    })
    .map(({ matches, pricings, has_default, has_prices, group_by }) => {
      const listed = [...matches, ...(has_default ? [null] : [])];
      const prices = listed.map((match, place) => ({ match, pricing: pricings[place]! }));
      return { prices: has_prices || group_by === null ? prices : null, group_by, parts: [] };
    });

const aDividedCharge = fc.constantFrom(...LISTED_MODELS).chain((model) =>
  fc.record({
    aggregation: anAggregation,
    filters: fc.constant(null),
    pricing: pricingFrom(VALUES, model),
    division: aDivision(model),
  }),
);

const aPlainCharge = fc
  .record({
    aggregation: anAggregation,
    filters: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom<Filters>({ region: ['eu'] }, { region: ['us', 1] }) },
    ),
    pricing: aMeteredPricing,
  })
  .map((charge) => ({ ...charge, aggregation: aggregationFor(charge) }));

const aMeteredCharge: fc.Arbitrary<ChargeIntention> = fc.oneof(
  { weight: 3, arbitrary: aPlainCharge },
  { weight: 1, arbitrary: aDividedCharge },
);

/** A model that takes no quantity of the drawn aggregation gets a sum, which every model takes. */
function aggregationFor({ aggregation, pricing }: Pick<Charge, 'aggregation' | 'pricing'>): Aggregation {
  const { aggregations } = MODELS[pricing.pricing_model];
  return aggregations === undefined || aggregations.includes(aggregation.type) ? aggregation : SUM;
}

/** Numbers of fees in advance: a good third of the plans have some. */
export const FEES = [0, 0, 0, 1, 2];

/** The places of the flat charges that are for one of a quantity: of a third of the plans that have flat ones. */
const usualQuantities: fc.Arbitrary<readonly number[]> = fc.constantFrom(
  ...[[0], [1], [0, 1]],
  ...[[], [], [], [], [], []],
);
/** Most often some. */
export const someQuantities: fc.Arbitrary<readonly number[]> = fc.constantFrom([0], [0], [1], [0, 1]);

/** Metered charges, often with a flat one, and as many fees in advance as one of these numbers, before them or after. */
export const chargesWith = (
  fees: readonly number[],
  counted: fc.Arbitrary<readonly number[]> = usualQuantities,
): fc.Arbitrary<ChargeIntention[]> =>
  fc
    .record({
      some: usualCharges,
      fees: fc
        .constantFrom(...fees)
        .chain((count) => fc.array(aFeeBilled('in_advance'), { minLength: count, maxLength: count })),
      is_first: fc.boolean(),
      counted,
    })
    .map(({ some, fees: pricings, is_first, counted: places }) => {
      const in_advance = pricings.map(flatCharge);
      return withQuantities(is_first ? [...in_advance, ...some] : [...some, ...in_advance], places);
    });

/** Flat charges at some places among the flat ones are for one of a quantity. */
function withQuantities(charges: ChargeIntention[], places: readonly number[]): ChargeIntention[] {
  const flat = charges.filter(({ pricing }) => pricing.pricing_model === 'flat');
  return charges.map((charge) =>
    places.includes(flat.indexOf(charge)) ? { ...charge, has_quantity: true } : charge,
  );
}

function flatCharge(pricing: Pricing): ChargeIntention {
  return { aggregation: { type: 'count' }, filters: null, pricing };
}

const usualCharges: fc.Arbitrary<ChargeIntention[]> = fc
  .record({
    metered: fc.uniqueArray(aMeteredCharge, {
      minLength: 1,
      maxLength: 3,
      selector: ({ aggregation, filters }) => JSON.stringify([aggregation, filters]),
    }),
    flat: fc.option(aFlatPricing, { freq: 2 }),
  })
  .map(({ metered, flat }) => (flat === null ? metered : [flatCharge(flat), ...metered.slice(0, 2)]));
