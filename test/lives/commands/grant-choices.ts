import fc from 'fast-check';

/** Grants of plans as a life intends them, before event names have the number of a subscription. */

/** The kinds of events of a subscription; nobody bills `other`. */
type Kind = 'use' | 'call' | 'other';

export type PlanGrantIntention = {
  amount: string;
  kinds: readonly Kind[] | null;
  expires: 'period_end' | { days: number };
  carry_over_max: string | null;
  prorate: boolean;
};

const KINDS_OF_GRANTS: readonly (readonly Kind[] | null)[] = [
  ...[null, null, null],
  ...([['use'], ['call'], ['use', 'call'], ['other', 'call']] as const),
];
const someKinds = fc.constantFrom(...KINDS_OF_GRANTS);

const isProrated = fc.constantFrom(false, false, true);

const toThePeriodEnd: fc.Arbitrary<PlanGrantIntention> = fc.record({
  amount: fc.constantFrom('2.5', '5', '12'),
  kinds: someKinds,
  expires: fc.constant('period_end' as const),
  carry_over_max: fc.constantFrom(null, '0.5', '1', '2', '2.5'),
  prorate: isProrated,
});

const forSomeDays: fc.Arbitrary<PlanGrantIntention> = fc.record({
  amount: fc.constantFrom('1', '3', '40'),
  kinds: someKinds,
  expires: fc.constantFrom(1, 2, 10, 40).map((days) => ({ days })),
  carry_over_max: fc.constant(null),
  prorate: isProrated,
});

/** Some grants of a plan, as many as one of these numbers. */
export const grantsOfPlan = (...counts: number[]): fc.Arbitrary<PlanGrantIntention[]> =>
  fc.constantFrom(...counts).chain((count) =>
    fc.array(fc.oneof({ weight: 3, arbitrary: toThePeriodEnd }, { weight: 1, arbitrary: forSomeDays }), {
      minLength: count,
      maxLength: count,
    }),
  );

/** Limits of a grant of the customer: event names, the place of a subscription, and a note. */
export type Limits = {
  names: readonly string[] | null;
  place: number | null;
  note: string | null;
};

const NAMES: readonly (readonly string[] | null)[] = [
  ...[null, null, null],
  ...[['use-0'], ['call-0'], ['use-0', 'use-1'], ['use-1', 'call-1'], ['other']],
];

export const someLimits: fc.Arbitrary<Limits> = fc.record({
  names: fc.constantFrom(...NAMES),
  place: fc.constantFrom(null, null, null, 0, 0, 1, 2),
  note: fc.constantFrom(null, null, 'Goodwill'),
});

export const noLimits: fc.Arbitrary<Limits> = fc.constant({ names: null, place: null, note: null });
