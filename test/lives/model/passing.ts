import fc from 'fast-check';
import type { Passing } from './world.ts';

/** Terms of a change beside its plan, as they are sent: some are left out. */

export type PassingChoice = {
  terms: Partial<Pick<Passing, 'proration' | 'cycle'>>;
  /** Null for none. */
  take_back_grants: boolean | null;
  /** It sends also what is not allowed beside `proration` `none`. */
  is_wrong: boolean;
};

/** The terms of a change that says nothing of them. */
export const NO_PASSING: Passing = { proration: 'exact', cycle: 'keep', take_back_grants: false };

const TERMS: readonly PassingChoice['terms'][] = [
  ...[{}, {}, {}, {}, { proration: 'exact' }],
  ...[{ proration: 'none' }, { proration: 'none' }, { proration: 'none' }],
  ...[{ proration: 'full' }, { proration: 'full' }, { cycle: 'restart' }],
  ...[
    { proration: 'full', cycle: 'restart' },
    { proration: 'none', cycle: 'keep' },
  ],
] as const;
const WRONG = { proration: 'none', cycle: 'restart' } as const;

export const somePassing: fc.Arbitrary<PassingChoice> = fc.record({
  terms: fc.constantFrom(...TERMS, WRONG),
  take_back_grants: fc.constantFrom(null, null, null, true, true, false),
  is_wrong: fc.constantFrom(false, false, false, false, false, true),
});

/** The terms that a choice sends. */
export function passingOf({ terms, take_back_grants }: PassingChoice): Partial<Passing> {
  return {
    ...terms,
    ...(take_back_grants === null ? {} : { take_back_grants }),
  };
}
