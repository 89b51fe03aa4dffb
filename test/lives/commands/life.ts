import fc from 'fast-check';
import type { Interval } from '../../../src/domain/time/period.ts';
import { at, later } from '../../support/ledger/test-customer.ts';
import {
  aFeeBilled,
  aMeteredPricing,
  chargesWith,
  FEES,
  someQuantities,
  SUM,
  type ChargeIntention,
} from './charges.ts';
import { aCustomIntention, HAS_CUSTOM_PLANS, type CustomIntention } from './custom-choices.ts';
import { grantsOfPlan, type PlanGrantIntention } from './grant-choices.ts';
import type { Instant, Plan } from '../model/world.ts';

const HOUR_MS = 3_600_000;

/** Grants of plans and grants for one thing (billing.md 4) occur in lives. */
export const HAS_GRANTS_OF_PLANS = true;
/** Minimums of plans and discounts of an amount (billing.md 13) occur in lives. */
export const HAS_PERIOD_LINES = true;
/** Bills before the end (billing.md 15) occur in lives. */
export const HAS_THRESHOLDS = true;

/** The start of a life; everything else is commands. */
export type Beginnings = {
  customer: { currency: string; digits: number; tax_rate: string; timezone: string };
  /** Initial time of the customer's clock. */
  now: Instant;
  intention: Intention;
};

export type PlanIntention = Pick<Intention, 'charges' | 'periods' | 'grants' | 'minimum_amount' | 'custom'>;

/** A subscription to create; times are in days from the day of its creation. */
export type Intention = {
  charges: readonly ChargeIntention[];
  periods: Pick<Plan, 'interval' | 'interval_count'>;
  grants: readonly PlanGrantIntention[];
  minimum_amount: string | null;
  /** Null for a plan of everybody. */
  custom: CustomIntention | null;
  /** The quantities with which it begins, by their places among the names; null for none that is sent. */
  quantities: readonly (string | null)[];
  /** The amount of usage at which the open part is billed; null for none. */
  bill_at: string | null;
  starts: number;
  trial_days: number | null;
  anchor: number | null;
};

/** Quantities, also with decimals. */
export const aQuantity = fc.constantFrom('0', '1', '2', '3', '3', '5', '10', '2.5', '0.333333');
const firstQuantities = fc.array(fc.option(aQuantity, { freq: 4 }), { minLength: 2, maxLength: 2 });

const usualBillAt = fc.constantFrom(
  ...(HAS_THRESHOLDS ? ['10', '50'] : []),
  ...Array.from({ length: 14 }, () => null),
);

const somePeriods: fc.Arbitrary<{ interval: Interval; interval_count: number }> = fc.constantFrom(
  { interval: 'day', interval_count: 1 },
  { interval: 'day', interval_count: 1 },
  { interval: 'day', interval_count: 2 },
  { interval: 'week', interval_count: 1 },
  { interval: 'month', interval_count: 1 },
  { interval: 'month', interval_count: 1 },
);

/** The least that a full period costs. */
const MINIMUMS = ['5', '20', '100'];
/** A fifth of the plans have one. */
const usualMinimum = fc.constantFrom(
  ...(HAS_PERIOD_LINES ? MINIMUMS : []),
  ...Array.from({ length: 4 * MINIMUMS.length }, () => null),
);

const someGrants = (...counts: number[]) => grantsOfPlan(...(HAS_GRANTS_OF_PLANS ? counts : [0]));
/** A good third of the plans have some. */
const usualGrants = someGrants(0, 0, 0, 1, 2);

type Kinds = {
  grants?: fc.Arbitrary<PlanGrantIntention[]>;
  minimum_amount?: fc.Arbitrary<string | null>;
  counted?: fc.Arbitrary<readonly number[]>;
  custom?: fc.Arbitrary<CustomIntention | null>;
};

/** A tenth of the plans are custom ones. */
const usualCustom: fc.Arbitrary<CustomIntention | null> = HAS_CUSTOM_PLANS
  ? fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: aCustomIntention })
  : fc.constant(null);

const intending = (
  fees: readonly number[],
  { grants = usualGrants, minimum_amount = usualMinimum, counted, custom = usualCustom }: Kinds = {},
): fc.Arbitrary<Intention> =>
  fc.record({
    charges: chargesWith(fees, counted),
    periods: somePeriods,
    ...{ grants, minimum_amount, custom, quantities: firstQuantities, bill_at: usualBillAt },
    starts: fc.constantFrom(-1, -1, 0, 0, -2, 1),
    trial_days: fc.constantFrom(null, null, null, 1, 2),
    anchor: fc.constantFrom(null, null, null, -1, 2),
  });

export const anIntention = intending(FEES);
/** One with fees in advance. */
export const aFeeIntention = intending([1, 2]);
/** One with a minimum, half of them with fees in advance. */
export const aMinimumIntention = intending([0, 1], { minimum_amount: fc.constantFrom(...MINIMUMS) });
/** One with grants. */
export const aGrantIntention = intending(FEES, { grants: someGrants(1, 2, 2) });
/** One of a custom plan. */
export const aCustomPlansIntention = intending(FEES, { custom: aCustomIntention });
/** One with quantities of fees. */
export const aSeatIntention = intending([1, 1, 2], { counted: someQuantities });

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
const planning = (
  fees: readonly number[],
  { minimum_amount = usualMinimum, counted, custom = usualCustom }: Kinds = {},
): fc.Arbitrary<PlanIntention> =>
  fc.record({
    charges: chargesWith(fees, counted),
    ...{ grants: usualGrants, minimum_amount, custom },
    periods: fc.oneof(
      { weight: 8, arbitrary: somePeriods },
      { weight: 1, arbitrary: fc.constant({ interval: 'year' as const, interval_count: 1 }) },
    ),
  });

export const aPlanIntention = planning(FEES);
/** Most often with fees in advance. */
export const aFeePlanIntention = planning([0, 1, 1, 2]);

/** Most often with a minimum. */
export const aMinimumPlanIntention = planning([0, 1], { minimum_amount: fc.constantFrom(...MINIMUMS, null) });
/** Most often a custom plan. */
export const aCustomPlanIntention = planning(FEES, { custom: fc.option(aCustomIntention, { freq: 4 }) });
/** Most often with quantities. */
export const aSeatPlanIntention = planning([0, 1, 1, 2], { counted: someQuantities });

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
  ...{ grants: usualGrants, minimum_amount: usualMinimum, custom: usualCustom },
  ...{ quantities: firstQuantities, bill_at: usualBillAt },
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
