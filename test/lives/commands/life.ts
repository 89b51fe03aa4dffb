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
import type { Interval } from '../../../src/domain/time/period.ts';
import { pricingFrom } from '../../support/ledger/plans.ts';
import { at, later } from '../../support/ledger/test-customer.ts';
import { grantsOfPlan, type PlanGrantIntention } from './grant-choices.ts';
import type { Charge, Division, Instant, Plan } from '../model/world.ts';

const HOUR_MS = 3_600_000;

/** Grants of plans and grants for one thing (billing.md 4) occur in lives. */
export const HAS_GRANTS_OF_PLANS = true;

/** The start of a life; everything else is commands. */
export type Beginnings = {
  customer: { currency: string; digits: number; tax_rate: string; timezone: string };
  /** Initial time of the customer's clock. */
  now: Instant;
  intention: Intention;
};

export type PlanIntention = Pick<Intention, 'charges' | 'periods' | 'grants'>;

/** A subscription to create; times are in days from the day of its creation. */
export type Intention = {
  charges: readonly Omit<Charge, 'event_name'>[];
  periods: Omit<Plan, 'charges' | 'grants'>;
  grants: readonly PlanGrantIntention[];
  starts: number;
  trial_days: number | null;
  anchor: number | null;
};

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

/** Any model that bills events, but for the ones whose fields do not fit each other. */
const aMeteredPricing: fc.Arbitrary<Pricing> = fc.oneof(
  ...PRICING_MODELS.filter((model) => MODELS[model].is_metered).map((model) => pricingFrom(VALUES, model)),
);

const aFlatPricing: fc.Arbitrary<Pricing> = fc.record({
  pricing_model: fc.constant('flat' as const),
  flat_amount: fc.constantFrom('49', '10', '0.01', '0'),
});

const aFeeBilled = (...billed: ('in_arrears' | 'in_advance')[]): fc.Arbitrary<Pricing> =>
  fc.record({
    pricing_model: fc.constant('flat' as const),
    flat_amount: fc.constantFrom('49', '199.99', '10', '3', '0.01'),
    billed: fc.constantFrom(...billed),
  });

const SUM = { type: 'sum', property: 'size' } as const;

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

const aMeteredCharge: fc.Arbitrary<Omit<Charge, 'event_name'>> = fc.oneof(
  { weight: 3, arbitrary: aPlainCharge },
  { weight: 1, arbitrary: aDividedCharge },
);

/** A model that takes no quantity of the drawn aggregation gets a sum, which every model takes. */
function aggregationFor({ aggregation, pricing }: Pick<Charge, 'aggregation' | 'pricing'>): Aggregation {
  const { aggregations } = MODELS[pricing.pricing_model];
  return aggregations === undefined || aggregations.includes(aggregation.type) ? aggregation : SUM;
}

/** Numbers of fees in advance: a good third of the plans have some. */
const FEES = [0, 0, 0, 1, 2];

/** Metered charges, often with a flat one, and as many fees in advance as one of these numbers, before them or after. */
const chargesWith = (fees: readonly number[]): fc.Arbitrary<Omit<Charge, 'event_name'>[]> =>
  fc
    .record({
      some: usualCharges,
      fees: fc
        .constantFrom(...fees)
        .chain((count) => fc.array(aFeeBilled('in_advance'), { minLength: count, maxLength: count })),
      is_first: fc.boolean(),
    })
    .map(({ some, fees: pricings, is_first }) => {
      const in_advance = pricings.map(flatCharge);
      return is_first ? [...in_advance, ...some] : [...some, ...in_advance];
    });

function flatCharge(pricing: Pricing): Omit<Charge, 'event_name'> {
  return { aggregation: { type: 'count' }, filters: null, pricing };
}

const usualCharges: fc.Arbitrary<Omit<Charge, 'event_name'>[]> = fc
  .record({
    metered: fc.uniqueArray(aMeteredCharge, {
      minLength: 1,
      maxLength: 3,
      selector: ({ aggregation, filters }) => JSON.stringify([aggregation, filters]),
    }),
    flat: fc.option(aFlatPricing, { freq: 2 }),
  })
  .map(({ metered, flat }) => (flat === null ? metered : [flatCharge(flat), ...metered.slice(0, 2)]));

const somePeriods: fc.Arbitrary<{ interval: Interval; interval_count: number }> = fc.constantFrom(
  { interval: 'day', interval_count: 1 },
  { interval: 'day', interval_count: 1 },
  { interval: 'day', interval_count: 2 },
  { interval: 'week', interval_count: 1 },
  { interval: 'month', interval_count: 1 },
  { interval: 'month', interval_count: 1 },
);

const someGrants = (...counts: number[]) => grantsOfPlan(...(HAS_GRANTS_OF_PLANS ? counts : [0]));
/** A good third of the plans have some. */
const usualGrants = someGrants(0, 0, 0, 1, 2);

const intending = (
  fees: readonly number[],
  grants: fc.Arbitrary<PlanGrantIntention[]> = usualGrants,
): fc.Arbitrary<Intention> =>
  fc.record({
    charges: chargesWith(fees),
    periods: somePeriods,
    grants,
    starts: fc.constantFrom(-1, -1, 0, 0, -2, 1),
    trial_days: fc.constantFrom(null, null, null, 1, 2),
    anchor: fc.constantFrom(null, null, null, -1, 2),
  });

export const anIntention = intending(FEES);
/** One with fees in advance. */
export const aFeeIntention = intending([1, 2]);
/** One with grants. */
export const aGrantIntention = intending(FEES, someGrants(1, 2, 2));

/** One that may end before it bills anything. */
export const aTrialIntention: fc.Arbitrary<Intention> = fc
  .record({
    intention: anIntention,
    begins: fc.constantFrom(
      { starts: 0, trial_days: 1 },
      { starts: 0, trial_days: 2 },
      { starts: 1, trial_days: null },
      { starts: 1, trial_days: 1 },
    ),
  })
  .map(({ intention, begins }) => ({ ...intention, ...begins }));

/** A plan to change to. */
const planning = (fees: readonly number[]): fc.Arbitrary<PlanIntention> =>
  fc.record({
    charges: chargesWith(fees),
    grants: usualGrants,
    periods: fc.oneof(
      { weight: 8, arbitrary: somePeriods },
      { weight: 1, arbitrary: fc.constant({ interval: 'year' as const, interval_count: 1 }) },
    ),
  });

export const aPlanIntention = planning(FEES);
/** Most often with fees in advance. */
export const aFeePlanIntention = planning([0, 1, 1, 2]);

/** A plan with one sum and a start today: most of its cases concern money. */
const aPlainIntention: fc.Arbitrary<Intention> = fc.record({
  charges: fc
    .record({
      metered: aMeteredPricing,
      flat: aFeeBilled('in_arrears', 'in_advance', 'in_advance'),
      both: fc.boolean(),
    })
    .map(({ metered, flat, both }) =>
      [...(both ? [flat] : []), metered].map((pricing) => ({ aggregation: SUM, filters: null, pricing })),
    ),
  periods: somePeriods,
  grants: usualGrants,
  starts: fc.constant(0),
  trial_days: fc.constant(null),
  anchor: fc.constant(null),
});

/** Zones, in most of which the clocks change in spring or autumn, in March or close to it. */
const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Beirut'],
  ...['Africa/Casablanca', 'Asia/Kathmandu'],
];

export const someBeginnings: fc.Arbitrary<Beginnings> = fc
  .record({
    money: fc.constantFrom(
      { currency: 'USD', digits: 2, tax_rate: '0' },
      { currency: 'USD', digits: 2, tax_rate: '20' },
      { currency: 'JPY', digits: 0, tax_rate: '10' },
      { currency: 'KWD', digits: 3, tax_rate: '7.7' },
    ),
    timezone: fc.constantFrom('UTC', 'UTC', ...ZONES),
    date: fc.constantFrom('01-01', '01-31', '02-27', '12-30', '03-08', '03-24'),
    intention: fc.oneof(
      { weight: 3, arbitrary: anIntention },
      { weight: 3, arbitrary: aPlainIntention },
      { weight: 1, arbitrary: aTrialIntention },
    ),
  })
  .map(({ date, money, timezone, intention }) => ({
    ...{ customer: { ...money, timezone }, intention },
    now: later(at(date), HOUR_MS),
  }));
